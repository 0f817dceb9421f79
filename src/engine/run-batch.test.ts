import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type Client, useHarness } from '../../test/harness.ts'
import { makeWorkflow, messagesBySubscriber } from '../../test/pipeline.ts'
import { EncryptionKeyUnavailable } from '../lib/seal.ts'
import { inTransaction, isDatabaseUnavailable } from '../store/database.ts'
import { countConservation } from '../store/history/conservation.ts'
import { findStrandedEvents } from '../store/history/stranded.ts'
import expandEvents from '../tasks/expand-events.ts'
import sweepEvents from '../tasks/sweep-events.ts'
import watchDeadLetters from '../tasks/watch-dead-letters.ts'
import type { Task } from './define-task.ts'
import type { TaskData, Tried } from './engine.ts'
import { type Replacement, runBatch } from './run-batch.ts'

const h = useHarness({ AT_ONCE_PEOPLE: '0' }, { worker: true })

/** PostgreSQL refuses the notifications of events with this transactionId, with this SQLSTATE. */
async function poison(transactionId: string, code: string, times = 1_000): Promise<void> {
  await sql.raw(`create sequence tries_${transactionId}`).execute(h.admin)
  await sql
    .raw(`create function poison_${transactionId}() returns trigger language plpgsql as $$ begin
      if new.transaction_id = '${transactionId}' and nextval('tries_${transactionId}') <= ${times} then
        raise exception 'poisoned %', new.transaction_id using errcode = '${code}';
      end if;
      return new; end $$`)
    .execute(h.admin)
  await sql
    .raw(`create trigger poison_${transactionId} before insert on notification
      for each row execute function poison_${transactionId}()`)
    .execute(h.admin)
}

function refusal(code: string): Error {
  return Object.assign(new pg.DatabaseError('refused', 1, 'error'), { code })
}

async function triesOf(transactionId: string): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select last_value::int as n from ${sql.table(`tries_${transactionId}`)}`.execute(h.admin)
  return rows[0]?.n ?? 0
}

/** Forty events in one request, hence in one task. */
async function triggerForty(env: Client, prefix: string, bad: number): Promise<void> {
  const events = Array.from({ length: 40 }, (_, n) => ({
    name: 'hello',
    to: `${prefix}${n}`,
    transactionId: n === bad ? prefix : `${prefix}-${n}`,
  }))
  const { body } = await env.post('/v1/events/trigger/bulk', { events })
  expect(new Set(body.map((it: { status: string }) => it.status))).toEqual(new Set(['processed']))
}

async function conservationOf(env: Client) {
  return (await countConservation(h.admin)).find((it) => it.environmentId === env.environmentId)
}

test('a poison event among good ones: those are delivered once, it is quarantined after three tries alone, and that is seen', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const lines: string[] = []
  h.ctx.log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  await poison('bad', 'P0001')
  await triggerForty(env, 'bad', 17)
  await h.drain()

  const counts = await messagesBySubscriber(env)
  expect(Object.keys(counts)).toHaveLength(39)
  expect(new Set(Object.values(counts))).toEqual(new Set([1]))
  const letters = await sql<{ data: { eventIds: string[]; tried: Tried }; reason: string }>`
    select data, source_output->>'message' as reason from pgboss.job
    where name = 'dead-letters' and data->>'environmentId' = ${env.environmentId}`.execute(h.admin)
  expect(letters.rows).toMatchObject([{ reason: expect.stringContaining('poisoned bad') }])
  expect(letters.rows[0]?.data.tried).toEqual({ failed: 2 })
  expect(letters.rows[0]?.data.eventIds).toHaveLength(1)
  expect(await conservationOf(env)).toMatchObject({
    waiting: 1,
    quarantined: 1,
    notifications: 39,
    jobs: 39,
    steps: 39,
  })
  expect(lines.join()).toContain('task quarantined: tried 3 times without progress')
  lines.length = 0
  await watchDeadLetters.run(h.ctx)
  expect(lines.join()).toContain('poisoned bad')

  // It is not tried for ever: the sweep leaves out quarantined events.
  const tries = await triesOf('bad')
  expect(await inTransaction(h.admin, (db) => findStrandedEvents(db, new Date(Date.now() + 60_000), 10))).toEqual([])
  h.ctx.clock = () => new Date(Date.now() + 60_000)
  await sweepEvents.run(h.ctx)
  h.ctx.clock = () => new Date()
  await h.drain()
  expect(await triesOf('bad')).toBe(tries)
})

test('a fault of the database is no try: the task goes on for as long as it takes', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  // 57P01: somebody ended our connection.
  await poison('sent_away', '57P01', 6)
  await triggerForty(env, 'sent_away', 3)
  await h.drain()
  expect(Object.keys(await messagesBySubscriber(env))).toHaveLength(40)
  expect(await conservationOf(env)).toMatchObject({ waiting: 0, quarantined: 0 })
})

test.each([
  { what: 'throws', error: new Error('a fault of ours'), tries: 3, seconds: 3 },
  { what: 'has a statement canceled for its time', error: refusal('57014'), tries: 10, seconds: 243 },
  { what: 'is the victim of a deadlock', error: refusal('40P01'), tries: 10, seconds: 243 },
  { what: 'finds the database away', error: refusal('57P01'), tries: Number.POSITIVE_INFINITY, seconds: 481 },
  {
    what: 'finds nobody there',
    error: Object.assign(new Error('refused'), { syscall: 'connect', code: 'ECONNREFUSED' }),
    tries: Number.POSITIVE_INFINITY,
    seconds: 481,
  },
])(
  'a task that always $what is quarantined after $tries tries, and waits the longer meanwhile',
  async ({ error, tries, seconds }) => {
    const task = { ...expandEvents, run: () => Promise.reject(error) }
    let data: TaskData = { environmentId: 'e', eventIds: ['1'] }
    let [tried, waited] = [0, 0]
    const requeue = {
      isDatabaseFault: isDatabaseUnavailable,
      replace: async ([only]: readonly Replacement[], afterSeconds: number) => {
        data = only?.by[0] as TaskData
        waited += afterSeconds
      },
    }
    for (let status = 'completed'; status === 'completed' && tried < 20; tried++) {
      const job = { id: '1', name: task.name, priority: 10, retryCount: 0, data }
      status = (await runBatch(h.ctx, task, [job], requeue))[0]?.status ?? ''
    }
    expect(tried).toBe(Math.min(tries, 20))
    expect(waited).toBe(seconds)
  },
)

test('a task whose encryption key is missing here holds up no other task that was taken with it', async () => {
  const job = (environmentId: string) => ({
    id: environmentId,
    name: 'expand-events',
    priority: 10,
    retryCount: 0,
    data: { environmentId, eventIds: ['1'] },
  })
  const replaced: (Tried | undefined)[] = []
  const requeue = {
    isDatabaseFault: isDatabaseUnavailable,
    replace: async (replacements: readonly Replacement[]) => {
      replaced.push(...replacements.flatMap(({ by }) => by.map((data) => data.tried)))
    },
  }
  const task: Task = {
    ...expandEvents,
    run: async (_, data) => {
      if (data.some(({ environmentId }) => environmentId === 'a')) throw new EncryptionKeyUnavailable('no key')
    },
  }
  const ended = await runBatch(h.ctx, task, [job('a'), job('b'), job('c')], requeue)
  expect(ended.map(({ id, result }) => [id, result])).toEqual([
    ['a', 'failed'],
    ['b', 'completed'],
    ['c', 'completed'],
  ])
  expect(replaced).toEqual([{ away: 1 }])
})

test('what took its process down before runs alone: those taken with it go back as they are, and what it carries is parted', async () => {
  const job = (id: string, retryCount: number, eventIds: string[], tried?: Tried) => ({
    id,
    name: 'expand-events',
    priority: 10,
    retryCount,
    data: { environmentId: 'e', eventIds, ...(tried && { tried }) },
  })
  const ran: unknown[] = []
  const replaced: unknown[] = []
  const requeue = {
    isDatabaseFault: () => false,
    replace: async (replacements: readonly Replacement[]) => {
      replaced.push(...replacements.map((it) => [it.job.id, it.by.map((data) => [data.eventIds, data.tried?.died])]))
    },
  }
  const task: Task = {
    ...expandEvents,
    run: async (_, data, { freeWorker }) => {
      ran.push(data)
      freeWorker?.()
    },
  }

  const many = await runBatch(h.ctx, task, [job('fresh', 0, ['1', '2']), job('again', 1, ['3', '4'])], requeue)
  expect(ran).toEqual([])
  expect(replaced).toEqual([
    [
      'again',
      [
        [['3'], undefined],
        [['4'], undefined],
      ],
    ],
    ['fresh', [[['1', '2'], undefined]]],
  ])
  expect(many.map((it) => it.status)).toEqual(['completed', 'completed'])
  const three = [job('fresh', 0, ['1']), job('again', 1, ['3'], { died: 2 }), job('worst', 2, ['4'], { died: 2 })]
  let freed = 0
  await runBatch(h.ctx, task, three, requeue, () => freed++)
  expect(freed).toBe(1)
  expect(ran).toEqual([[{ environmentId: 'e', eventIds: ['4'] }]])
  expect(replaced.slice(2)).toEqual([
    ['fresh', [[['1'], undefined]]],
    ['again', [[['3'], 3]]],
  ])
})
