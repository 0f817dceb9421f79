import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { apiTypes } from '../dashboard/scripts/api-types.ts'
import { clientTypes } from '../scripts/generated/client-types.ts'
import { providersPage } from '../scripts/generated/providers-page.ts'
import { rolesPage } from '../scripts/generated/roles-page.ts'
import { schemaTypes } from '../scripts/generated/schema-types.ts'
import { operations } from '../src/core/access/operations.ts'
import { openApi } from '../src/http/openapi.ts'
import { loadProviders, type Provider } from '../src/providers/provider.ts'
import { furtherProviderIds, jobProviderIds } from '../src/providers/provider-ids.ts'
import { crossing, selectCrossing } from './contract/crossing.ts'
import { useHarness } from './harness.ts'
import { fixtures, fixturesOf } from './route-fixtures.ts'

/** What holds for the program as a whole: the rules of CONTRIBUTING.md that a machine can check. */
const h = useHarness()
const root = join(import.meta.dirname, '..')

describe('routes', () => {
  test('every route has a contract, and every contract a route', () => {
    expect(Object.keys(fixtures).sort()).toEqual(h.routes.map((route) => route.name).sort())
  })

  test('every resource has a contract test, and its fixtures in a file of its name', async () => {
    for (const resource of readdirSync(join(root, 'src/routes'))) {
      const contract = readFileSync(join(root, 'src/routes', resource, 'contract.test.ts'), 'utf8')
      expect(contract).toContain(`\nrouteContract('${resource}'`)
      const names = h.routes.filter((route) => route.resource === resource).map((route) => route.name)
      expect(Object.keys(await fixturesOf(resource)).sort(), `test/fixtures/${resource}.ts`).toEqual(names.sort())
    }
  })

  test('no two routes have the same method and path', () => {
    const keys = h.routes.map((route) => `${route.method} ${route.path}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('docs/openapi.json is what the server serves (npm run generate)', async () => {
    const written = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
    expect(JSON.parse(JSON.stringify(openApi(h.routes)))).toEqual(written)
    expect((await h.send('GET', '/openapi.json')).body).toEqual(written)
  })

  test('dashboard/src/api/types.ts is what docs/openapi.json describes (npm run generate)', async () => {
    const description = readFileSync(join(root, 'docs/openapi.json'), 'utf8')
    const written = readFileSync(join(root, 'dashboard/src/api/types.ts'), 'utf8')
    expect(await apiTypes(description)).toBe(written)
  })

  test('packages/client/src/api-types.ts is what docs/openapi.json describes (npm run generate)', () => {
    const description = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
    const written = readFileSync(join(root, 'packages/client/src/api-types.ts'), 'utf8')
    expect(clientTypes(description)).toBe(written)
  })
})

describe('providers', async () => {
  const { all } = await loadProviders()
  const fileOf = ({ channel, id }: Provider, ending = '.ts') =>
    readFileSync(join(root, 'src/providers', channel.replace('_', '-'), `${id}${ending}`), 'utf8')

  test('the files are exactly those of the specification, and the further ones', () => {
    expect(all.map((provider) => provider.id).sort()).toEqual([...jobProviderIds, ...furtherProviderIds].sort())
  })

  test('every one can send, but for the inbox, whose messages are delivered inside the house', () => {
    expect(all.filter((provider) => !provider.send).map((provider) => provider.id)).toEqual(['platform'])
  })

  test('every one that sends has a table of what its vendor may answer; the mailboxes have no vendor', () => {
    const tests = all.filter(({ send }) => send).map((provider) => [provider.id, fileOf(provider, '.test.ts')] as const)
    const having = (pattern: RegExp) => tests.filter(([, text]) => pattern.test(text)).map(([id]) => id)
    const tables = having(/^(providerTable|smtpTable)\(/m)
    expect(tests.map(([id]) => id).filter((id) => !tables.includes(id))).toEqual(['platform-email', 'platform-sms'])
    // A table's type asks for an accepted message with its id and for a bad recipient; these vendors do not document
    // the latter.
    expect(having(/'not documented'/)).toEqual(['imedia', 'maqsam', 'sendchamp', 'sms-central', 'termii'])
  })

  test('half of the files have less than 80 lines', () => {
    const lines = all.map((provider) => fileOf(provider).split('\n').length - 1).sort((a, b) => a - b)
    const median = lines[Math.floor(lines.length / 2)]
    console.log(`lines of a provider: median ${median}, most ${lines.at(-1)}`)
    expect(median).toBeLessThan(80)
  })

  test('docs/providers.md tells what they declare (npm run generate)', () => {
    expect(readFileSync(join(root, 'docs/providers.md'), 'utf8')).toBe(providersPage(all))
  })
})

describe('roles', () => {
  test('each entry of operations.ts is a route', () => {
    const names = new Set(h.routes.map((route) => route.name))
    expect(Object.keys(operations).filter((name) => !names.has(name))).toEqual([])
  })

  test('docs/roles.md is what the table says (npm run generate)', () => {
    expect(readFileSync(join(root, 'docs/roles.md'), 'utf8')).toBe(rolesPage(h.routes))
  })
})

describe('schema', () => {
  test('src/store/schema.ts is what the migrations make (npm run generate)', async () => {
    expect(await schemaTypes(h.admin)).toBe(readFileSync(join(root, 'src/store/schema.ts'), 'utf8'))
  })

  test('every tenant table has a row-level-security policy, and leads with its environment', async () => {
    const { rows } = await sql<{ table: string; policies: number; secured: boolean; key: string }>`
      select c.relname as "table", c.relrowsecurity as secured,
        (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies,
        (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
          where i.indrelid = c.oid and i.indisprimary) as key
      from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      where c.relkind in ('r', 'p') and not c.relispartition and exists (
        select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'environment_id')`.execute(h.admin)
    expect(rows.length).toBeGreaterThanOrEqual(8)
    for (const row of rows) expect(row).toMatchObject({ policies: 1, secured: true, key: 'environment_id' })
  })

  test('only functions that were thought about look past row-level security', async () => {
    const { rows } = await sql.raw<{ name: string }>(selectCrossing).execute(h.admin)
    expect(rows.map(({ name }) => name)).toEqual(crossing)
  })

  test('every policy lets background work through (or (select is_system()))', async () => {
    const { rows } = await sql<{ table: string; qual: string }>`
      select tablename as "table", qual from pg_policies where schemaname = 'public'`.execute(h.admin)
    for (const { table, qual } of rows) expect(qual, table).toContain('is_system()')
  })

  test('indexes of tenant tables lead with the environment, but for those that serve no tenant', async () => {
    const { rows } = await sql<{ index: string }>`
      select i.indexrelid::regclass::text as index from pg_index i
      join pg_attribute own on own.attrelid = i.indrelid and own.attname = 'environment_id'
      left join pg_attribute lead on lead.attrelid = i.indrelid and lead.attnum = i.indkey[0]
      join pg_class own_index on own_index.oid = i.indexrelid and not own_index.relispartition
      where lead.attname is distinct from 'environment_id' and i.indrelid::regclass::text !~ '^pg_'`.execute(h.admin)
    // A key, and an integration that a vendor calls, are looked up before their environment is known. Expired rows are
    // purged and timers claimed over all environments.
    expect(rows.map((row) => row.index).sort()).toEqual([
      'api_key_id',
      'callback_token_expiry',
      'digest_window_lookback',
      'event_attachment_event',
      'event_key_event',
      'idempotency_claimed_at',
      'integration_id',
      'job_due',
      'message_due',
      'outcome_rollup_age',
      'presence_node',
      'receipt_due',
      'receipt_expiry',
      'send_due',
      'throttle_window_end',
    ])
  })
})
