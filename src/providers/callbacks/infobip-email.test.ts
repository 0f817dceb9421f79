import { describe, expect, test } from 'vitest'
import { believesKeyInUrl, junkBodies } from '../../../test/providers/inbound-tests.ts'
import { samples } from '../../../test/providers/provider-samples.ts'
import { sendWithCallback } from '../../../test/providers/send-with-callback.ts'
import infobipEmail from '../email/infobip-email.ts'
import { infobipEmailCallbacks } from './infobip-email.ts'

const read = (body: unknown) => infobipEmailCallbacks.read({ headers: {}, body: JSON.stringify(body) })
const callbackData = JSON.stringify({ tidings_message_id: samples.email.id })
const about = { externalId: 'yfkgy9xol5kpl33u384n', messageId: samples.email.id, address: 'ada@example.org' }

describe('reports of Infobip about mails', () => {
  believesKeyInUrl(infobipEmailCallbacks)

  test('go where each mail says, if somebody listens', async () => {
    const value = 'https://tidings.example/v1/webhooks/0198c000?key=k'
    const { multipart } = await sendWithCallback(infobipEmail, value)
    expect(multipart).toEqual(
      expect.arrayContaining([
        { name: 'notifyUrl', value },
        { name: 'trackingUrl', value },
      ]),
    )
    const { multipart: unheard } = await sendWithCallback(infobipEmail)
    expect(unheard?.map(({ name }) => name)).not.toContain('notifyUrl')
  })

  const report = { bulkId: 'b1', messageId: about.externalId, to: 'ada@example.org', callbackData, smsCount: 1 }
  const status = (groupName: string) => ({ groupName, name: `${groupName}_X`, description: 'x' })
  const error = (name: string, permanent: boolean) => ({ id: 6000, name, description: 'So it is', permanent })

  test.each<[string, object, object]>([
    ['DELIVERED', error('NO_ERROR', false), { kind: 'delivered', ...about }],
    [
      'UNDELIVERABLE',
      error('EC_SUPPRESSED_BOUNCE', true),
      { kind: 'bounced', permanent: true, ...about, reason: 'EC_SUPPRESSED_BOUNCE: So it is' },
    ],
    [
      'UNDELIVERABLE',
      error('EC_SENDER_ADDRESS_INVALID', true),
      { kind: 'bounced', permanent: false, ...about, reason: 'EC_SENDER_ADDRESS_INVALID: So it is' },
    ],
    [
      'UNDELIVERABLE',
      error('EC_SUPPRESSED_BOUNCE', false),
      { kind: 'bounced', permanent: false, ...about, reason: 'EC_SUPPRESSED_BOUNCE: So it is' },
    ],
    ['EXPIRED', {}, { kind: 'bounced', permanent: false, ...about }],
    ['REJECTED', {}, { kind: 'bounced', permanent: false, ...about }],
    ['TELEPORTED', {}, { kind: 'other', ...about, name: 'TELEPORTED' }],
  ])('are read: %s %j', (group, problem, callback) => {
    expect(read({ results: [{ ...report, status: status(group), error: problem }] })).toEqual([callback])
  })

  test('come in lists; those on their way say nothing', () => {
    const results = ['PENDING', 'DELIVERED'].map((group) => ({ ...report, status: status(group) }))
    expect(read({ results })).toEqual([{ kind: 'delivered', ...about }])
  })

  test.each(junkBodies)('are none in %.40s', (junk) => {
    expect(infobipEmailCallbacks.read({ headers: {}, body: junk })).toEqual([])
    expect(read({ results: junk })).toEqual([])
    expect(read({ results: [junk, { status: junk, error: junk, callbackData: junk }] })).toEqual([])
  })
})

test.each([
  ['OPENED', { kind: 'opened', ...about }],
  ['CLICKED', { kind: 'clicked', ...about }],
  ['UNSUBSCRIBED', { kind: 'unsubscribed', ...about }],
  ['COMPLAINED', { kind: 'complained', ...about }],
  ['LATE_BOUNCE', { kind: 'other', ...about, name: 'LATE_BOUNCE' }],
])('what a reader did is told by Infobip too: %s', (notificationType, callback) => {
  const event = { notificationType, domain: 'example.com', recipient: 'ada@example.org', sendDateTime: 1767323045000 }
  expect(read({ ...event, messageId: about.externalId, bulkId: 'b1', callbackData })).toEqual([callback])
})
