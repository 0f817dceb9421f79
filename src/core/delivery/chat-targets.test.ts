import { beforeEach, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, storyOf } from '../../../test/outside.ts'
import { type Scripted, startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const chat = await startHttpReceiver()
const h = useHarness(allowing(chat.port), { worker: true })
/** What the chats of two people answer. */
let answers: Record<string, Scripted> = {}
// Messages of another test may still be tried.
let round = 0
const pathOf = (who: string) => `/${round}-${who}?wait=true`
beforeEach(() => {
  answers = {}
  round += 1
  chat.requests.length = 0
  chat.answer = ({ url }) => answers[url] ?? {}
})
const callsTo = (who: string) => chat.requests.filter(({ url }) => url === pathOf(who)).length

const reach = (env: Client, who: string) =>
  env.put(`/v1/subscribers/${who}/credentials`, {
    providerId: 'discord',
    credentials: { webhookUrl: `${chat.url}/${round}-${who}` },
  })
async function make(): Promise<Client> {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [{ name: 'chat', type: 'chat', controlValues: { body: 'Hi' } }] })
  for (const subscriberId of ['ada', 'bob']) {
    await env.post('/v2/subscribers', { subscriberId })
    expect((await reach(env, subscriberId)).status).toBe(200)
  }
  return env
}
async function send(env: Client, to: string) {
  const { transactionId } = await trigger(env, { to })
  return async () => (await storyOf(env, transactionId)).messages[0]
}
/** Discord's reply to `wait=true`. */
const taken: Scripted = { json: { id: '1' } }

test('a 429 of one chat holds back what goes there, and nothing else', async () => {
  const env = await make()
  answers = { [pathOf('ada')]: { status: 429, headers: { 'retry-after': '8' }, json: {} }, [pathOf('bob')]: taken }
  const first = await send(env, 'ada')
  await expect.poll(() => callsTo('ada')).toBe(1)
  await expect.poll(async () => (await first()).errorId).toBe('delivery_pending')
  const later = [await send(env, 'ada'), await send(env, 'ada')]
  const others = await Promise.all(Array.from({ length: 5 }, () => send(env, 'bob')))
  await expect.poll(() => callsTo('bob')).toBe(5)
  for (const story of others) await expect.poll(async () => (await story()).status).toBe('sent')
  // Nobody knocked again meanwhile; then each has its turn.
  expect(callsTo('ada')).toBe(1)
  answers[pathOf('ada')] = taken
  for (const story of [first, ...later]) {
    await expect.poll(async () => (await story()).status, { timeout: 20_000 }).toBe('sent')
  }
  expect(callsTo('ada')).toBe(4)
})

test('a chat that no longer exists is not called again, until it is given anew', async () => {
  const env = await make()
  answers = { [pathOf('ada')]: { status: 404, json: { message: 'Unknown Webhook', code: 10_015 } } }
  const first = await send(env, 'ada')
  await h.settled()
  expect(await first()).toMatchObject({ status: 'error', errorId: 'provider_rejected' })
  const second = await send(env, 'ada')
  await h.settled()
  expect(await second()).toMatchObject({ status: 'error', errorText: expect.stringContaining('no longer exists') })
  expect(callsTo('ada')).toBe(1)
  answers[pathOf('ada')] = taken
  await reach(env, 'ada')
  const third = await send(env, 'ada')
  await h.settled()
  expect(await third()).toMatchObject({ status: 'sent' })
})

test('a chat whose address refuses us or is dead is no reason to doubt the others', async () => {
  const env = await make()
  answers = { [pathOf('ada')]: 'accept then reset', [pathOf('bob')]: taken }
  await Promise.all(Array.from({ length: 25 }, () => send(env, 'ada')))
  await expect.poll(() => callsTo('ada')).toBeGreaterThanOrEqual(25)
  const story = await send(env, 'bob')
  await expect.poll(async () => (await story()).status, { timeout: 5_000 }).toBe('sent')
})
