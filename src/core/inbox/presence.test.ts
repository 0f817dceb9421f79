import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { sweepPresence } from '../../store/presence.ts'
import { createPresence, type Presence } from './presence.ts'

const h = useHarness()
const hurried = {
  comesAfterMs: 50,
  leavesAfterMs: 200,
  lookEveryMs: 20,
  tellEveryMs: 100,
  mostAtOnce: 500,
  comeAgainMs: 20_000,
}

const open: Presence[] = []
afterEach(async () => {
  for (const presence of open.splice(0)) await presence.close()
})
function node(settings = hurried): Presence {
  const presence = createPresence(h.ctx, settings)
  open.push(presence)
  return presence
}

async function person(env: Client, subscriberId: string) {
  await env.post('/v2/subscribers', { subscriberId })
  const isOnline = async () => (await env.get(`/v2/subscribers/${subscriberId}`)).body.isOnline
  const { rows } = await sql<{ id: string }>`
    select id from subscriber where environment_id = ${env.environmentId} and subscriber_id = ${subscriberId}`.execute(
    h.admin,
  )
  const who = { environmentId: env.environmentId, subscriberId: rows[0]?.id ?? '' }
  return { isOnline, who }
}
async function rowsOf({ environmentId }: Client): Promise<number> {
  const found = await sql`select 1 from presence where environment_id = ${environmentId}`.execute(h.admin)
  return found.rows.length
}
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('is online while an inbox is open anywhere, and offline some time after the last has closed', async () => {
  const env = await h.environment()
  const [ada, first, second] = [await person(env, 'ada'), node(), node()]
  const leaveFirst = first.come(ada.who)
  const leaveTab = first.come(ada.who)
  await expect.poll(ada.isOnline, { timeout: 10_000 }).toBe(true)
  const leaveSecond = second.come(ada.who)
  await expect.poll(() => rowsOf(env), { timeout: 10_000 }).toBe(2)
  leaveFirst()
  leaveFirst()
  leaveTab()
  await later(600)
  expect(await ada.isOnline()).toBe(true)
  leaveSecond()
  await expect.poll(ada.isOnline, { timeout: 10_000 }).toBe(false)
  expect((await env.get('/v2/subscribers/ada')).body.lastOnlineAt).toEqual(expect.any(String))
})

test('a page that is loaded anew makes nobody offline, and a glance nobody online', async () => {
  const env = await h.environment()
  const patient = { ...hurried, leavesAfterMs: 5_000 }
  const [ada, bob, presence] = [await person(env, 'ada'), await person(env, 'bob'), node(patient)]
  const seen: unknown[] = []
  let leave = presence.come(ada.who)
  await expect.poll(ada.isOnline, { timeout: 10_000 }).toBe(true)
  for (let round = 0; round < 5; round++) {
    leave()
    await later(60)
    leave = presence.come(ada.who)
    seen.push(await ada.isOnline())
  }
  expect(seen).toEqual(Array(5).fill(true))
  const calm = node({ ...hurried, comesAfterMs: 2_000 })
  calm.come(bob.who)()
  await later(600)
  expect(await bob.isOnline()).not.toBe(true)
})

test('both nodes at once: whoever leaves last, it ends offline', async () => {
  const env = await h.environment()
  const nodes = [node(), node(), node()]
  const people = await Promise.all(Array.from({ length: 20 }, (_, n) => person(env, `p${n}`)))
  const leaves = nodes.flatMap((presence) => people.map(({ who }) => presence.come(who)))
  const states = () => Promise.all(people.map(({ isOnline }) => isOnline()))
  await expect.poll(states, { timeout: 10_000 }).toEqual(Array(20).fill(true))
  await later(300)
  for (const leave of leaves) leave()
  await expect.poll(states, { timeout: 10_000 }).toEqual(Array(20).fill(false))
})

test('the people of a node that died are swept, except who came to another one; who was given up comes back', async () => {
  const env = await h.environment()
  const [ada, bob] = [await person(env, 'ada'), await person(env, 'bob')]
  // Neither says again that it runs: what it last said is set below.
  const silent = { ...hurried, tellEveryMs: 3_600_000 }
  const [dead, alive] = [node(silent), node(silent)]
  dead.come(ada.who)
  dead.come(bob.who)
  alive.come(bob.who)
  await expect.poll(() => rowsOf(env), { timeout: 10_000 }).toBe(3)
  const inTwoMinutes = new Date(h.ctx.clock().getTime() + 120_000)
  await sql`update inbox_node set seen_at = now() + interval '1 hour'
    where id in (select node_id from presence group by node_id having count(*) = 1)`.execute(h.admin)
  while ((await sweepPresence(h.ctx.database.db, inTwoMinutes, 1)) > 0);
  expect([await ada.isOnline(), await bob.isOnline()]).toEqual([false, true])

  const slow = node()
  slow.come(ada.who)
  await expect.poll(ada.isOnline, { timeout: 10_000 }).toBe(true)
  await sql`delete from inbox_node`.execute(h.admin)
  await sql`update subscriber set is_online = false where environment_id = ${env.environmentId}`.execute(h.admin)
  await expect.poll(ada.isOnline, { timeout: 10_000 }).toBe(true)
})

test('who is deleted meanwhile is in nobody’s way', async () => {
  const env = await h.environment()
  const [ada, bob, presence] = [await person(env, 'ada'), await person(env, 'bob'), node()]
  const leave = presence.come(ada.who)
  await expect.poll(ada.isOnline, { timeout: 10_000 }).toBe(true)
  await env.delete('/v2/subscribers/ada')
  presence.come(bob.who)
  leave()
  await expect.poll(bob.isOnline, { timeout: 10_000 }).toBe(true)
})
