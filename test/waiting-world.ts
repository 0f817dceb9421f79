import { sql } from 'kysely'
import type { Ctx } from '../src/context.ts'
import type { TaskData } from '../src/engine/engine.ts'
import { deterministicId } from '../src/lib/deterministic-id.ts'
import eventsCancel from '../src/routes/events/cancel.ts'
import { type Database, type Db, type Env, inTransaction, openDatabase } from '../src/store/database.ts'
import { claimEventKeys, insertEvents } from '../src/store/history/events.ts'
import { findWorkflowsByIdentifier } from '../src/store/workflows.ts'
import advanceNotifications from '../src/tasks/advance-notifications.ts'
import expandEvents from '../src/tasks/expand-events.ts'
import wakeJobs from '../src/tasks/wake-jobs.ts'
import type { Client, Harness } from './harness.ts'
import type { ModelEvent } from './waiting-model.ts'

/** When the process dies: never, before its commit, or after its commit but before the task is completed. */
export type Crash = 'no' | 'before commit' | 'after commit'
export type QueuedTask = { name: string; data: TaskData }

class Died extends Error {}

export type WaitingWorld = Awaited<ReturnType<typeof openWaitingWorld>>

/**
 * The program's own tasks, loop and route on the real database. The test sets the clock, the queue is a list
 * (delivering at least once, in any order), and templates show their input.
 */
export async function openWaitingWorld(
  h: Harness,
  client: Client,
  names: readonly string[],
  pause?: () => Promise<void>,
) {
  const env: Env = { environmentId: client.environmentId, organizationId: client.organizationId, keyId: '' }
  const found = await findWorkflowsByIdentifier(h.admin, env, names)
  const workflows = new Map(found.map((workflow) => [workflow.identifier, workflow]))
  const queue: QueuedTask[] = []
  // No power failures are tested, so a commit need not wait for the disk.
  const url = `${h.databaseUrl}?options=${encodeURIComponent('-c synchronous_commit=off')}`
  const opened = openDatabase({ url, poolSize: 12, rowLevelSecurity: false, onError() {} })
  const database = pause ? withPauses(opened, pause) : opened
  const clock = { now: Date.now() }
  const people = new Map<string, string>()
  const fresh: string[] = []

  /** One process, which may die in the middle of its work. Tasks that it queued without a commit find no rows. */
  async function run(crash: Crash, work: (ctx: Ctx) => Promise<unknown>): Promise<boolean> {
    const ctx: Ctx = {
      ...h.ctx,
      database,
      clock: () => new Date(clock.now),
      renderer: { ...h.ctx.renderer, render: async (items) => items.map(({ scope }) => showMembers(scope)) },
      engine: {
        ...h.ctx.engine,
        async enqueue(_db, name, _lane, data) {
          if (crash === 'before commit') throw new Died()
          staged.push(...data.map((item) => ({ name, data: item })))
        },
      },
    }
    const staged: QueuedTask[] = []
    try {
      await work(ctx)
      return true
    } catch (error) {
      if (error instanceof Died) return false
      throw error
    } finally {
      queue.push(...staged)
    }
  }

  return {
    env,
    close: database.close,
    clock,
    queue,
    async accept(id: string, event: ModelEvent): Promise<void> {
      const workflow = workflows.get(event.workflow)
      if (!workflow) throw new Error(`no workflow ${event.workflow}`)
      const made = {
        id,
        transactionId: id,
        hash: Buffer.alloc(32),
        workflowId: workflow.id,
        workflowVersion: workflow.version,
        edition: null,
        payload: { n: event.n, key: event.key },
        overrides: {},
        attachments: [],
        recipients: event.people.map((subscriberId) => ({ subscriberId })),
        actor: null,
        tenant: null,
        context: null,
        contextKeys: null,
        notified: null,
        trace: null,
      }
      await database.write(env, async (db) => {
        await claimEventKeys(db, env, [made])
        await insertEvents(db, env, [made])
      })
      queue.push({ name: 'expand-events', data: { environmentId: env.environmentId, eventIds: [id] } })
    },
    /** False: the process died before it was done. */
    work: (tasks: readonly QueuedTask[], crash: Crash) =>
      run(crash, async (ctx) => {
        for (const [name, ofName] of Map.groupBy(tasks, (task) => task.name)) {
          const task = name === 'expand-events' ? expandEvents : advanceNotifications
          await task.run(
            ctx,
            ofName.map(({ data }) => data),
            { again: false },
          )
        }
      }),
    wake: (crash: Crash) => run(crash, (ctx) => wakeJobs.run(ctx)),
    async cancel(id: string): Promise<number> {
      const { handler, auth } = eventsCancel
      if (auth !== 'key') throw new Error('cancel needs a key')
      const now = new Date(clock.now)
      const unasked = {
        here: null,
        traceparent: undefined,
        query: {},
        body: {},
        prepared: undefined,
        outside: <T>(_key: string, work: () => Promise<T>) => work(),
      }
      const args = { ctx: h.ctx, env, home: env, now, params: { transactionId: id }, ...unasked }
      const reply = await database.write(env, (db) => handler({ ...args, db }))
      return (reply as { canceled: number }).canceled
    },
    /** New subscribers. Each is used once, so that nothing need be cleaned up between two seeds. */
    async newPeople(count: number): Promise<string[]> {
      if (fresh.length < count) fresh.push(...(await addPeople(database.db, env, people)))
      return fresh.splice(0, count)
    },
    internalId: (subscriberId: string) => people.get(subscriberId) ?? '',
    /** What these subscribers got, and what is still under way for them. */
    async look(whose: readonly string[]) {
      const { rows } = await sql<Seen>`
        with who as (select id, subscriber_id from subscriber
          where environment_id = ${env.environmentId} and subscriber_id = any(${whose})),
        own as (select n.* from who join notification n on n.environment_id = ${env.environmentId} and n.subscriber_id = who.id),
        jobs as (select j.* from own join job j on j.environment_id = ${env.environmentId} and j.notification_id = own.id)
        select
          (select coalesce(jsonb_agg(jsonb_build_object('who', who.subscriber_id, 'members', m.content::jsonb)), '[]')
            from who join message m on m.environment_id = ${env.environmentId} and m.subscriber_id = who.id) as messages,
          (select count(distinct notification_id)::int from jobs where type = 'throttle' and status = 'skipped'
            and details->-1->>'detail' like 'Throttled%') as skipped,
          (select count(distinct notification_id)::int from jobs where status = 'canceled') as canceled,
          (select count(*)::int from jobs where status in ('pending', 'queued', 'running', 'delayed')) as open,
          (select count(*)::int from who join digest_window w on w.environment_id = ${env.environmentId}
            and w.subscriber_id = who.id where w.kind = 'open') as windows`.execute(database.db)
      const [seen] = rows
      if (!seen) throw new Error('one row')
      return seen
    },
  }
}

/** Pauses after every statement, also within transactions, so that others can run in between. */
function withPauses(database: Database, pause: () => Promise<void>): Database {
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await pause()
      return result
    },
  })
  return { ...database, db, read: (_env, work) => work(db), write: (_env, work) => inTransaction(db, work) }
}

async function addPeople(db: Db, env: Env, people: Map<string, string>): Promise<string[]> {
  const ids = Array.from({ length: 500 }, (_, n) => `person-${people.size + n}`)
  const { rows } = await sql<{ id: string; subscriber_id: string }>`
    insert into subscriber (environment_id, id, subscriber_id, updated_at)
    select ${env.environmentId}, gen_random_uuid(), id, now() from unnest(${ids}::text[]) as given (id)
    returning id, subscriber_id`.execute(db)
  for (const row of rows) people.set(row.subscriber_id, row.id)
  return ids
}

type Seen = {
  messages: { who: string; members: number[] }[]
  skipped: number
  canceled: number
  open: number
  windows: number
}

function showMembers(scope: Record<string, unknown>) {
  const { step, payload } = scope as { step: { digest: boolean; events: { n: number }[] }; payload: { n: number } }
  const members = step.digest ? step.events.map((event) => event.n) : [payload.n]
  const body = JSON.stringify(members.sort((a, b) => a - b))
  return { ok: true as const, fields: { body } }
}

export function notificationId(eventId: string, subscriberInternalId: string): string {
  return deterministicId(eventId, 'notification', eventId, subscriberInternalId)
}
