import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { listLeaves, listMovedTables, listTenantTables, notPublished, signposts } from './moved-tables.ts'

const h = useHarness()

const moved =
  'attempt bridge bridge_call callback_arrival callback_token channel_connection channel_endpoint connect_attempt context dev_mail digest_window edition environment_variable event event_attachment event_key held_item idempotency integration_pace job layout layout_version message move_marker notification outcome_folded outcome_rollup paced_message publication published_resource receipt send send_tally send_total session sign_in_link subscriber subscriber_channel subscriber_preference subscriber_schedule subscription_detail suppression tenant throttle_window token_trust topic topic_subscription translation webhook_delivery webhook_endpoint webhook_page workflow workflow_version'.split(
    ' ',
  )

describe('every table with environment_id', () => {
  test('is moved, or is named as not moved with a reason', async () => {
    const all = (await listTenantTables(h.admin)).map(({ name }) => name)
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns c join pg_class p on p.oid = c.table_name::regclass
      where table_schema = 'public' and column_name = 'environment_id' and p.relkind in ('r', 'p') and not p.relispartition
      order by 1`.execute(h.admin)
    expect(all.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
    expect(all).toEqual(expect.arrayContaining(Object.keys(notPublished)))
    for (const reason of Object.values(notPublished)) expect(reason.length).toBeGreaterThan(10)
    // A new table: think whether its rows may be copied as they are, then add it here or to `notPublished`.
    expect((await listMovedTables(h.admin)).map(({ name }) => name)).toEqual(moved)
    expect(Object.keys(notPublished)).toEqual(expect.arrayContaining([...signposts]))
  })

  test('that is moved has a key that begins with it, and of which replication sends every column', async () => {
    const names = (await listMovedTables(h.admin)).map(({ name }) => name)
    const { rows } = await sql<{ name: string; first: string | null; generated: boolean; identity: boolean }>`
      select t.name, (select a.attname from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[0]) as first,
        coalesce((select bool_or(a.attgenerated <> '') from pg_attribute a
          where a.attrelid = i.indrelid and a.attnum = any (i.indkey)), false) as generated,
        exists (select 1 from pg_attribute a where a.attrelid = t.name::regclass and a.attidentity <> '') as identity
      from unnest(${names}::text[]) as t (name)
      left join pg_index i on i.indrelid = t.name::regclass and i.indisprimary`.execute(h.admin)
    for (const row of rows) {
      expect(row).toEqual({ name: row.name, first: 'environment_id', generated: false, identity: false })
    }
    expect(rows.length).toBeGreaterThan(30)
  })

  test('is deleted before those it refers to', async () => {
    const leaves = await listLeaves(
      h.admin,
      (await listTenantTables(h.admin)).map(({ name }) => name),
    )
    const order = [...new Set(leaves.map(({ table }) => table))]
    const place = (table: string) => order.indexOf(table)
    const { rows } = await sql<{ from: string; to: string }>`
      select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
      where contype = 'f' and conrelid <> confrelid`.execute(h.admin)
    const inside = rows.filter(({ from, to }) => order.includes(from) && order.includes(to))
    expect(inside.length).toBeGreaterThan(10)
    for (const { from, to } of inside) expect(place(from), `${from} → ${to}`).toBeLessThan(place(to))
    expect(leaves.filter(({ table }) => table === 'message').length).toBeGreaterThan(1)
  })
})
