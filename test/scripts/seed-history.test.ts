import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { seedHistory } from '../../scripts/seed-history.ts'
import { useHarness } from '../harness.ts'

const h = useHarness()

test('seeding history adds messages and leaves every table and row that was there before', async () => {
  const client = await h.environment()
  const workflow = {
    workflowId: 'hello',
    name: 'Hello',
    steps: [{ name: 'Bell', type: 'in_app', controlValues: { body: 'hi' } }],
  }
  expect((await client.post('/v2/workflows', workflow)).status).toBe(201)
  expect((await client.post('/v2/subscribers', { subscriberId: 'ada' })).status).toBe(201)
  // A user account without any reference to it: no foreign key protects the table from being dropped.
  await sql`insert into person (id, email, name, updated_at) values (gen_random_uuid(), 'user@example.com', 'A user', now())`.execute(
    h.admin,
  )
  const tablesBefore = await listTables()
  expect(tablesBefore).toContain('public.person')

  const env = { environmentId: client.environmentId, organizationId: client.organizationId, keyId: '' }
  await seedHistory(h.admin, env, { total: 2_500, now: new Date(), batchSize: 1_000 })

  expect((await client.get('/v1/messages?limit=10')).body.data).toHaveLength(10)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from message where environment_id = ${client.environmentId}`.execute(h.admin)
  expect(rows).toEqual([{ n: 2_500 }])
  expect(await sql`select name from person where email = 'user@example.com'`.execute(h.admin)).toMatchObject({
    rows: [{ name: 'A user' }],
  })
  const isPartition = /_(p?\d|default)/
  expect((await listTables()).filter((name) => !isPartition.test(name))).toEqual(
    tablesBefore.filter((name) => !isPartition.test(name)),
  )
})

async function listTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`.execute(h.admin)
  return rows.map(({ name }) => name)
}
