import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { applyFeedback } from '../feedback/callbacks.ts'
import { eventTypes } from './event-types.ts'

/**
 * No place may forget to tell. Two tests keep it so: the first names every statement that writes these tables, so that a new
 * one is thought about. The second compares what was told with triggers that note every change of a row, whoever makes it.
 */
const src = join(import.meta.dirname, '../..')

/** Of each file, the statements that write a table which events are about; and what they tell, or why nothing. */
const writers: Record<string, string[]> = {
  'store/bridge/calls.ts': ['update job: only what the bridge said'],
  'store/feedback/callbacks.ts': [
    'update message: delivered, bounced, complained; sent or failed when that settles it',
    'update message: only which words a vendor said',
  ],
  'store/history/attempts.ts': [
    'update message: a try begins',
    'update message: a try is taken back',
    'update message: sent, failed',
    'update message: only when it is looked at again',
    'update job: notification.completed',
  ],
  'store/history/dead-letters.ts': ['update message: is open again', 'update job: is open again'],
  'store/history/erasure.ts': [
    'update message: erased',
    'update job: only its words',
    'update job: only what the bridge said',
    'update job: notification.completed',
  ],
  'store/history/feed.ts': [
    'update message: seen, read, unread, archived, unarchived, snoozed, unsnoozed',
    'update job: only its words',
    'update message: only the button that was pressed',
    'delete message: deleted',
  ],
  'store/history/history.ts': [
    'update job: by write-page.ts',
    'insert job: by write-page.ts',
    'insert notification: by write-page.ts',
    'insert message: sent, failed',
  ],
  'store/history/messages.ts': [
    'delete message: deleted',
    'update job: only which messages it has',
    'update job: notification.completed',
  ],
  'store/history/windows.ts': [
    'update job: is open again',
    'update job: whom it is merged into',
    'update job: is open again',
  ],
  'store/import/people.ts': ['update subscriber: updated', 'insert subscriber_schedule'],
  'store/moves/left-rows.ts': ['update subscriber: online'],
  'store/paces.ts': ['update message: only when it is looked at again'],
  'store/preferences.ts': [
    'insert subscriber_preference',
    'insert subscriber_schedule',
    'insert subscriber_schedule',
    'delete subscriber_schedule',
  ],
  'store/presence.ts': ['update subscriber: online', 'update subscriber: offline'],
  'store/publishing/write-workflows.ts': [
    'insert workflow: published',
    'update workflow: published',
    'update workflow: updated',
    'update workflow: deleted',
  ],
  'store/sends/cancel-jobs.ts': ['update message: whoever cancels knows it', 'update job: notification.completed'],
  'store/sends/door.ts': [
    'update message: only when it is looked at again',
    'update message: only when it is looked at again',
  ],
  'store/subscribers.ts': [
    'insert subscriber: created',
    'update subscriber: updated',
    'update subscriber: updated',
    'update subscriber: online',
    'delete subscriber: deleted',
  ],
  'store/webhooks/tell.ts': ['update notification: completed_at'],
  'store/workflows.ts': ['insert workflow: created', 'update workflow: updated', 'update workflow: deleted'],
}

const table = '(message|job|notification|subscriber|subscriber_preference|subscriber_schedule|workflow)'
const written = new RegExp(
  [
    `\\b(update|insert into|delete from) ${table}\\b`,
    `\\b(insertInto|updateTable|deleteFrom)\\('${table}'\\)`,
    `insertRows\\(db, env, '${table}'`,
  ].join('|'),
  'g',
)

test('every statement that writes what endpoints are told of is named here, with what it tells', () => {
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const count = readFileSync(join(src, file), 'utf8').match(written)?.length ?? 0
      return count > 0 ? [[file, count] as const] : []
    })
  const named = Object.entries(writers)
  // Another number: say above what the new statement tells, or why it tells nothing.
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(named.map(([file, all]) => [file, all.length])))
})

const h = useHarness({}, { worker: true })
let env: Client

/** What must be told of a change of a row, as SQL of the trigger: the type, or null. */
const rules: Record<string, string> = {
  message: `
    if tg_op = 'DELETE' then perform note('message.deleted', old.id); return null; end if;
    if tg_op = 'INSERT' then
      if new.delivery is null and new.status = 'sent' then perform note('message.sent', new.id); end if;
      if new.delivery is null and new.status = 'error' then perform note('message.failed', new.id); end if;
      return null;
    end if;
    if new.delivery is distinct from old.delivery and new.delivery = 'sent' then perform note('message.sent', new.id); end if;
    if new.delivery is distinct from old.delivery and new.delivery in ('rejected', 'dead', 'unknown') then perform note('message.failed', new.id); end if;
    if new.feedback is distinct from old.feedback and new.feedback is not null then perform note('message.' || new.feedback, new.id); end if;
    if new.seen and not old.seen and not new.read then perform note('message.seen', new.id); end if;
    if new.read and not old.read then perform note('message.read', new.id); end if;
    if old.read and not new.read and new.seen then perform note('message.unread', new.id); end if;
    if old.archived_at is null and new.archived_at is not null then perform note('message.archived', new.id); end if;
    if old.archived_at is not null and new.archived_at is null then perform note('message.unarchived', new.id); end if;
    if new.snoozed_until is distinct from old.snoozed_until then
      perform note(case when new.snoozed_until is null then 'message.unsnoozed' else 'message.snoozed' end, new.id);
    end if;`,
  subscriber: `
    if tg_op = 'DELETE' then perform note('subscriber.deleted', old.id); return null; end if;
    if tg_op = 'INSERT' then perform note('subscriber.created', new.id); return null; end if;
    if new.is_online is not distinct from old.is_online then perform note('subscriber.updated', new.id); end if;`,
  subscriber_preference: `if tg_op <> 'DELETE' then perform note('preference.updated', new.subscriber_id); end if;`,
  subscriber_schedule: `
    if tg_op <> 'DELETE' or exists (select 1 from subscriber where id = old.subscriber_id) then
      perform note('preference.updated', coalesce(new.subscriber_id, old.subscriber_id)); end if;`,
  workflow: `
    if tg_op = 'INSERT' then perform note('workflow.created', new.id); return null; end if;
    if new.deleted_at is not null then perform note('workflow.deleted', new.id); return null; end if;
    perform note('workflow.updated', new.id);`,
}

beforeAll(async () => {
  await sql`create table noted (environment_id uuid, type text)`.execute(h.admin)
  await sql.raw('grant insert on noted to public').execute(h.admin)
  for (const [name, rule] of Object.entries(rules)) {
    const environment = `coalesce(new.environment_id, old.environment_id)`
    const body = rule.replaceAll(/perform note\((.*?), [\w.]+\);/g, `insert into noted values (${environment}, $1);`)
    await sql
      .raw(`create function note_${name}() returns trigger language plpgsql as $f$ begin ${body} return null; end $f$`)
      .execute(h.admin)
    await sql
      .raw(
        `create trigger noted after insert or update or delete on ${name} for each row execute function note_${name}()`,
      )
      .execute(h.admin)
  }
  await noteWritten()
  env = await h.environment()
  const made = await env.post('/v1/webhook-endpoints', { url: 'https://hooks.example.com/' })
  expect(made.status).toBe(201)
})

/** The statistics of PostgreSQL would not do: a connection tells them up to ten seconds late. */
async function noteWritten(): Promise<void> {
  await sql`create table written (environment_id uuid, place text)`.execute(h.admin)
  await sql`grant insert on written to public`.execute(h.admin)
  await sql`create function note_written() returns trigger language plpgsql as $$ begin
    insert into written values (coalesce(new.environment_id, old.environment_id), tg_table_name); return null;
  end $$`.execute(h.admin)
  for (const table of ['webhook_delivery', 'webhook_page']) {
    await sql`create trigger written after insert or update or delete on ${sql.table(table)}
      for each row execute function note_written()`.execute(h.admin)
  }
}

/** In pages or not, taken together. */
const told = sql`(
  select environment_id, type from webhook_delivery
  union all select environment_id, unnest(types) from webhook_page)`

async function counts(from: RawBuilder<unknown>): Promise<Record<string, number>> {
  const { rows } = await sql<{ type: string; n: number }>`
    select type, count(*)::int as n from ${from} as it where environment_id = ${env.environmentId}
    group by 1 order by 1`.execute(h.admin)
  return Object.fromEntries(rows.map(({ type, n }) => [type, n]))
}

const mail = { name: 'Mail', type: 'email', controlValues: { subject: 'S', body: 'B' } }
const inbox = (body = 'Hi') => ({ name: 'Inbox', type: 'in_app', controlValues: { subject: 'S', body } })

test('whatever changes a row, exactly that is told', { timeout: 120_000 }, async () => {
  await makeWorkflow(env, 'hello', { steps: [inbox()] })
  await makeWorkflow(env, 'broken', { steps: [inbox('{{ "x" | nosuchfilter }}')] }).catch(() => {})
  await makeWorkflow(env, 'mail', { steps: [mail] })
  const integration = { providerId: 'platform-email', channel: 'email', name: 'M', credentials: {}, active: true }
  await env.post('/v1/integrations', integration)
  await makeSubscribers(env, ['ann', 'bob'])
  await env.patch('/v2/subscribers/ann', { firstName: 'Anna' })
  await env.patch('/v2/subscribers/ann', { firstName: 'Anna' })
  await env.patch('/v1/subscribers/ann/online-status', { isOnline: true })
  for (let n = 0; n < 4; n++) await trigger(env, { to: ['ann', 'bob'] })
  for (let n = 0; n < 2; n++)
    await trigger(env, { name: 'mail', to: { subscriberId: 'ann', email: 'ann@example.com' } })
  await trigger(env, { name: 'mail', to: { subscriberId: 'new', email: 'new@example.com' } })
  await h.settled()
  const feed = async () => (await env.get('/v2/subscribers/ann/notifications?limit=50')).body.data
  const [first, second] = await feed()
  const one = (id: string, verb: string, body?: object) =>
    env.patch(`/v2/subscribers/ann/notifications/${id}/${verb}`, body)
  for (const verb of ['read', 'unread', 'archive', 'unarchive']) expect((await one(first.id, verb)).status).toBe(200)
  const snoozeUntil = new Date(Date.now() + 3_600_000).toISOString()
  expect((await one(first.id, 'snooze', { snoozeUntil })).status).toBe(200)
  expect((await one(first.id, 'unsnooze')).status).toBe(200)
  await env.post('/v2/subscribers/ann/notifications/seen', {})
  await env.post('/v2/subscribers/bob/notifications/read', {})
  await env.post('/v2/subscribers/bob/notifications/archive', {})
  expect((await env.delete(`/v2/subscribers/ann/notifications/${second.id}`)).status).toBeLessThan(300)
  const { body: messages } = await env.get('/v1/messages?channel=email&subscriberId=ann&limit=10')
  const mailIds: string[] = messages.data.map((it: { _id: string }) => it._id)
  await h.ctx.database.write({ ...env, keyId: '' }, async (db) => {
    const report = { delivered: true, staysInDoubt: false, reason: null }
    for (const [n, feedback] of (['delivered', 'complained'] as const).entries())
      await applyFeedback(db, { ...env, keyId: '' }, [{ id: mailIds[n] ?? '', feedback, ...report }], new Date())
    await applyFeedback(
      db,
      { ...env, keyId: '' },
      [{ ...report, id: mailIds[0] ?? '', feedback: 'bounced' }],
      new Date(),
    )
  })
  expect((await env.delete(`/v1/messages/${mailIds[0]}`)).status).toBeLessThan(300)
  await env.patch('/v2/subscribers/ann/preferences', { channels: { email: false } })
  await env.patch('/v2/subscribers/ann/preferences', { channels: { email: false } })
  await env.patch('/v2/subscribers/ann/preferences', { workflowId: 'hello', channels: { in_app: false } })
  await env.patch('/v2/subscribers/ann/preferences', { schedule: { isEnabled: false } })
  const { body: workflow } = await env.get('/v2/workflows/mail')
  await env.put('/v2/workflows/mail', { ...workflow, name: 'Mail 2', steps: [mail] })
  expect((await env.delete('/v2/workflows/mail')).status).toBeLessThan(300)
  await env.delete('/v2/subscribers/new')
  await h.drain()

  const heard = await counts(told)
  const { 'notification.completed': completed, ...others } = heard
  const noted = await counts(sql`noted`)
  // Of each, what was told of the one who was deleted is erased.
  const gone = new Set(['subscriber.created', 'message.sent'])
  for (const [type, n] of Object.entries(noted)) {
    if (gone.has(type)) expect(others[type] ?? 0, type).toBe(n - 1)
    else expect(others[type] ?? 0, type).toBe(n)
  }
  expect(Object.keys(others).filter((type) => !(type in noted))).toEqual([])
  // Eleven notifications, one of them of who was deleted.
  expect(completed).toBe(10)
  const unheard = eventTypes.filter((type) => !(type in heard))
  // Made by a vendor's refusal, and by publishing: in tests of their own.
  expect(unheard).toEqual(['message.failed', 'workflow.published'])
})

test('an environment in which nobody listens writes nothing', async () => {
  const [quiet, heard] = [await h.environment(), await h.environment()]
  expect((await heard.post('/v1/webhook-endpoints', { url: 'https://hooks.example.com/' })).status).toBe(201)
  for (const one of [quiet, heard]) {
    await makeWorkflow(one)
    await trigger(one, { to: 'ann' })
  }
  await h.drain()
  expect(await placesOf(heard)).toContain('webhook_page')
  expect(await placesOf(quiet)).toEqual([])
})

/** Where rows of an environment were ever written, those included that are gone. */
async function placesOf({ environmentId }: Client): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`
    select distinct place from written where environment_id = ${environmentId} order by place`.execute(h.admin)
  return rows.map(({ place }) => place)
}
