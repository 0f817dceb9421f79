import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../chaos/lib/random.ts'
import { type Client, client, sender, useHarness } from '../../test/harness.ts'
import { makeWorkflow } from '../../test/pipeline.ts'
import { findLosses } from '../commands/conserve.ts'

// Signals between processes are hints: whatever becomes of them, delays and digests fire once and in time.
const h = useHarness({}, { worker: true })
const path = '/v1/events/trigger'
const seed = Number(process.env.HOSTILE_SEED ?? Math.floor(Math.random() * 2 ** 31))
let secondUrl = ''
beforeAll(async () => {
  secondUrl = (await h.node({ AT_ONCE_PEOPLE: '0' })).url
})
afterEach(() => sql`drop function if exists planted cascade`.execute(h.admin))

const inbox = { name: 'Inbox', type: 'in_app', controlValues: { subject: 'Hi', body: 'Hello {{step.total_count}}' } }
const wait = { name: 'Delay', type: 'delay', controlValues: { amount: 2, unit: 'seconds', type: 'regular' } }
const digest = { name: 'Digest', type: 'digest', controlValues: { amount: 2, unit: 'seconds', type: 'regular' } }

async function arrange(): Promise<Client[]> {
  const env = await h.environment()
  await makeWorkflow(env, 'waits', { steps: [wait, inbox] })
  await makeWorkflow(env, 'digests', { steps: [digest, inbox] })
  return [env, { ...env, ...client(sender(secondUrl), env.key) }]
}

type Late = { delays: number; digests: number; worst_delay: number; worst_digest: number }
const bornAt = sql.raw(`to_timestamp(('x0000' || left(replace(e.id::text, '-', ''), 12))::bit(64)::bigint / 1000.0)`)
/** Messages, and how many seconds after its event the last of them came. */
async function latenessOf(env: Client): Promise<Late> {
  const { rows } = await sql<Late>`
    select count(*) filter (where w.identifier = 'waits')::int as delays,
      count(*) filter (where w.identifier = 'digests')::int as digests,
      coalesce(max(extract(epoch from m.updated_at - ${bornAt})) filter (where w.identifier = 'waits'), 0)::float as worst_delay,
      coalesce(max(extract(epoch from m.updated_at - ${bornAt})) filter (where w.identifier = 'digests'), 0)::float as worst_digest
    from message m join event e on e.environment_id = m.environment_id and e.id = m.event_id
    join workflow w on w.environment_id = m.environment_id and w.id = e.workflow_id
    where m.environment_id = ${env.environmentId}`.execute(h.admin)
  return rows[0] as Late
}

async function killListeners(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`.execute(h.admin)
  return rows[0]?.n ?? 0
}

test.each(['killed again and again', 'killed once'])('delays and digests, while listeners are %s', async (how) => {
  const nodes = await arrange()
  const [env] = nodes as [Client]
  const random = seededRandom(seed)
  let isOver = false
  let killed = 0
  const trouble = (async () => {
    while (!isOver) {
      killed += await killListeners()
      if (how === 'killed once' && killed > 0) return
      await sleep(50)
    }
  })()
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      await sleep(random.integer(0, 1_000))
      const name = n % 2 ? 'waits' : 'digests'
      const reply = await random.pick(nodes).post(path, { name, to: n % 2 ? `p${n}` : `d${n % 8}` })
      expect(reply.status).toBe(201)
    }),
  )
  await expect.poll(async () => (await latenessOf(env)).delays, { timeout: 20_000, interval: 100 }).toBe(20)
  await expect
    .poll(async () => (await latenessOf(env)).digests, { timeout: 20_000, interval: 100 })
    .toBeGreaterThanOrEqual(4)
  await h.drain()
  isOver = true
  await trouble
  const late = await latenessOf(env)
  expect(killed).toBeGreaterThan(0)
  expect(late.delays, `seed ${seed}`).toBe(20)
  // Two seconds, and what a loaded machine takes.
  expect(Math.max(late.worst_delay, late.worst_digest)).toBeLessThan(10)
  // Every event is in exactly one digest.
  const { rows } = await sql<{ n: number; open: number }>`
    select count(*) filter (where status = 'merged' and type = 'digest')::int as n,
      count(*) filter (where status in ('pending', 'delayed', 'queued'))::int as open
    from job where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(rows).toEqual([{ n: 20 - late.digests, open: 0 }])
  expect((await findLosses(h.ctx)).filter((it) => it.environmentId === env.environmentId)).toEqual([])
})

test('two nodes that fire the same delays under repeated rollbacks fire each once', async () => {
  const nodes = await arrange()
  const [env] = nodes as [Client]
  await sql
    .raw(
      `create function planted() returns trigger language plpgsql as $$ begin
        if random() < 0.002 then raise exception 'again' using errcode = '40P01'; end if;
        if random() < 0.01 then perform pg_sleep(0.02); end if; return null; end $$`,
    )
    .execute(h.admin)
  await sql
    .raw(
      'create constraint trigger planted after update on job deferrable initially deferred for each row execute function planted()',
    )
    .execute(h.admin)
  const events = Array.from({ length: 100 }, (_, n) => ({ name: 'waits', to: [`a${n}`, `b${n}`] }))
  await nodes[1]?.post(`${path}/bulk`, { events: events.slice(0, 50) })
  await nodes[0]?.post(`${path}/bulk`, { events: events.slice(50) })
  await expect
    .poll(async () => (await latenessOf(env)).delays, { timeout: 30_000, interval: 200 })
    .toBeGreaterThanOrEqual(200)
  await h.drain()
  await sleep(500)
  const late = await latenessOf(env)
  expect(late.delays).toBe(200)
  expect((await findLosses(h.ctx)).filter((it) => it.environmentId === env.environmentId)).toEqual([])
})
