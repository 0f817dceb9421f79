import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { client, sender, useHarness } from '../../../test/harness.ts'
import type { Ctx } from '../../context.ts'
import { bootstrap, issueApiKey } from '../../core/operations/bootstrap.ts'
import { newApiKey } from '../../lib/api-key.ts'
import { createSealer, sha256 } from '../../lib/seal.ts'
import { listApiKeys, listBootstrapKeys, revokeApiKey } from '../../store/access/api-keys.ts'
import { listEncryptionKeys } from '../../store/access/encryption-keys.ts'
import { authenticator } from './auth.ts'

const h = useHarness()

/** A context whose database must not be touched. */
function untouchable(): { ctx: Ctx; touched: () => number } {
  let touches = 0
  const database = new Proxy(h.ctx.database, {
    get() {
      touches++
      throw new Error('the database was asked')
    },
  })
  return { ctx: { ...h.ctx, database }, touched: () => touches }
}

describe('a key that cannot be one of ours', () => {
  const good = newApiKey('c1', new Date()).text
  const malformed = [
    undefined,
    '',
    'ApiKey',
    'ApiKey ',
    'ApiKey x',
    good,
    `apikey ${good}`,
    `APIKEY ${good}`,
    `Bearer ${good}`,
    `ApiKey  ${good}`,
    `ApiKey ${good} `,
    `ApiKey ${good}x`,
    `ApiKey ${good.slice(0, -1)}`,
    `ApiKey ${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
    `ApiKey ${good.toUpperCase()}`,
    `ApiKey ${good.replace('td_', 'tx_')}`,
    `ApiKey ${good},ApiKey ${good}`,
    `ApiKey ${'x'.repeat(10_000)}`,
    "ApiKey ' or 1=1 --",
    'ApiKey \u0000',
  ]

  test.each(malformed.map((header) => [header]))('%j is 401 without a question to the database', async (header) => {
    const { ctx, touched } = untouchable()
    const authenticate = authenticator(ctx, [{ id: 'x', hash: sha256('some bootstrap key') }])
    await expect(authenticate(header)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(touched()).toBe(0)
  })

  test('and a well-formed one does ask', async () => {
    const { ctx, touched } = untouchable()
    await expect(authenticator(ctx, [])(`ApiKey ${good}`)).rejects.toThrow('the database was asked')
    expect(touched()).toBe(1)
  })
})

describe('a key of ours', () => {
  test('opens its own environment and no other, on every node', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    await env.post('/v2/topics', { key: 'mine' })
    const node = await h.node()
    expect((await client(sender(node.url), env.key).send('GET', '/v2/topics')).body.data).toHaveLength(1)
    expect((await other.get('/v2/topics')).body.data).toEqual([])
  })

  test('with the id of another key is 401, and so is an unknown id; the database is asked once in a while', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const parts = env.key.split('_')
    const [, , otherId] = other.key.split('_')
    const forged = [parts[0], parts[1], otherId, parts[3]].join('_')
    expect((await h.send('GET', '/v2/topics', { key: forged })).status).toBe(401)
    let asked = 0
    const database = new Proxy(h.ctx.database, {
      get(target, name) {
        if (name === 'db') asked++
        return Reflect.get(target, name)
      },
    })
    const authenticate = authenticator({ ...h.ctx, database }, [])
    const unknown = newApiKey('c1', new Date()).text
    for (let n = 0; n < 20; n++) {
      await expect(authenticate(`ApiKey ${unknown}`)).rejects.toMatchObject({ code: 'unauthorized' })
    }
    expect(asked).toBe(1)
  })

  test('is not remembered when the question failed', async () => {
    const env = await h.environment()
    let broken = true
    const database = new Proxy(h.ctx.database, {
      get(target, name) {
        if (broken) throw new Error('away')
        return Reflect.get(target, name)
      },
    })
    const authenticate = authenticator({ ...h.ctx, database }, [])
    await expect(authenticate(`ApiKey ${env.key}`)).rejects.toThrow('away')
    broken = false
    expect(await authenticate(`ApiKey ${env.key}`)).toMatchObject({ environmentId: env.environmentId })
  })

  test('is taken while nothing may be sealed: its use is noted later', async () => {
    const env = await h.environment()
    const keys = h.ctx.config.encryptionKeys
    const silent = createSealer(keys)
    silent.learn(await listEncryptionKeys(h.admin), performance.now() - 1)
    const authenticate = authenticator({ ...h.ctx, sealer: silent }, [])
    expect(await authenticate(`ApiKey ${env.key}`)).toMatchObject({ environmentId: env.environmentId })
    silent.learn(await listEncryptionKeys(h.admin), performance.now() + 60_000)
    await authenticate(`ApiKey ${env.key}`)
    const usedAt = () =>
      sql<{ at: Date | null }>`
      select last_used_at as at from api_key where environment_id = ${env.environmentId}`.execute(h.admin)
    await expect.poll(async () => (await usedAt()).rows[0]?.at).toBeInstanceOf(Date)
  })

  test('revoked while in use is 401 on both nodes within 5 s; a second key of the environment goes on', async () => {
    const env = await h.environment()
    const now = new Date()
    const spare = await issueApiKey(h.admin, { environmentId: env.environmentId, name: 'spare', cell: 'c1', now })
    const node = await h.node()
    const nodes = [h.send, sender(node.url)]
    const statuses = (key: string) =>
      Promise.all(nodes.map(async (send) => (await send('GET', '/v2/topics', { key })).status))
    expect(await statuses(env.key)).toEqual([200, 200])
    const keyId = (await listApiKeys(h.admin, env.environmentId)).find((key) => key.name === 'test')?.id ?? ''
    expect(await revokeApiKey(h.admin, keyId, new Date())).toBe(true)
    const revoked = performance.now()
    while ((await statuses(env.key)).some((status) => status !== 401)) {
      expect(performance.now() - revoked).toBeLessThan(5_000)
      await sleep(100)
    }
    expect(await statuses(spare)).toEqual([200, 200])
  })
})

describe('the bootstrap key', () => {
  const own = 'hunter2!'
  const settings = { cell: 'c1', bootstrapApiKey: own, production: false }

  test('may look like nothing of ours, opens the first environment, and stays revoked once revoked', async () => {
    await bootstrap(h.admin, settings, new Date())
    const send = sender((await h.node()).url)
    const made = await send('POST', '/v2/topics', { key: own, body: { key: 'a' } })
    expect(made.status).toBe(200)
    for (const wrong of ['hunter2', 'hunter2!!', 'Hunter2!', ' hunter2!']) {
      expect((await send('GET', '/v2/topics', { key: wrong })).status).toBe(401)
    }

    const [{ id } = { id: '' }] = await listBootstrapKeys(h.admin)
    await revokeApiKey(h.admin, id, new Date())
    // A start with the same setting does not bring it back, and a node that still knows its hash asks the database.
    await bootstrap(h.admin, settings, new Date())
    expect(await listBootstrapKeys(h.admin)).toEqual([])
    const known = authenticator(h.ctx, [{ id, hash: sha256(own) }])
    await expect(known(`ApiKey ${own}`)).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await sender((await h.node()).url)('GET', '/v2/topics', { key: own })).status).toBe(401)
  })

  test('may even look like one of ours', async () => {
    const text = newApiKey('c1', new Date()).text
    await bootstrap(h.admin, { ...settings, bootstrapApiKey: text }, new Date())
    const send = sender((await h.node()).url)
    expect((await send('GET', '/v2/topics', { key: text })).status).toBe(200)
  })
})
