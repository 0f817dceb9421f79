import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'
import { act, bounded, makePeople, sendOf } from '../../../test/sends/make-sends.ts'
import { envOf } from '../../store/database.ts'
import { expandEvents } from '../pipeline/expand-events.ts'

/** Without a worker: who expands, and when, is said here. */
const h = useHarness()
const people = 900

async function begin(bounds: object = {}) {
  const env = await h.environment()
  await makePeople(h, env, people)
  await makeWorkflow(env)
  await bounded(env, bounds)
  const { body } = await env.post('/v1/events/trigger/broadcast', { name: 'hello' })
  const id: string = body.transactionId
  const { eventId } = await sendOf(env, id)
  const expand = () => expandEvents(h.ctx, envOf(env.environmentId), [eventId], Number.POSITIVE_INFINITY)
  return { env, id, expand }
}

async function notified({ environmentId }: Client) {
  const { rows } = await sql<{ rows: number; people: number }>`
    select count(*)::int as rows, count(distinct subscriber_id)::int as people from notification
    where environment_id = ${environmentId}`.execute(h.admin)
  return rows[0]
}

test('one that is paused before its first page reaches nobody, and begins as a canary all the same', async () => {
  const { env, id, expand } = await begin({ canaryFrom: 500, canaryAtLeast: 50 })
  const paused = await act(env, id, 'pause')
  expect(paused).toMatchObject({ state: 'paused', canaryPeople: 50, people: { total: people, written: 0 } })
  await expand()
  expect(await notified(env)).toEqual({ rows: 0, people: 0 })
  expect(await act(env, id, 'resume')).toMatchObject({ state: 'canary', reason: 'canary' })
  await expand()
  await expand()
  expect(await notified(env)).toEqual({ rows: 50, people: 50 })
  await act(env, id, 'resume')
  await expand()
  expect(await notified(env)).toEqual({ rows: people, people })
})

test('no page is written once a pause is answered, wherever the expansion is; nobody is reached twice after it', async () => {
  for (const after of [0, 5, 20, 60, 120]) {
    const { env, id, expand } = await begin()
    const running = expand().catch((error: unknown) => error)
    await new Promise((resolve) => setTimeout(resolve, after))
    const paused = await act(env, id, 'pause').catch(() => null)
    const written = paused?.people.written
    await running
    if (paused) expect(await notified(env)).toEqual({ rows: written, people: written })
    if (paused) await act(env, id, 'resume')
    await expand()
    expect(await notified(env)).toEqual({ rows: people, people })
  }
})

test('a cancel while pages are written accounts for everybody', async () => {
  const { env, id, expand } = await begin()
  const running = expand().catch((error: unknown) => error)
  await new Promise((resolve) => setTimeout(resolve, 30))
  await env.delete(`/v1/events/trigger/${id}`)
  await running
  const { people: shown, state } = await sendOf(env, id)
  expect(state).toBe('canceled')
  expect((await notified(env))?.rows).toBe(shown.written)
  // Nobody counted for how many it was before its first page.
  if (shown.written > 0) expect(shown.written + shown.leftOut).toBe(people)
})
