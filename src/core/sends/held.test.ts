import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { trigger } from '../../../test/pipeline.ts'
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
import { envOf } from '../../store/database.ts'
import { watchSend } from './watch-send.ts'

/** What a stopped send holds: retries, steps that wait, digests; and who looks at it. */
const provider = await startHttpReceiver()
const h = useHarness(allowing(provider.port), { worker: true })
const ok = { status: 200, json: { id: 'x' } }
const wait = { name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'seconds' } }
const people = ['ann', 'bob'].map((name) => ({ subscriberId: name, email: `${name}@example.org` }))

beforeEach(() => {
  provider.requests.length = 0
  provider.answer = ok
})

async function heldOf({ environmentId }: Client): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from held_item where environment_id = ${environmentId} order by kind`.execute(h.admin)
  return rows.map(({ kind }) => kind)
}

async function timesOf(env: Client): Promise<{ retry_at: Date | null; expires_at: Date }> {
  const { rows } = await sql<{ retry_at: Date | null; expires_at: Date }>`
    select retry_at, expires_at from message where environment_id = ${env.environmentId}`.execute(h.admin)
  return rows[0] as { retry_at: Date | null; expires_at: Date }
}

test('an event to named people that waits is paused, and its next step comes when it goes on', async () => {
  const env = await h.environment()
  await makeMailing(env, provider.url, [wait, emailStep])
  const { transactionId: id } = await trigger(env, { name: 'news', to: people })
  await expect.poll(async () => (await sendOf(env, id)).people.written).toBe(2)
  const paused = await act(env, id, 'pause')
  expect(paused).toMatchObject({ state: 'paused', kind: 'list', people: { written: 2 }, guarded: false })
  await expect.poll(() => heldOf(env), { timeout: 5_000 }).toEqual(['notification', 'notification'])
  expect(provider.requests).toHaveLength(0)
  await act(env, id, 'resume')
  const done = await until(env, id, inState('done'))
  expect(done.messages).toMatchObject({ sent: 2, waiting: 0 })
  expect(provider.requests).toHaveLength(2)
  expect(await heldOf(env)).toEqual([])
  const { jobs } = await storyOf(env, id)
  expect(jobs.map((job: Json) => job.status)).toEqual(['completed', 'completed'])
})

test('a retry that comes due while it stands still waits, and the time it stood is added to its life', async () => {
  const env = await h.environment()
  await makeMailing(env, provider.url, [emailStep])
  provider.answer = { status: 503, json: {} }
  const { transactionId: id } = await trigger(env, { name: 'news', to: people[0] })
  await expect.poll(() => provider.requests.length).toBe(1)
  await act(env, id, 'pause')
  await expect.poll(() => heldOf(env), { timeout: 10_000 }).toEqual(['message'])
  const before = await timesOf(env)
  expect(before.retry_at).toBeNull()
  const asked = provider.requests.length
  provider.answer = ok
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(provider.requests).toHaveLength(asked)
  await act(env, id, 'resume')
  await until(env, id, inState('done'))
  const added = (await timesOf(env)).expires_at.getTime() - before.expires_at.getTime()
  expect(added).toBeGreaterThan(1_400)
  expect(added).toBeLessThan(15_000)
  expect(provider.requests).toHaveLength(asked + 1)
})

test('an expired message of a stopped send does not end while it stands', async () => {
  const env = await h.environment()
  await makeMailing(env, provider.url, [emailStep])
  provider.answer = { status: 503, json: {} }
  const { transactionId: id } = await trigger(env, { name: 'news', to: people[0] })
  await expect.poll(() => provider.requests.length).toBe(1)
  await act(env, id, 'pause')
  await sql`update message set expires_at = now() where environment_id = ${env.environmentId} and not in_flight`.execute(
    h.admin,
  )
  await expect.poll(() => heldOf(env), { timeout: 10_000 }).toEqual(['message'])
  expect((await sendOf(env, id)).messages).toMatchObject({ waiting: 1, dead: 0 })
})

test('a digest that a paused event opened waits with it; when that one is canceled it goes out for the others', async () => {
  const env = await h.environment()
  const gather = { name: 'Gather', type: 'digest', controlValues: { amount: 2, unit: 'seconds', type: 'regular' } }
  await makeMailing(env, provider.url, [gather, emailStep])
  const { transactionId: first } = await trigger(env, { name: 'news', to: people[0] })
  await h.drain()
  const { transactionId: second } = await trigger(env, { name: 'news', to: people[0] })
  await act(env, first, 'pause')
  await expect.poll(() => heldOf(env), { timeout: 10_000 }).toEqual(['notification'])
  expect(provider.requests).toHaveLength(0)
  await act(env, first, 'cancel')
  await expect.poll(() => provider.requests.length, { timeout: 10_000 }).toBe(1)
  await until(env, first, inState('canceled'))
  expect((await sendOf(env, second)).state).not.toBe('canceled')
})

test('two nodes that judge at the same moment stop it once', async () => {
  const env = await h.environment()
  await makePeople(h, env, 900)
  await makeMailing(env, provider.url, [emailStep])
  await bounded(env, { canaryFrom: 300, canaryAtLeast: 100 })
  provider.answer = { status: 422, json: {} }
  const id = await broadcast(env)
  const { eventId } = await sendOf(env, id)
  const judge = () => watchSend(h.ctx, envOf(env.environmentId), eventId)
  const paused = await until(env, id, (send) => {
    void Promise.all([judge(), judge(), judge(), judge()])
    return send.state === 'paused'
  })
  await Promise.all([judge(), judge(), judge(), judge()])
  expect(paused.history.map((line: Json) => line.state)).toEqual(['canary', 'paused'])
  const isSettled = async () => {
    const { failed, waiting } = (await sendOf(env, id)).messages
    return failed + waiting === 100 && failed === provider.requests.length
  }
  await expect.poll(isSettled).toBe(true)
  const { failed } = (await sendOf(env, id)).messages
  // Whoever resumes it goes on to everybody, and it is judged by what happens from then on.
  provider.answer = ok
  await act(env, id, 'resume')
  expect((await until(env, id, inState('done'))).messages).toMatchObject({ sent: 900 - failed, failed })
})

test('the counts of a send are what its rows say, and who changed it is in the record', async () => {
  const env = await h.environment()
  await makePeople(h, env, 400)
  await makeMailing(env, provider.url, [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } }, emailStep])
  await sql`update subscriber set email = null where environment_id = ${env.environmentId} and subscriber_id like 'p1%'`.execute(
    h.admin,
  )
  provider.answer = () => (provider.requests.length % 4 === 0 ? { status: 422, json: {} } : ok)
  const id = await broadcast(env)
  await act(env, id, 'pause', { note: 'look again' })
  await act(env, id, 'resume')
  const done = await until(env, id, inState('done'))
  expect(done.channels.in_app.sent).toBe(400)
  expect(done.channels.email.failed).toBeGreaterThan(10)
  await sql`update send set counted = false where environment_id = ${env.environmentId}`.execute(h.admin)
  const { channels, messages, feedback, steps } = done
  expect(await sendOf(env, id)).toMatchObject({ channels, messages, feedback, steps })
  const { body } = await env.get('/v1/changes?limit=10')
  const actions = body.data.map((it: Json) => it.action)
  expect(actions).toEqual(expect.arrayContaining(['sends.pause', 'sends.resume']))
})

test('a send of an environment that was deleted meanwhile stands, and goes on when that is restored', async () => {
  const env = await h.environment()
  await makePeople(h, env, 900)
  await makeMailing(env, provider.url, [emailStep])
  await bounded(env, { canaryFrom: 300, goesOn: 'time', goesOnAfterSeconds: 1 })
  const id = await broadcast(env)
  await until(env, id, inState('waiting'))
  const set = (state: string) =>
    sql`update environment set state = ${state}, frozen_until = now() + interval '1 hour' where id = ${env.environmentId}`.execute(
      h.admin,
    )
  await set('frozen')
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(provider.requests).toHaveLength(100)
  await set('active')
  expect((await until(env, id, inState('done'))).messages.sent).toBe(900)
})
