import { afterAll, expect, test } from 'vitest'
import { startHttpReceiver } from '../../test/peers/http-receiver.ts'
import { createCollector } from './collector.ts'

const receiver = await startHttpReceiver()
const url = `${receiver.url}/v1/traces`
const collector = createCollector(url, { authorization: 'Bearer x' })
afterAll(async () => {
  await collector.close()
  await receiver.close()
})

test('the collector is reached on a private address and an unusual port, without any allowance', async () => {
  receiver.answer = { status: 200 }
  expect(await collector.send({ a: 1 })).toBe(true)
  expect(receiver.requests.at(-1)).toMatchObject({
    method: 'POST',
    url: '/v1/traces',
    json: { a: 1 },
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
  })
})

test('a refusal, a cut and a redirect are no arrival, and none is followed or sent again', async () => {
  const before = receiver.requests.length
  receiver.answer = { status: 503 }
  expect(await collector.send({})).toBe(false)
  receiver.answer = 'accept then reset'
  expect(await collector.send({})).toBe(false)
  receiver.answer = { status: 307, headers: { location: '/elsewhere' } }
  expect(await collector.send({})).toBe(false)
  expect(receiver.requests.slice(before).map((it) => it.url)).toEqual(Array(3).fill('/v1/traces'))
})
