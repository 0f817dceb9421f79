import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Client, useHarness } from '../../test/harness.ts'
import { makeWorkflow, trigger } from '../../test/pipeline.ts'
import { plantWaiting } from '../../test/waiting-week.ts'
import { ensurePartitions } from '../store/history/partitions.ts'
import dropPartitions from './drop-partitions.ts'

const h = useHarness({}, { worker: true })
const dayMs = 24 * 3600 * 1000
// A million takes some minutes: TEST_RETENTION_ROWS=1000000.
const waiting = Number(process.env.TEST_RETENTION_ROWS ?? 10_000)

/** A week of long ago in which that many wait. */
async function plantWeek(env: Client, days: number, count: number): Promise<void> {
  const time = new Date(Date.now() - days * dayMs)
  await ensurePartitions(h.admin, time, time)
  const { clock } = h.ctx
  h.ctx.clock = () => time
  await trigger(env, { to: 'someone', transactionId: `of-${days}` })
  await h.drain()
  h.ctx.clock = clock
  await plantWaiting(h.admin, env.environmentId, `of-${days}`, count)
  await sql`analyze event, notification, job`.execute(h.admin)
}

/** The longest that an insert into today's week waited meanwhile. */
async function longestInsertMs(work: () => Promise<unknown>): Promise<{ longestMs: number; seconds: number }> {
  const began = performance.now()
  let over = false
  let longestMs = 0
  const working = work().finally(() => {
    over = true
  })
  while (!over) {
    const since = performance.now()
    await sql`insert into notification (environment_id, id, event_id, transaction_id, subscriber_id, workflow_id, workflow_version)
      select gen_random_uuid(), (left(uuid_at(now())::text, 14) || right(gen_random_uuid()::text, 22))::uuid, gen_random_uuid(),
        'probe', gen_random_uuid(), gen_random_uuid(), 1`.execute(h.admin)
    longestMs = Math.max(longestMs, performance.now() - since)
    await sleep(5)
  }
  await working
  return { longestMs, seconds: (performance.now() - began) / 1000 }
}

test('retention makes nobody wait, however many long delays a week holds', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await plantWeek(env, 100, waiting)
  const run = await longestInsertMs(async () => {
    while ((await dropPartitions.run(h.ctx)) > 0);
  })
  // As few as are moved under the lock.
  await plantWeek(env, 120, 499)
  const few = await longestInsertMs(async () => {
    for (let n = 0; n < 3 && (await dropPartitions.run(h.ctx)) > 0; n++);
  })
  console.log(
    `${waiting} waiting: an insert waited ${run.longestMs.toFixed(0)} ms at most (${run.seconds.toFixed(0)} s); a week dropped with 500 of them: ${few.longestMs.toFixed(0)} ms`,
  )
  // On a crowded machine an insert waits although nobody holds a lock.
  const { longestMs: anyway } = await longestInsertMs(() => sleep(5_000))
  expect(run.longestMs).toBeLessThan(1_000 + 3 * anyway)
  expect(few.longestMs).toBeLessThan(1_000 + 3 * anyway)
}, 1_800_000)
