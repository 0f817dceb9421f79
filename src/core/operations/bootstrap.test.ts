import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { sender, useHarness } from '../../../test/harness.ts'
import { apiKeyId } from '../../lib/api-key.ts'
import { sha256 } from '../../lib/seal.ts'
import { listApiKeys, listBootstrapKeys, revokeApiKey } from '../../store/access/api-keys.ts'
import { listEnvironments } from '../../store/access/environments.ts'
import { bootstrap, issueApiKey } from './bootstrap.ts'

const h = useHarness()
const without = { cell: 'c1', bootstrapApiKey: undefined, production: false }
const withKey = (bootstrapApiKey: string) => ({ cell: 'c1', bootstrapApiKey, production: false })

afterEach(() =>
  h.admin.transaction().execute(async (trx) => {
    // Nobody else empties the record of changes.
    await sql`select set_config('tidings.purges_record', 'on', true)`.execute(trx)
    await sql`truncate organization, environment, api_key cascade`.execute(trx)
  }),
)

describe('bootstrap', () => {
  test('the first start makes Development and Production, and one key for both; later ones nothing', async () => {
    const { newKey } = await bootstrap(h.admin, { ...without, cell: 'eu7' }, new Date())
    expect(newKey).toMatch(/^td_eu7_[0-9a-f]{32}_[A-Za-z0-9]{43}[0-9a-f]{8}$/)
    expect(await bootstrap(h.admin, without, new Date())).toEqual({ newKey: null })
    const [development, production, ...others] = await listEnvironments(h.admin)
    expect(others).toEqual([])
    expect(development).toMatchObject({ name: 'Development', type: 'dev', slug: 'development', parentId: null })
    const published = {
      name: 'Production',
      type: 'prod',
      slug: 'production',
      parentId: development?.id,
      protected: false,
    }
    expect(production).toMatchObject(published)
    const keys = await listApiKeys(h.admin, undefined)
    const key = { environment_id: development?.id, bootstrap: false, revoked_at: null, reach: 'organization' }
    expect(keys).toMatchObject([key])
    const reply = await h.send('POST', '/v2/topics', { key: newKey, body: { key: 'a' } })
    expect(reply.status).toBe(200)
  })

  test('twenty nodes starting at once make two environments, and one of them is told the key', async () => {
    const starts = await Promise.all(Array.from({ length: 20 }, () => bootstrap(h.admin, without, new Date())))
    expect(starts.filter(({ newKey }) => newKey !== null)).toHaveLength(1)
    expect(await listEnvironments(h.admin)).toHaveLength(2)
    expect(await listApiKeys(h.admin, undefined)).toHaveLength(1)
  })

  test('BOOTSTRAP_API_KEY: the first environment has that key, no other is made, however often it starts', async () => {
    for (let start = 0; start < 3; start++) {
      expect(await bootstrap(h.admin, withKey('any text at all'), new Date())).toEqual({ newKey: null })
    }
    const starts = Array.from({ length: 10 }, () => bootstrap(h.admin, withKey('any text at all'), new Date()))
    await Promise.all(starts)
    expect(await listEnvironments(h.admin)).toHaveLength(2)
    expect(await listApiKeys(h.admin, undefined)).toHaveLength(1)
    expect(await listBootstrapKeys(h.admin)).toMatchObject([{ hash: sha256('any text at all') }])
  })

  test('another BOOTSTRAP_API_KEY takes the place of the former one, in the oldest environment', async () => {
    await bootstrap(h.admin, withKey('the-first-one'), new Date())
    const [first] = await listEnvironments(h.admin)
    await h.environment()
    await bootstrap(h.admin, withKey('the-second-one'), new Date())
    const keys = (await listApiKeys(h.admin, first?.id)).filter((key) => key.bootstrap)
    expect(keys.map((key) => key.revoked_at === null)).toEqual([false, true])
    const send = sender((await h.node()).url)
    expect((await send('GET', '/v2/topics', { key: 'the-first-one' })).status).toBe(401)
    expect((await send('GET', '/v2/topics', { key: 'the-second-one' })).status).toBe(200)
    // Back to the first key: it was revoked and stays revoked.
    await bootstrap(h.admin, withKey('the-first-one'), new Date())
    expect(await listBootstrapKeys(h.admin)).toMatchObject([{ hash: sha256('the-second-one') }])
  })

  test('set later, it is added beside the key made on the first start', async () => {
    const { newKey } = await bootstrap(h.admin, without, new Date())
    await bootstrap(h.admin, withKey('my-own-key'), new Date())
    const send = sender((await h.node()).url)
    for (const key of [newKey, 'my-own-key']) expect((await send('GET', '/v2/topics', { key })).status).toBe(200)
  })

  test('a revoked one stays revoked, whatever the setting says', async () => {
    await bootstrap(h.admin, withKey('my-own-key'), new Date())
    const [key] = await listBootstrapKeys(h.admin)
    expect(await revokeApiKey(h.admin, key?.id ?? '', new Date())).toBe(true)
    expect(await revokeApiKey(h.admin, key?.id ?? '', new Date())).toBe(false)
    await bootstrap(h.admin, withKey('my-own-key'), new Date())
    expect(await listBootstrapKeys(h.admin)).toEqual([])
    expect(await listApiKeys(h.admin, undefined)).toHaveLength(1)
  })
})

test('only the hash of a key is stored', async () => {
  const { environmentId } = await h.environment()
  const text = await issueApiKey(h.admin, { environmentId, name: 'x', cell: 'c1', now: new Date() })
  await bootstrap(h.admin, withKey('my-own-key'), new Date())
  const { rows } = await sql<{ row: unknown }>`select to_jsonb(k) as row from api_key k`.execute(h.admin)
  const stored = JSON.stringify(rows)
  expect(stored).toContain(apiKeyId(text))
  for (const secret of [text, text.slice(-51), text.slice(-51, -8), 'my-own-key']) expect(stored).not.toContain(secret)
})
