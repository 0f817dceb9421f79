import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { readSamples, tableOf } from '../../test/metrics-text.ts'
import { openDatabase } from '../store/database.ts'
import { readStandbys } from '../store/history/standbys.ts'

const h = useHarness()

async function scrape() {
  // The backlog is remembered for two seconds.
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  return readSamples((await h.send('GET', '/metrics')).text)
}

test('a transaction that stays open shows by its age, and no standby is wanted where none is set', async () => {
  const client = new pg.Client({ connectionString: h.databaseUrl })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read')
    await client.query('select 1 from event limit 1')
    for (let n = 0; n < 5; n++) await sql`select pg_current_xact_id()`.execute(h.admin)
    const samples = await scrape()
    expect(tableOf(samples, 'tidings_database_snapshot_age_seconds', 'holder').session).toBeGreaterThan(2)
    expect(tableOf(samples, 'tidings_database_xmin_age_transactions', 'holder').session).toBeGreaterThanOrEqual(5)
    const standbys = samples.filter(({ name }) => name === 'tidings_database_synchronous_standbys')
    expect(standbys.map(({ labels, value }) => [labels.state, value])).toEqual([
      ['wanted', 0],
      ['streaming', 0],
    ])
  } finally {
    await client.end()
  }
})

test('a role that may not see the sessions of others gets none of it, instead of half', async () => {
  const role = `nobody_${randomBytes(4).toString('hex')}`
  await sql.raw(`create role ${role} login password 'x'`).execute(h.admin)
  const url = new URL(h.databaseUrl)
  url.username = role
  url.password = 'x'
  const database = openDatabase({ url: url.href, poolSize: 1, rowLevelSecurity: false, onError() {} })
  try {
    expect(await readStandbys(database.db)).toBeNull()
    await sql.raw(`grant pg_read_all_stats to ${role}`).execute(h.admin)
    expect(await readStandbys(database.db)).toMatchObject({ wanted: 0, streaming: 0 })
  } finally {
    await database.close()
    await sql.raw(`drop role ${role}`).execute(h.admin)
  }
})
