import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signWebhook } from './standard-webhooks.ts'

/** The vector of the reference libraries. */
const vector = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
  now: new Date(1_614_265_330_000),
}

describe('signWebhook', () => {
  test('signs the reference vector as the reference libraries do', async () => {
    expect(await signWebhook(vector)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('rounds the time down to a whole second', async () => {
    expect(await signWebhook({ ...vector, now: new Date(1_614_265_330_999) })).toEqual(await signWebhook(vector))
  })

  test('takes a secret without the prefix as it stands', async () => {
    const expected = createHmac('sha256', 'héllo').update(`${vector.id}.1614265330.${vector.body}`).digest('base64')
    expect((await signWebhook({ ...vector, secret: 'héllo' }))['webhook-signature']).toBe(`v1,${expected}`)
  })

  test.each([
    ['id', { id: 'msg_other' }],
    ['time', { now: new Date(1_614_265_331_000) }],
    ['body', { body: '{"test": 2432232315}' }],
    ['secret', { secret: 'whsec_AAAQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
  ])('another %s is another signature', async (_name, change) => {
    const signature = (await signWebhook({ ...vector, ...change }))['webhook-signature']
    expect(signature).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
    expect(signature).not.toBe((await signWebhook(vector))['webhook-signature'])
  })

  test('without a secret it names the message and the time, and signs nothing', async () => {
    expect(await signWebhook({ ...vector, secret: undefined })).toEqual({
      'webhook-id': vector.id,
      'webhook-timestamp': '1614265330',
    })
  })
})
