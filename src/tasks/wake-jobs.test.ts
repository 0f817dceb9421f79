import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { type Client, useHarness } from '../../test/harness.ts'
import { makeWorkflow, messagesBySubscriber, trigger } from '../../test/pipeline.ts'
import type { Loop } from '../engine/define-loop.ts'
import { workTasks } from '../engine/work-tasks.ts'
import { startWorker } from '../engine/worker.ts'
import advanceNotifications from './advance-notifications.ts'
import expandEvents from './expand-events.ts'
import wakeJobs from './wake-jobs.ts'
import watchQueues from './watch-queues.ts'

const h = useHarness()
const never = 24 * 3_600_000

async function makeWaiting(env: Client): Promise<void> {
  const steps = [
    { name: 'Wait', type: 'delay', controlValues: { type: 'scheduled', delayPath: 'payload.until' } },
    { name: 'Inbox', type: 'in_app', controlValues: { body: 'late' } },
  ]
  await makeWorkflow(env, 'hello', { steps })
}

async function delaysOf(env: Client): Promise<Date[]> {
  const { rows } = await sql<{ run_at: Date }>`select run_at from job
    where environment_id = ${env.environmentId} and status = 'delayed' order by run_at`.execute(h.admin)
  return rows.map((row) => row.run_at)
}

test('a timer that is due before the sleeping loop would look again is woken on time, and not before', async () => {
  const env = await h.environment()
  await makeWaiting(env)
  let turns = 0
  // It never looks again by itself: only the signal can wake it.
  const loop: Loop = {
    ...wakeJobs,
    everyMs: never,
    restMs: never,
    async run(...args) {
      const done = await wakeJobs.run(...args)
      turns++
      return done
    },
  }
  await workTasks(h.ctx, [expandEvents, advanceNotifications])
  const worker = startWorker(h.ctx, [loop, watchQueues])
  try {
    await vi.waitFor(() => expect(turns).toBe(1), 30_000)
    await trigger(env, { to: 'late', payload: { until: new Date(Date.now() + never / 2).toISOString() } })
    await vi.waitFor(async () => expect(await delaysOf(env)).toHaveLength(1), 30_000)
    const until = new Date(Date.now() + 3_000)
    await trigger(env, { to: 'soon', payload: { until: until.toISOString() } })
    await vi.waitFor(async () => expect(await messagesBySubscriber(env)).toEqual({ soon: 1 }), 60_000)
    expect(Date.now()).toBeGreaterThanOrEqual(until.getTime())
    // Neither of the two moments that became known made it look in between.
    expect(turns).toBeLessThanOrEqual(4)
  } finally {
    await worker.stop()
    for (const taker of h.ctx.engine.takers) await taker.stop()
    h.ctx.engine.takers.clear()
  }
})

test('the next look is when the next timer is due, and soon after one was woken', async () => {
  const env = await h.environment()
  await makeWaiting(env)
  const { clock } = h.ctx
  await sql`delete from job where run_at is not null`.execute(h.admin)
  const at = new Date(Date.now() + never)
  await trigger(env, { to: 'ada', payload: { until: at.toISOString() } })
  const [task] = await h.ctx.engine.boss.fetch<{ environmentId: string }>('expand-events')
  await expandEvents.run(h.ctx, task ? [task.data] : [], { again: false })
  const rests: (number | undefined)[] = []
  const lookAt = (ms: number) => {
    h.ctx.clock = () => new Date(ms)
    return wakeJobs.run(h.ctx, (rest) => rests.push(rest))
  }
  try {
    expect(await delaysOf(env)).toEqual([at])
    expect(await lookAt(at.getTime() - 100)).toBe(0)
    expect(await lookAt(at.getTime() - 1)).toBe(0)
    expect(await lookAt(at.getTime())).toBe(1)
    expect(rests).toEqual([100, 1, 20])
  } finally {
    h.ctx.clock = clock
  }
})
