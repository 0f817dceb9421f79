import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Client, useHarness } from '../../test/harness.ts'
import { emailStep, emailWebhook, makeIntegration } from '../../test/outside.ts'
import { makeWorkflow, messagesBySubscriber, trigger } from '../../test/pipeline.ts'
import type { Task } from '../engine/define-task.ts'
import type { TaskData } from '../engine/engine.ts'
import { oneAtATime } from '../store/one-at-a-time.ts'
import advanceNotifications from './advance-notifications.ts'
import expandEvents from './expand-events.ts'
import sweepDeadTasks from './sweep-dead-tasks.ts'
import sweepEvents from './sweep-events.ts'
import sweepNotifications from './sweep-notifications.ts'
import wakeJobs from './wake-jobs.ts'

/** No worker: the test itself takes tasks, runs them or loses them. */
const h = useHarness({ AT_ONCE_PEOPLE: '0' })

/** Takes all tasks of a queue and runs them. Returns how many there were. */
async function runAll(task: Task): Promise<number> {
  const taken = await h.ctx.engine.boss.fetch<TaskData>(task.name, { batchSize: 100 })
  for (const { data } of taken) await task.run(h.ctx, [data], { again: false })
  await h.ctx.engine.boss.complete(task.name, taken)
  return taken.length
}

async function later<T>(minutes: number, work: () => Promise<T>): Promise<T> {
  h.ctx.clock = () => new Date(Date.now() + minutes * 60_000)
  try {
    return await work()
  } finally {
    h.ctx.clock = () => new Date()
  }
}

/** Two people wait; of one the delay is over. */
async function startWaiting(env: Client): Promise<void> {
  const steps = [
    { name: 'Wait', type: 'delay', controlValues: { type: 'scheduled', delayPath: 'payload.until' } },
    { name: 'Inbox', type: 'in_app', controlValues: { body: 'late' } },
  ]
  await makeWorkflow(env, 'hello', { steps })
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  await trigger(env, { to: 'soon', payload: { until: at(0.01) } })
  await trigger(env, { to: 'late', payload: { until: at(5) } })
  expect(await runAll(expandEvents)).toBe(2)
  await later(1, () => wakeJobs.run(h.ctx))
}

test('events without a task are queued again, those with one are not', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  for (const to of ['ada', 'eve']) await trigger(env, { to })
  await sql`delete from pgboss.job where id = (select id from pgboss.job where name = 'expand-events' order by created_on limit 1)`.execute(
    h.admin,
  )
  await later(1, () => sweepEvents.run(h.ctx))
  await later(1, () => sweepEvents.run(h.ctx))
  expect(await runAll(expandEvents)).toBe(2)
  expect(await messagesBySubscriber(env)).toEqual({ ada: 1, eve: 1 })
})

test('a step whose wait is over and whose task is lost goes on, and one that still waits does not', async () => {
  const env = await h.environment()
  await startWaiting(env)
  await h.ctx.engine.boss.deleteAllJobs('advance-notifications')
  expect(await later(3, () => sweepNotifications.run(h.ctx))).toBe(0)
  const { rows } = await sql<{ ids: string[] }>`select data->'notificationIds' as ids from pgboss.job
    where name = 'advance-notifications'`.execute(h.admin)
  expect(rows.flatMap((row) => row.ids)).toHaveLength(1)
  await later(3, () => sweepNotifications.run(h.ctx))
  expect(await runAll(advanceNotifications)).toBe(1)
  expect(await messagesBySubscriber(env)).toEqual({ soon: 1 })
})

test('a message whose task is lost is woken by its own timer', async () => {
  const env = await h.environment()
  await makeIntegration(env, emailWebhook('https://example.com/'))
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await trigger(env, { to: { subscriberId: 'ada', email: 'ada@example.com' } })
  await runAll(expandEvents)
  await h.ctx.engine.boss.deleteAllJobs('deliver-messages')
  expect(await later(31, () => wakeJobs.run(h.ctx))).toBe(1)
  expect(await h.ctx.engine.boss.fetch('deliver-messages')).toHaveLength(1)
})

test('a task that an older version gave up because its processes died is put back, after a while; one that threw is not', async () => {
  const enqueue = (data: TaskData) => h.ctx.engine.enqueue(h.admin, 'expand-events', 'bulk', [data])
  for (const [id, message] of [
    ['died', 'job heartbeat timeout'],
    ['threw', 'Error: a fault of ours'],
  ]) {
    await enqueue({ environmentId: 'e', eventIds: [id] })
    await sql`update pgboss.job set retry_limit = 2, retry_count = 2 where name = 'expand-events'`.execute(h.admin)
    const [task] = await h.ctx.engine.boss.fetch('expand-events')
    await h.ctx.engine.boss.fail('expand-events', task?.id ?? '', { value: { message } })
  }
  const put = async (age: string) => {
    await sql`update pgboss.job set created_on = created_on - ${age}::interval where name = 'dead-letters'`.execute(
      h.admin,
    )
    return sweepDeadTasks.run(h.ctx)
  }
  expect(await put('30 s')).toBe(0)
  expect(await put('2 min')).toBe(1)
  const back = await h.ctx.engine.boss.fetch<TaskData>('expand-events', { batchSize: 9 })
  expect(back.map((it) => it.data)).toEqual([{ environmentId: 'e', eventIds: ['died'], tried: { died: 3 } }])
})

test('of two processes that sweep at the same time one does', async () => {
  const inner = () => oneAtATime(h.admin, 'test', async () => 'inner', 'another one does')
  expect(await oneAtATime(h.admin, 'test', inner, '')).toBe('another one does')
  expect(await inner()).toBe('inner')
})
