import { describe, expect, test } from 'vitest'
import { fullEmail } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import mailersend from './mailersend.ts'

providerTable(mailersend, {
  credentials: { apiKey: 'mlsn.1' },
  message: { ...fullEmail, overrides: { tags: ['welcome'] } },
  request: {
    url: 'https://api.mailersend.com/v1/email',
    headers: { authorization: 'Bearer mlsn.1' },
    json: {
      from: { email: 'team@example.com', name: 'The Team' },
      to: [{ email: 'ada@example.org' }],
      cc: [{ email: 'bob@example.org' }],
      bcc: [{ email: 'eve@example.org' }],
      reply_to: { email: 'help@example.com' },
      subject: 'Hello Ada',
      text: 'Hello',
      html: '<p>Hello</p>',
      headers: [{ name: 'X-Team', value: 'blue' }],
      attachments: [{ filename: 'a.txt', content: 'aGk=', disposition: 'attachment' }],
      tags: ['welcome'],
    },
  },
  accepted: { reply: { status: 202, headers: { 'x-message-id': '5e42957d' } }, id: '5e42957d' },
  badRecipient: {
    reply: { status: 422, json: { message: 'The to.0.email must be a valid email address.', errors: {} } },
    reason: '422 The to.0.email must be a valid email address.',
  },
  replies: [
    [
      'one nobody gets is refused, though accepted',
      {
        status: 202,
        json: { message: 'There are some warnings', warnings: [{ type: 'ALL_SUPPRESSED', recipients: [] }] },
      },
      { kind: 'rejected', because: 'gone' },
    ],
    [
      'one that some get is sent',
      { status: 202, headers: { 'x-message-id': 'x1' }, json: { warnings: [{ type: 'SOME_SUPPRESSED' }] } },
      { kind: 'sent', id: 'x1' },
    ],
    [
      'a sender whose domain is not verified is the fault of the integration',
      {
        status: 422,
        json: {
          message: 'The given data was invalid.',
          errors: { 'from.email': ['The from.email domain must be verified in your account. #MS42207'] },
        },
      },
      { kind: 'rejected', because: 'integration' },
    ],
    ['maintenance passes', { status: 421, json: { message: 'maintenance' } }, { kind: 'retry' }],
  ],
  check: {
    url: 'https://api.mailersend.com/v1/api-quota',
    good: { json: { quota: 1000, remaining: 752, reset: '2026-01-03T00:00:00Z' } },
  },
})

describe('mailersend', () => {
  const accepted = { status: 202, headers: { 'x-message-id': '1' } }
  const headers = {
    'List-Unsubscribe': '<https://tidings.example/u/1>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'X-Team': 'blue',
  }
  const refusal = (message: string, errors: object) => ({ status: 422, json: { message, errors } })
  const higherPlan = refusal('This feature requires a higher plan. #MS42235', {})

  test('is sent headers only if there are any: not every plan may set them', async () => {
    const { requests, send } = tryProvider(mailersend, { http: [accepted] })
    await send()
    expect(requests[0]?.json).toMatchObject({ headers: undefined, list_unsubscribe: undefined })
  })

  test('takes the link to unsubscribe in a field of its own, and makes both headers of it', async () => {
    const { requests, send } = tryProvider(mailersend, { message: { headers }, http: [accepted] })
    expect(await send()).toEqual({ kind: 'sent', id: '1' })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.json).toMatchObject({
      list_unsubscribe: 'https://tidings.example/u/1',
      headers: [{ name: 'X-Team', value: 'blue' }],
    })
  })

  test.each([
    ['<mailto:stop@example.com>, <https://x.example/u>', 'https://x.example/u'],
    ['<mailto:stop@example.com>', 'mailto:stop@example.com'],
    ['https://x.example/u', 'https://x.example/u'],
  ])('takes one of several links: %s', async (given, expected) => {
    const message = { headers: { 'list-unsubscribe': given } }
    const { requests, send } = tryProvider(mailersend, { message, http: [accepted] })
    await send()
    expect(requests[0]?.json).toMatchObject({ list_unsubscribe: expected, headers: undefined })
  })

  test.each([
    ['by the code of its plan', higherPlan],
    ['by the name of the field', refusal('The given data was invalid.', { list_unsubscribe: ['not in your plan'] })],
    ['by the name of the other field', refusal('The given data was invalid.', { headers: ['not in your plan'] })],
  ])('refused %s, the mail goes without headers in the same try, and that is said', async (_name, reply) => {
    const { requests, send } = tryProvider(mailersend, { message: { headers }, http: [reply, accepted] })
    expect(await send()).toEqual({
      kind: 'sent',
      id: '1',
      note: 'sent without List-Unsubscribe, List-Unsubscribe-Post, X-Team: the MailerSend plan takes no headers',
    })
    const [first, second] = requests.map(({ json }) => json as Record<string, unknown>)
    expect(requests).toHaveLength(2)
    expect(second).toEqual({ ...first, headers: undefined, list_unsubscribe: undefined })
  })

  test.each([
    ['another fault', refusal('The to.0.email must be valid.', { 'to.0.email': ['invalid'] })],
    ['a header that is wrong', refusal('The headers.0.name is wrong.', { 'headers.0.name': ['wrong'] })],
  ])('%s is refused for good, without a second call', async (_name, reply) => {
    const { requests, send } = tryProvider(mailersend, { message: { headers }, http: [reply, accepted] })
    expect(await send()).toMatchObject({ kind: 'rejected' })
    expect(requests).toHaveLength(1)
  })

  test('a plan that is too low for something else is refused once', async () => {
    const { requests, send } = tryProvider(mailersend, { http: [higherPlan] })
    expect(await send()).toMatchObject({ kind: 'rejected' })
    expect(requests).toHaveLength(1)
  })

  test('what comes of the second call counts', async () => {
    const reset = { kind: 'fault', sent: true, reason: 'reset' } as const
    const { send } = tryProvider(mailersend, { message: { headers }, http: [higherPlan, reset] })
    expect(await send()).toEqual({ kind: 'unknown', reason: 'reset' })
  })
})
