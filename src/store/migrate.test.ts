import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { openDatabase } from './database.ts'
import { type Migration, migrate, readMigrations } from './migrate.ts'

const h = useHarness()

const migration = (version: number, text: string): Migration => ({ version, name: `${version}.sql`, text, hash: text })

test('a migration that must wait for a lock lets everybody else pass, and is done when it gets it', async () => {
  await sql`create table busy (n int)`.execute(h.admin)
  const { db, close } = openDatabase({ url: h.databaseUrl, poolSize: 3, rowLevelSecurity: false, onError() {} })
  const waits: string[] = []
  let longestMs = 0
  let migrating: Promise<string[]> = Promise.resolve([])
  // As pg_dump does for as long as it runs.
  await db.transaction().execute(async (reader) => {
    await sql`select count(*) from busy`.execute(reader)
    migrating = migrate(db, [migration(9001, 'alter table busy add column m int')], (name) => waits.push(name))
    const until = performance.now() + 2_500
    for (let began = performance.now(); began < until; began = performance.now()) {
      await sql`insert into busy values (1)`.execute(h.admin)
      longestMs = Math.max(longestMs, performance.now() - began)
      await sleep(20)
    }
  })
  expect(longestMs).toBeGreaterThan(200)
  expect(longestMs).toBeLessThan(1_500)
  expect(waits).toContain('9001.sql')
  expect(await migrating).toEqual(['9001.sql'])
  await sql`insert into busy (n, m) values (1, 2)`.execute(h.admin)
  await close()
})

test('a migration that never gets its lock ends with a sentence, and has changed nothing', async () => {
  await sql`create table locked (n int)`.execute(h.admin)
  const { db, close } = openDatabase({ url: h.databaseUrl, poolSize: 3, rowLevelSecurity: false, onError() {} })
  await db.transaction().execute(async (reader) => {
    await sql`select count(*) from locked`.execute(reader)
    const text = 'create table half_done (n int); alter table locked add column m int'
    await expect(migrate(db, [migration(9002, text)], () => {}, 100)).rejects.toThrow('9002.sql waits for a lock')
  })
  const { rows } = await sql`select to_regclass('half_done') as half`.execute(h.admin)
  expect(rows).toEqual([{ half: null }])
  await close()
})

test('a role that serves under row-level security may announce its keys after the upgrade to 0.18', async () => {
  await sql`drop table node`.execute(h.admin)
  await sql`delete from schema_migration where version in (51, 52)`.execute(h.admin)
  const { db, close } = openDatabase({ url: h.databaseUrl, poolSize: 1, rowLevelSecurity: false, onError() {} })
  expect(await migrate(db, readMigrations(), () => {})).toEqual(['0051_nodes.sql', '0052_key_fingerprints.sql'])
  await close()
  const { rows } = await sql<{ right: string; has: boolean }>`
    select wanted as right, has_table_privilege(${inject('postgres').rlsRole}, 'node', wanted) as has
    from unnest('{select,insert,update,delete}'::text[]) wanted`.execute(h.admin)
  expect(rows.filter(({ has }) => has).map(({ right }) => right)).toEqual(['select', 'insert', 'update', 'delete'])
})
