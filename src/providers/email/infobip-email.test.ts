import { expect, test } from 'vitest'
import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import infobip from './infobip-email.ts'

const credentials = { apiKey: 'ib-1', baseUrl: 'https://abc.api.infobip.com/' }
const status = (groupName: string, name: string) => ({
  json: { messages: [{ to: 'ada@example.org', messageId: 'm1', status: { groupName, name, description: 'why' } }] },
})

providerTable(infobip, {
  credentials,
  request: { url: 'https://abc.api.infobip.com/email/3/send', headers: { authorization: 'App ib-1' } },
  accepted: { reply: status('PENDING', 'PENDING_ACCEPTED'), id: 'm1' },
  badRecipient: { reply: status('REJECTED', 'REJECTED_DESTINATION'), reason: '200 REJECTED_DESTINATION: why' },
  replies: [
    [
      'what was taken for one recipient of two is sent',
      {
        json: {
          messages: [
            { to: 'ada@example.org', status: { groupName: 'REJECTED', name: 'REJECTED_NOT_ENOUGH_CREDITS' } },
            { to: 'bob@example.org', messageId: 'def', status: { groupName: 'PENDING', name: 'PENDING_ACCEPTED' } },
          ],
        },
      },
      { kind: 'sent', id: 'def', note: expect.stringContaining('1 of 2 recipients refused') },
    ],
    [
      'used-up credits are the fault of the integration',
      status('REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a bad field is refused for good',
      { status: 400, json: { requestError: { serviceException: { messageId: 'BAD_REQUEST', text: 'Bad Request' } } } },
      { kind: 'rejected', reason: expect.stringContaining('Bad Request') },
    ],
  ],
  check: { url: 'https://abc.api.infobip.com/account/1/balance', good: { json: { balance: 1, currency: 'EUR' } } },
})

test('infobip-email sends a form with a part for each address, and its files', async () => {
  const { requests, send } = tryProvider(infobip, {
    credentials,
    message: { ...fullEmail, overrides: { trackOpens: false } },
    http: [status('PENDING', 'PENDING_ACCEPTED')],
  })
  await send()
  expect(requests[0]?.multipart).toEqual([
    { name: 'from', value: 'The Team <team@example.com>' },
    { name: 'to', value: 'ada@example.org' },
    { name: 'cc', value: 'bob@example.org' },
    { name: 'bcc', value: 'eve@example.org' },
    { name: 'replyTo', value: 'help@example.com' },
    { name: 'subject', value: 'Hello Ada' },
    { name: 'text', value: 'Hello' },
    { name: 'html', value: '<p>Hello</p>' },
    { name: 'headers', value: '{"X-Team":"blue"}' },
    { name: 'preserveRecipients', value: 'true' },
    { name: 'callbackData', value: `{"tidings_message_id":"${samples.email.id}"}` },
    { name: 'trackOpens', value: 'false' },
    { name: 'attachment', filename: 'a.txt', mime: 'text/plain', content: Buffer.from('hi') },
  ])
})
