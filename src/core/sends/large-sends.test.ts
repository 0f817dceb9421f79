import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { allowing, emailStep } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import {
  act,
  bounded,
  broadcast,
  inState,
  makeMailing,
  makePeople,
  sendOf,
  until,
} from '../../../test/sends/make-sends.ts'

const provider = await startHttpReceiver()
const h = useHarness(allowing(provider.port), { worker: true })
const ok = { status: 200, json: { id: 'x' } }
const refused = { status: 422, json: { message: 'no' } }

beforeEach(() => {
  provider.requests.length = 0
  provider.answer = ok
})

test('a large send begins with a few, waits for a person, and goes on to everybody', async () => {
  const env = await h.environment()
  await makePeople(h, env, 1_500)
  await makeMailing(env, provider.url, [emailStep])
  await bounded(env, { canaryFrom: 1_000 })
  const id = await broadcast(env)
  const waiting = await until(env, id, inState('waiting'))
  expect(waiting).toMatchObject({
    kind: 'broadcast',
    reason: 'canary',
    resumesAt: null,
    canaryPeople: 100,
    guarded: true,
    people: { total: 1_500, written: 100, left: 1_400, leftOut: 0 },
    messages: { sent: 100, waiting: 0 },
    may: { pause: true, resume: true, cancel: true },
  })
  expect(provider.requests).toHaveLength(100)
  await act(env, id, 'resume')
  const done = await until(env, id, inState('done'))
  expect(done).toMatchObject({
    people: { total: 1_500, written: 1_500, left: 0 },
    messages: { sent: 1_500, waiting: 0 },
  })
  expect(provider.requests).toHaveLength(1_500)
  expect(done.history.map((line: { state: string }) => line.state)).toEqual(['canary', 'waiting', 'running', 'done'])
})

test('after the time that is set it goes on by itself', async () => {
  const env = await h.environment()
  await makePeople(h, env, 500)
  await makeMailing(env, provider.url, [emailStep])
  await bounded(env, { canaryFrom: 300, canaryAtLeast: 20, goesOn: 'time', goesOnAfterSeconds: 1 })
  const done = await until(env, await broadcast(env), inState('done'))
  expect(done.messages.sent).toBe(500)
  expect(done.history.map((line: { state: string }) => line.state)).toEqual(['canary', 'waiting', 'running', 'done'])
})

test('a provider that begins to refuse stops it, and it goes on when it takes mails again', async () => {
  const env = await h.environment()
  await makePeople(h, env, 3_000)
  await makeMailing(env, provider.url, [emailStep])
  await bounded(env, { canaryFrom: 1_000, failuresPercent: 5 })
  provider.answer = () => (provider.requests.length > 400 ? refused : ok)
  const id = await broadcast(env)
  await until(env, id, inState('waiting'))
  await act(env, id, 'resume')
  const paused = await until(env, id, inState('paused'))
  expect(paused).toMatchObject({ reason: 'failures', may: { resume: true, pause: false } })
  expect(paused.reasonText).toMatch(/^\d+ of the last \d+ messages \(email\) failed, [\d.]+ %; the bound is 5 %$/)
  await expect.poll(async () => (await openTries(env.environmentId)).length).toBe(0)
  const asked = provider.requests.length
  const stopped = await sendOf(env, id)
  expect(stopped.messages.sent + stopped.messages.failed).toBe(asked)
  expect(stopped.messages.failed).toBeLessThan(600)
  provider.answer = ok
  await act(env, id, 'resume')
  const done = await until(env, id, inState('done'))
  expect(done.messages.sent + done.messages.failed).toBe(3_000)
  expect(done.messages.failed).toBe(stopped.messages.failed)
  expect(provider.requests).toHaveLength(3_000)
})

test('nothing begins once a pause is answered, and everything goes on after it', async () => {
  const env = await h.environment()
  await makePeople(h, env, 3_000)
  await makeMailing(env, provider.url, [emailStep])
  provider.answer = () => ({ ...ok, delayMs: 20 })
  const id = await broadcast(env)
  await expect.poll(() => provider.requests.length).toBeGreaterThan(100)
  await act(env, id, 'pause', { note: 'wrong subject' })
  await expect.poll(async () => (await openTries(env.environmentId)).length).toBe(0)
  const asked = provider.requests.length
  expect(asked).toBeLessThan(3_000)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(provider.requests).toHaveLength(asked)
  const paused = await sendOf(env, id)
  expect(paused).toMatchObject({ state: 'paused', reason: 'person', reasonText: 'wrong subject' })
  expect(paused.messages.sent).toBe(asked)
  expect(await act(env, id, 'pause')).toMatchObject({ state: 'paused' })
  await act(env, id, 'resume')
  expect((await act(env, id, 'resume')).state).toBe('running')
  const done = await until(env, id, inState('done'))
  expect(done.messages).toMatchObject({ sent: 3_000, waiting: 0 })
  expect(provider.requests).toHaveLength(3_000)
  expect((await env.post(`/v1/sends/${id}/pause`, {})).status).toBe(409)
})

test('a canceled one, paused before, accounts for everybody', async () => {
  const env = await h.environment()
  await makePeople(h, env, 3_000)
  await makeMailing(env, provider.url, [emailStep])
  provider.answer = () => ({ ...ok, delayMs: 20 })
  const id = await broadcast(env)
  await expect.poll(() => provider.requests.length).toBeGreaterThan(50)
  await act(env, id, 'pause')
  await act(env, id, 'cancel', { note: 'never' })
  const canceled = await until(env, id, inState('canceled'))
  const { people, messages } = canceled
  expect(people.written + people.leftOut).toBe(3_000)
  expect(messages.sent + messages.canceled).toBe(people.written)
  expect(messages.waiting).toBe(0)
  expect(provider.requests).toHaveLength(messages.sent)
  const { rows } = await sql`select 1 from held_item where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(rows).toEqual([])
})

async function openTries(environmentId: string) {
  const { rows } = await sql`
    select 1 from message where environment_id = ${environmentId} and in_flight`.execute(h.admin)
  return rows
}
