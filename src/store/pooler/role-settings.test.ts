import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { admin, withDatabase, withRole } from '../../../test/find-postgres.ts'
import { useHarness } from '../../../test/harness.ts'
import { checkPooler, makeRoleSettings } from './role-settings.ts'

const h = useHarness()
// Every connection here leads to PostgreSQL itself; scripts/deploy/check-pgbouncer.ts does the same through a pooler.
const [serving, other] = ['serving', 'other'].map((name) => `tidings_${name}_${randomBytes(4).toString('hex')}`)
const said: string[] = []
const say = (line: string) => void said.push(line)
const as = (role = '') => withRole(h.databaseUrl, role, 'test')
const way = (role = serving) => ({ url: as(role), directUrl: as(role) })

beforeAll(() =>
  admin(h.databaseUrl, async (client) => {
    for (const role of [serving, other]) await client.query(`create role ${role} login password 'test'`)
  }),
)
afterAll(() =>
  admin(inject('postgres').url, async (client) => {
    // Its settings in the database go with the role.
    for (const role of [serving, other]) await client.query(`drop role if exists ${role}`)
  }),
)

async function shown(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ setting: string }>(`select current_setting(name) as setting
    from unnest(array['jit', 'statement_timeout', 'idle_in_transaction_session_timeout']) as name`)
  return rows.map(({ setting }) => setting)
}

test('a start says what to run when the settings are missing', async () => {
  await expect(checkPooler(way())).rejects.toThrow(
    new RegExp(`"${serving}" has .*statement_timeout 0 ms.*npm start -- migrate.*alter role "${serving}"`, 's'),
  )
})

test('a role makes its own settings, once, and every connection has them', async () => {
  // Processes that start at the same time.
  await Promise.all(Array.from({ length: 8 }, () => makeRoleSettings(way(), say)))
  expect(said).toEqual([expect.stringContaining(`set for the role "${serving}"`)])
  await checkPooler(way())
  expect(await admin(as(serving), shown)).toEqual(['off', '30s', '1min'])
})

test('they are of this database alone', async () => {
  const elsewhere = withDatabase(as(serving), 'postgres')
  expect(await admin(elsewhere, shown)).not.toContain('30s')
  await expect(checkPooler({ url: as(serving), directUrl: elsewhere })).rejects.toThrow('different databases')
})

test('a connection from before the settings asks for new ones, not for another migrate', async () => {
  const before = `${as(serving)}?options=${encodeURIComponent('-c statement_timeout=0')}`
  await expect(checkPooler({ url: before, directUrl: as(serving) })).rejects.toThrow(
    /statement_timeout 0 ms\. .*RECONNECT/,
  )
})

test('a shorter time of the server is as good', async () => {
  const shorter = `${as(serving)}?options=${encodeURIComponent('-c statement_timeout=5s')}`
  await checkPooler({ url: shorter, directUrl: as(serving) })
})

test('a role that may not make them for another says who should', async () => {
  await expect(makeRoleSettings({ url: as(other), directUrl: as(serving) }, say)).rejects.toThrow(
    new RegExp(`"${serving}" may not make them. Say as "${other}".*alter role "${other}" in database`, 's'),
  )
})

test('who may, makes them for the role of the pooler, not for himself', async () => {
  await makeRoleSettings({ url: as(other), directUrl: h.databaseUrl }, say)
  expect(await admin(as(other), shown)).toEqual(['off', '30s', '1min'])
})
