import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Client, testConfig, useHarness } from '../../test/harness.ts'
import { makeWorkflow, trigger } from '../../test/pipeline.ts'
import type { TaskData } from '../engine/engine.ts'
import advanceNotifications from '../tasks/advance-notifications.ts'
import expandEvents from '../tasks/expand-events.ts'
import sweepEvents from '../tasks/sweep-events.ts'
import wakeJobs from '../tasks/wake-jobs.ts'
import { runProgram } from './cli/run-program.ts'

/** No worker: the test itself takes tasks, and gives them up. */
const h = useHarness({ AT_ONCE_PEOPLE: '0' })

async function tasks(...args: string[]): Promise<string> {
  const said: string[] = []
  await runProgram(['tasks', ...args], {
    settings: () => testConfig({ DATABASE_URL: h.databaseUrl }),
    print: (line) => said.push(line),
  })
  return said.join('\n')
}

async function take(queue: string): Promise<{ id: string; data: TaskData }[]> {
  return h.ctx.engine.boss.fetch<TaskData>(queue)
}

/** Takes a task and gives it up. */
async function giveUp(queue: string): Promise<void> {
  await sql`update pgboss.job set retry_limit = 0, data = data || '{"tried":{"failed":2}}' where name = ${queue}`.execute(
    h.admin,
  )
  const [task] = await take(queue)
  await h.ctx.engine.boss.fail(queue, task?.id ?? '', { message: 'refused by a test' })
}

async function statuses(env: Client): Promise<string[]> {
  const { rows } = await sql<{ status: string }>`select status from job where environment_id = ${env.environmentId}
    order by step_index`.execute(h.admin)
  return rows.map((row) => row.status)
}

test('what is no task is refused', async () => {
  await expect(tasks('retry', '0b5c9f2e-6a3d-4c1e-9f63-0c7d1f2a3b4c')).rejects.toThrow('No task')
  await expect(tasks('drop', 'all')).rejects.toThrow('No task')
  await expect(tasks('drop')).rejects.toThrow("Missing required argument 'task-id'")
})

test('an event given up is listed with its reason, put back with a fresh count, and canceled when it is dropped', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const { transactionId } = await trigger(env, { to: 'ada' })
  await giveUp('expand-events')
  const listed = await tasks('list')
  const about = `expand-events  environment ${env.environmentId}  1 event  for 1 s  given up: refused by a test`
  expect(listed.replace(/for \d+ s/, 'for 1 s')).toMatch(new RegExp(`^[0-9a-f-]{36}  ${about}$`))
  const id = listed.slice(0, 36)

  await tasks('retry', id)
  const [again] = await take('expand-events')
  expect(again?.data).toEqual({ environmentId: env.environmentId, eventIds: [expect.any(String)] })
  await sql`update pgboss.job set state = 'retry' where name = 'expand-events' and state = 'active'`.execute(h.admin)
  await giveUp('expand-events')

  expect(await tasks('drop', (await tasks('list')).slice(0, 36))).toBe(
    'Dropped. Its events are canceled: nobody else is notified by them.',
  )
  h.ctx.clock = () => new Date(Date.now() + 60_000)
  await sweepEvents.run(h.ctx)
  h.ctx.clock = () => new Date()
  expect(await take('expand-events')).toEqual([])
  const { rows } = await sql`select state from event where transaction_id = ${transactionId}`.execute(h.admin)
  expect(rows).toEqual([{ state: 'canceled' }])
})

test('steps given up after a wait are canceled when their task is dropped', async () => {
  const env = await h.environment()
  const steps = [
    { name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'seconds' } },
    { name: 'Inbox', type: 'in_app', controlValues: { body: 'late' } },
  ]
  await makeWorkflow(env, 'hello', { steps })
  await trigger(env, { to: 'ada' })
  const [task] = await take('expand-events')
  await expandEvents.run(h.ctx, task ? [task.data] : [], { again: false })
  h.ctx.clock = () => new Date(Date.now() + 60_000)
  await wakeJobs.run(h.ctx)
  h.ctx.clock = () => new Date()
  expect(await statuses(env)).toEqual(['completed', 'pending'])
  await giveUp('advance-notifications')
  const id = (await tasks('list')).slice(0, 36)
  expect(await tasks('drop', id)).toBe('Dropped. The steps that waited are canceled.')
  expect(await statuses(env)).toEqual(['completed', 'canceled'])
  expect(advanceNotifications.split?.({ environmentId: 'e', notificationIds: ['1', '2'] })).toHaveLength(2)
})

test('a task whose process died three times is listed, and need not wait for its time', async () => {
  const data = { environmentId: 'e', eventIds: [], tried: { died: 2 } }
  await h.ctx.engine.enqueue(h.admin, 'expand-events', 'bulk', [data], { afterSeconds: 1_000 })
  await sql`update pgboss.job set retry_count = 1 where data->>'environmentId' = 'e'`.execute(h.admin)
  const listed = await tasks('list')
  expect(listed).toMatch(/its process died 3 times; tried again in 17 min$/)
  expect(await take('expand-events')).toEqual([])
  await tasks('retry', listed.slice(0, 36))
  expect(await take('expand-events')).toHaveLength(1)
})
