import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressGuard } from '../../src/egress/address-guard.ts'
import { createHttp } from '../../src/egress/http.ts'
import type { Http } from '../../src/lib/outbound.ts'
import { toDeviceToken } from '../../src/providers/endpoint.ts'
import webPush from '../../src/providers/push/web-push.ts'
import { type Changes, laterTry, now, sampleFor, samples } from '../providers/provider-samples.ts'
import { decryptPush, type PushService, type PushSubscription, startPushService } from './push-service.ts'

let http: Http & { close(): Promise<void> }
let service: PushService
let clock = now

beforeAll(async () => {
  service = await startPushService({ now: () => clock })
  http = createHttp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [service.port] }))
  return async () => {
    await http.close()
    await service.close()
  }
})
beforeEach(() => {
  clock = now
  service.received.length = 0
})

function makeKeys() {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return { apiKey: pair.getPublicKey('base64url'), secretKey: pair.getPrivateKey('base64url') }
}
const credentials = { ...makeKeys(), senderId: 'mailto:ops@example.com' }

/** As the core does it: what a browser gave becomes a device token. */
const tokenOf = (subscription: PushSubscription) => toDeviceToken({ type: 'web_push', endpoint: subscription }) ?? ''

async function send(subscription: PushSubscription, message: Changes = {}, through: Http = http) {
  const refuse = () => Promise.reject(new Error('not by SMTP'))
  const token = tokenOf(subscription)
  return webPush.send?.({
    http: through,
    smtp: { send: refuse, verify: refuse, compose: refuse },
    cached: (_name, fetch) => fetch(),
    now: clock,
    credentials,
    message: sampleFor(webPush, { token, tokens: [token], ...message }),
    mailbox: refuse,
  })
}

describe('the double', () => {
  test('reads the example of RFC 8291, section 5', () => {
    const key = createECDH('prime256v1')
    key.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
    const body =
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
    const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
    const plain = decryptPush(Buffer.from(body, 'base64url'), { key, auth })
    expect(plain.toString()).toBe('When I grow up, I want to be a watermelon')
  })
})

describe('web-push and a push service', () => {
  test('what was sent is what each browser decrypts with its own keys', async () => {
    const [ada, bob] = [service.subscribe(credentials.apiKey), service.subscribe(credentials.apiKey)]
    const outcome = await send(ada, { overrides: { Urgency: 'high', TTL: 60 } })
    await send(bob, { body: 'Hello Bob, grüße 👋' })
    const id = samples.push.id
    expect(service.received).toMatchObject([
      {
        endpoint: ada.endpoint,
        json: { title: 'Hello', body: 'Hello Ada', data: { orderId: '42' }, tag: id, tidings_message_id: id },
        urgency: 'high',
        ttl: 60,
      },
      { endpoint: bob.endpoint, json: { body: 'Hello Bob, grüße 👋' }, urgency: 'normal', ttl: 2_419_200 },
    ])
    expect(outcome).toEqual({ kind: 'sent', id: service.received[0]?.location })
  })

  test('a second try replaces the first that nobody has read yet, and another message does not', async () => {
    const ada = service.subscribe(credentials.apiKey)
    await send(ada)
    clock = laterTry
    await send(ada)
    await send(ada, { id: 'another', key: 'another', body: 'another' })
    expect(service.received).toHaveLength(3)
    const waiting = service.waitingFor(ada)
    expect(waiting).toMatchObject([{ json: { body: 'Hello Ada' } }, { json: { body: 'another' } }])
    expect(waiting[0]?.location).toBe(service.received[1]?.location)
  })

  test('the largest push that we let through is not too large', async () => {
    const ada = service.subscribe(credentials.apiKey)
    const rest = Buffer.byteLength(
      JSON.stringify({ title: '', body: '', data: {}, tag: samples.push.id, tidings_message_id: samples.push.id }),
    )
    const body = 'x'.repeat(3_993 - rest)
    expect(await send(ada, { title: '', data: {}, body })).toMatchObject({ kind: 'sent' })
    expect(service.requests.at(-1)?.body).toHaveLength(4_096)
    expect(await send(ada, { title: '!', data: {}, body })).toMatchObject({ kind: 'rejected' })
  })

  test('a subscription that was ended is gone, and so is one that never was', async () => {
    const ada = service.subscribe(credentials.apiKey)
    service.unsubscribe(ada)
    expect(await send(ada)).toMatchObject({ kind: 'rejected', because: 'gone' })
    const unknown = { ...ada, endpoint: `${service.url}/push/never` }
    expect(await send(unknown)).toMatchObject({ kind: 'rejected', because: 'gone' })
  })

  test('a subscription made with another key is refused, and the others go on', async () => {
    const [ada, bob] = [service.subscribe(makeKeys().apiKey), service.subscribe(credentials.apiKey)]
    const refused = await send(ada)
    expect(refused).toMatchObject({ kind: 'rejected', reason: expect.stringContaining('another VAPID public key') })
    expect(refused).not.toHaveProperty('because')
    expect(await send(bob)).toMatchObject({ kind: 'sent' })
  })

  test('a signature that has run out is not taken', async () => {
    const ada = service.subscribe(credentials.apiKey)
    const sent = send(ada, {}, (request) => {
      clock = new Date(clock.getTime() + 13 * 3_600_000)
      return http(request)
    })
    expect(await sent).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/^403 expired/) })
  })

  test('a service that wants its peace is asked again later, and its answer tells nobody the address', async () => {
    const ada = service.subscribe(credentials.apiKey)
    const { pathname } = new URL(ada.endpoint)
    service.trouble = { status: 429, headers: { 'retry-after': '30' }, body: `too many to ${pathname}` }
    const outcome = await send(ada).finally(() => {
      service.trouble = undefined
    })
    expect(outcome).toEqual({ kind: 'retry', afterMs: 30_000, paces: 'target', reason: '429 too many to …' })
    expect(service.received).toEqual([])
  })

  test('an address inside the house is refused by the door, like every other', async () => {
    const before = service.requests.length
    const strict = createHttp(addressGuard({ allowedRanges: [], allowedPorts: [service.port] }))
    const outcome = await send(service.subscribe(credentials.apiKey), {}, strict)
    await strict.close()
    expect(outcome).toMatchObject({ kind: 'rejected' })
    expect(service.requests).toHaveLength(before)
  })
})

describe("a service that answers as Mozilla's", () => {
  let autopush: PushService
  beforeAll(async () => {
    autopush = await startPushService({ refusesVapidWith: 401, mostBytes: 2_000, now: () => now })
  })
  afterAll(() => autopush.close())

  test('refuses keys with 401, and with 413 what its bridge cannot carry', async () => {
    const door = createHttp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [autopush.port] }))
    const stranger = await send(autopush.subscribe(makeKeys().apiKey), {}, door)
    const large = await send(autopush.subscribe(credentials.apiKey), { body: 'x'.repeat(3_000) }, door)
    await door.close()
    expect(stranger).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/^401 /) })
    expect(stranger).not.toHaveProperty('because')
    expect(large).toEqual({ kind: 'rejected', reason: '413 Payload too large' })
  })
})
