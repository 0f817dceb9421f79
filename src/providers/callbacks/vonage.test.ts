import { expect, test } from 'vitest'
import { believesKeyInUrl, ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import nexmo from '../sms/nexmo.ts'
import { vonageCallbacks } from './vonage.ts'

believesKeyInUrl(vonageCallbacks)
ignoresJunk(vonageCallbacks)

const receipt = {
  msisdn: '447700900000',
  to: 'Shop',
  'network-code': '23410',
  messageId: '0A0000000123ABCD1',
  price: '0.03330000',
  scts: '2601011400',
  'api-key': 'abcd1234',
  'client-ref': 'ours',
  'message-timestamp': '2026-01-01 14:00:05',
}
const about = { externalId: '0A0000000123ABCD1', messageId: 'ours' }

const bounced = (status: string, code: string, permanent: boolean) => [
  { kind: 'bounced', permanent, ...about, reason: `${status}, error ${code}` },
]

test.each([
  ['delivered', '0', [{ kind: 'delivered', ...about }]],
  ['failed', '3', bounced('failed', '3', true)],
  ['failed', '4', bounced('failed', '4', true)],
  ['failed', '2', bounced('failed', '2', false)],
  ['rejected', '6', bounced('rejected', '6', false)],
  ['expired', '1', bounced('expired', '1', false)],
  ['accepted', '0', []],
  ['buffered', '0', [{ kind: 'other', name: 'buffered', ...about }]],
  ['unknown', '1', [{ kind: 'other', name: 'unknown', ...about }]],
])('%s with error %s, as JSON and as a form', (status, code, expected) => {
  const told = { ...receipt, status, 'err-code': code }
  for (const body of [JSON.stringify(told), new URLSearchParams(told).toString()])
    expect(vonageCallbacks.read({ body, headers: {} })).toEqual(expected)
})

test('a text of somebody to us is no receipt', () => {
  const body = JSON.stringify({
    msisdn: '447700900001',
    to: '447700900000',
    messageId: '0A1',
    text: 'Hi',
    type: 'text',
  })
  expect(vonageCallbacks.read({ body, headers: {} })).toEqual([])
})

test('each message names the address', async () => {
  const callbackUrl = 'https://tidings.example/v1/webhooks/1?key=a'
  const { requests } = await trySend(nexmo, { callbackUrl })
  expect(requests[0]?.form).toMatchObject({ callback: callbackUrl })
})
