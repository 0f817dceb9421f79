import { expect, test } from 'vitest'
import { believesKeyInUrl, ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import infobip from '../sms/infobip-sms.ts'
import { infobipSmsCallbacks } from './infobip-sms.ts'

believesKeyInUrl(infobipSmsCallbacks)
ignoresJunk(infobipSmsCallbacks)

const report = (groupName: string, name: string, error = 'NO_ERROR') => ({
  bulkId: 'BULK-1',
  messageId: 'MESSAGE-1',
  to: '41793026727',
  sender: 'Shop',
  sentAt: '2026-01-01T16:00:00.000+0000',
  doneAt: '2026-01-01T16:00:01.000+0000',
  messageCount: 1,
  price: { pricePerMessage: 0.01, currency: 'EUR' },
  status: { groupId: 3, groupName, id: 5, name, description: 'In words' },
  error: { groupId: 0, groupName: 'OK', id: 0, name: error, description: 'In words', permanent: false },
  callbackData: 'ours',
})
const about = { externalId: 'MESSAGE-1', messageId: 'ours' }
const bounced = (permanent: boolean, reason: string) => [{ kind: 'bounced', permanent, ...about, reason }]

test.each([
  ['DELIVERED', 'DELIVERED_TO_HANDSET', undefined, [{ kind: 'delivered', ...about }]],
  ['DELIVERED', 'DELIVERED_TO_OPERATOR', undefined, []],
  ['PENDING', 'PENDING_ENROUTE', undefined, []],
  [
    'UNDELIVERABLE',
    'UNDELIVERABLE_NOT_DELIVERED',
    'EC_UNKNOWN_SUBSCRIBER',
    bounced(true, 'UNDELIVERABLE_NOT_DELIVERED, EC_UNKNOWN_SUBSCRIBER'),
  ],
  [
    'UNDELIVERABLE',
    'UNDELIVERABLE_REJECTED_OPERATOR',
    'EC_ABSENT_SUBSCRIBER',
    bounced(false, 'UNDELIVERABLE_REJECTED_OPERATOR, EC_ABSENT_SUBSCRIBER'),
  ],
  ['EXPIRED', 'EXPIRED_EXPIRED', undefined, bounced(false, 'EXPIRED_EXPIRED')],
  ['REJECTED', 'REJECTED_PREFIX_MISSING', undefined, bounced(true, 'REJECTED_PREFIX_MISSING')],
  ['REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS', undefined, bounced(false, 'REJECTED_NOT_ENOUGH_CREDITS')],
  ['PAUSED', 'PAUSED_BY_USER', undefined, [{ kind: 'other', name: 'PAUSED_BY_USER', ...about }]],
])('%s, %s, %s', (group, name, error, expected) => {
  const body = JSON.stringify({ results: [report(group, name, error)] })
  expect(infobipSmsCallbacks.read({ body, headers: {} })).toEqual(expected)
})

test('many reports come in one call', () => {
  const body = JSON.stringify({ results: Array(100).fill(report('DELIVERED', 'DELIVERED_TO_HANDSET')) })
  expect(infobipSmsCallbacks.read({ body, headers: {} })).toHaveLength(100)
  expect(body.length).toBeLessThan(infobipSmsCallbacks.mostBytes)
})

test('each message names the address', async () => {
  const callbackUrl = 'https://tidings.example/v1/webhooks/1?key=a'
  const { requests } = await trySend(infobip, { callbackUrl, credentials: { baseUrl: 'x.api.infobip.com' } })
  expect(requests[0]?.json).toMatchObject({
    messages: [{ webhooks: { delivery: { url: callbackUrl }, contentType: 'application/json' } }],
  })
})
