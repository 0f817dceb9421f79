import { expect, test } from 'vitest'
import { believesKeyInUrl, ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import messagebird from '../sms/messagebird.ts'
import { messagebirdCallbacks } from './messagebird.ts'

believesKeyInUrl(messagebirdCallbacks)
ignoresJunk(messagebirdCallbacks)

const about = { externalId: 'm1', messageId: 'ours' }

test.each([
  ['status=delivered', [{ kind: 'delivered', ...about }]],
  [
    'status=delivery_failed&statusErrorCode=1&statusReason=unknown+subscriber',
    [{ kind: 'bounced', permanent: true, reason: '1 unknown subscriber', ...about }],
  ],
  ['status=delivery_failed&statusErrorCode=9', [{ kind: 'bounced', permanent: false, reason: '9', ...about }]],
  ['status=expired', [{ kind: 'bounced', permanent: false, ...about }]],
  ['status=buffered', []],
  ['status=held', [{ kind: 'other', name: 'held', ...about }]],
])('%s', (body, expected) => {
  const given = `key=a&id=m1&reference=ours&recipient=31612345678&${body}`
  expect(messagebirdCallbacks.read({ body: given, headers: {} })).toEqual(expected)
})

test('each message names the address', async () => {
  const callbackUrl = 'https://tidings.example/v1/webhooks/1?key=a'
  const { requests } = await trySend(messagebird, { callbackUrl })
  expect(requests[0]?.json).toMatchObject({ reportUrl: callbackUrl })
})
