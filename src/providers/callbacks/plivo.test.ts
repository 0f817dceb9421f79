import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import plivo from '../sms/plivo.ts'
import { plivoCallbacks } from './plivo.ts'

describe('proof', () => {
  const url = 'https://tidings.example/v1/webhooks/1'
  const nonce = '05429567804466091622'
  const signature = createHmac('sha256', 'token').update(`${url}${nonce}`).digest('base64')
  const headers = { 'x-plivo-signature-v2': signature, 'x-plivo-signature-v2-nonce': nonce }
  const verify = (changes: object) =>
    plivoCallbacks.verify(inboundCall({ headers, url, signingKey: 'token', ...changes }))

  test('a signed call is believed, by the token of the account or of its main account', () => {
    expect(verify({})).toBe(true)
    expect(verify({ url: `${url}?more=1` })).toBe(true)
    expect(verify({ headers: { ...headers, 'x-plivo-signature-v2': 'x', 'x-plivo-signature-ma-v2': signature } })).toBe(
      true,
    )
  })

  test('is good for one call, by its nonce', () => {
    expect(plivoCallbacks.once?.({ body: 'Status=sent', headers })).toBe(nonce)
  })

  test.each([
    ['another address', { url: `${url}1` }],
    ['another key', { signingKey: 'token2' }],
    ['no key', { signingKey: '' }],
    ['another nonce', { headers: { ...headers, 'x-plivo-signature-v2-nonce': '1' } }],
    ['no nonce', { headers: { 'x-plivo-signature-v2': signature } }],
    ['no signature', { headers: { 'x-plivo-signature-v2-nonce': nonce } }],
    ['no headers', { headers: {} }],
  ])('%s is refused', (_name, changes) => expect(verify(changes)).toBe(false))
})

ignoresJunk(plivoCallbacks)

const about = { externalId: 'db342550-7c1d-11e1-8ea9-1231400195a7' }
const bounced = (code: string, permanent: boolean) => [
  { kind: 'bounced', permanent, ...about, reason: `error ${code}` },
]

test.each([
  ['delivered', '', [{ kind: 'delivered', ...about }]],
  ['undelivered', '70', bounced('70', true)],
  ['failed', '50', bounced('50', true)],
  ['undelivered', '80', bounced('80', false)],
  ['rejected', '', [{ kind: 'bounced', permanent: false, ...about, reason: 'rejected' }]],
  ['read', '', [{ kind: 'opened', ...about }]],
  ['queued', '', []],
  ['sent', '', []],
  ['held', '', [{ kind: 'other', name: 'held', ...about }]],
])('%s with error %j', (Status, ErrorCode, expected) => {
  const fields = {
    From: '14155550100',
    MessageUUID: about.externalId,
    Status,
    To: '14155550101',
    Type: 'sms',
    Units: '1',
    ...(ErrorCode && { ErrorCode }),
  }
  expect(plivoCallbacks.read({ headers: {}, body: new URLSearchParams(fields).toString() })).toEqual(expected)
})

test('each message names the address', async () => {
  const callbackUrl = 'https://tidings.example/v1/webhooks/1'
  const { requests } = await trySend(plivo, { callbackUrl })
  expect(requests[0]?.json).toMatchObject({ url: callbackUrl, method: 'POST' })
})
