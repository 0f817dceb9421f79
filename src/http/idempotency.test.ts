import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { type Client, client, sender, useHarness } from '../../test/harness.ts'
import { makeSendgrid } from '../../test/integration-samples.ts'
import { issueApiKey } from '../core/operations/bootstrap.ts'
import { sha256 } from '../lib/seal.ts'
import { purgeIdempotency } from '../store/access/idempotency.ts'
import { OutcomeUnknown } from '../store/connect/database-away.ts'
import { envOf } from '../store/database.ts'
import { runLeased } from './leased-claim.ts'

const h = useHarness()
const path = '/v1/tenants'

const keyed = (key: string, more: Record<string, string> = {}) => ({ 'idempotency-key': key, ...more })
const replayed = (reply: { headers: Headers }) => reply.headers.get('idempotency-replay') === 'true'

async function claimsOf(env: Client): Promise<{ status: number | null }[]> {
  const { rows } = await sql<{ status: number | null }>`
    select status from idempotency where environment_id = ${env.environmentId}`.execute(h.admin)
  return rows
}

describe('the scope of an idempotency-key', () => {
  test('another path, another method, another environment: another key', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const replies = [
      await env.post(path, { identifier: 'a' }, keyed('k')),
      await env.patch(`${path}/a`, { name: 'x' }, keyed('k')),
      await env.delete(`${path}/a`, undefined, keyed('k')),
      await env.post('/v2/topics', { key: 'a' }, keyed('k')),
      await other.post(path, { identifier: 'a' }, keyed('k')),
      await env.post(path, { identifier: 'a' }, keyed('K')),
    ]
    expect(replies.map((reply) => reply.status)).toEqual([201, 200, 204, 200, 201, 201])
    expect(replies.some(replayed)).toBe(false)
  })

  test('two keys of one environment share it: the environment counts, not who asked', async () => {
    const env = await h.environment()
    const first = await env.post(path, { identifier: 'a' }, keyed('k'))
    const issued = { environmentId: env.environmentId, name: 'second', cell: 'c1', now: new Date() }
    const colleague = client(h.send, await issueApiKey(h.admin, issued))
    const second = await colleague.post(path, { identifier: 'a' }, keyed('k'))
    expect(second.text).toBe(first.text)
    expect(replayed(second)).toBe(true)
  })

  test('the query belongs to the request: another one is another body', async () => {
    const env = await h.environment()
    expect((await env.post('/v2/topics?failIfExists=false', { key: 'a' }, keyed('k'))).status).toBe(200)
    expect((await env.post('/v2/topics?failIfExists=true', { key: 'a' }, keyed('k'))).body.code).toBe(
      'idempotency_key_reused',
    )
    expect(replayed(await env.post('/v2/topics?failIfExists=false', { key: 'a' }, keyed('k')))).toBe(true)
  })

  test('the same JSON in another order and spacing is the same body', async () => {
    const env = await h.environment()
    await env.post(path, { identifier: 'a', name: 'b', data: { x: 1, y: [1, 2] } }, keyed('k'))
    const raw = '{ "data": {"y":[1,2], "x":1.0},\n "name":"b","identifier":"\\u0061" }'
    expect(replayed(await env.send('POST', path, { raw, headers: keyed('k') }))).toBe(true)
    const swapped = { identifier: 'a', name: 'b', data: { x: 1, y: [2, 1] } }
    expect((await env.post(path, swapped, keyed('k'))).status).toBe(422)
  })

  test('ignored on GET, even when malformed', async () => {
    const env = await h.environment()
    const before = await env.get(path, undefined, keyed('k'))
    await env.post(path, { identifier: 'a' })
    expect((await env.get(path, undefined, keyed('k'))).text).not.toBe(before.text)
    expect((await env.get(path, undefined, keyed('white space'))).status).toBe(200)
    expect(await claimsOf(env)).toEqual([])
  })

  test.each(['!', '~', 'x'.repeat(255), '{"a":1}', '../..'])('%s is a key', async (key) => {
    const env = await h.environment()
    await env.post(path, { identifier: 'a' }, keyed(key))
    expect(replayed(await env.post(path, { identifier: 'a' }, keyed(key)))).toBe(true)
  })
})

describe('what is kept under a key', () => {
  const id = { 'x-request-id': 'same' }

  test('a refusal of the request itself, and it comes back to the letter', async () => {
    const env = await h.environment()
    await env.post(path, { identifier: 'taken' })
    const made = await makeSendgrid(env, { active: false })
    const refusals = [
      () => env.post(path, { identifier: 'taken' }, keyed('a', id)),
      () => env.post(path, { identifier: '' }, keyed('b', id)),
      () => env.patch(`${path}/unknown`, { name: 'x' }, keyed('c', id)),
      () => env.post(`/v1/integrations/${made._id}/set-primary`, undefined, keyed('d', id)),
      () => env.post('/v2/topics?failIfExists=maybe', { key: 'a' }, keyed('e', id)),
    ]
    for (const [index, status] of [409, 422, 404, 400, 422].entries()) {
      const first = await refusals[index]?.()
      const second = await refusals[index]?.()
      expect(first?.status).toBe(status)
      expect(second?.text).toBe(first?.text)
      expect(second && replayed(second)).toBe(true)
    }
    // Even after the reason is gone.
    await env.delete(`${path}/taken`)
    expect((await refusals[0]?.())?.status).toBe(409)
    expect((await env.post(path, { identifier: 'taken' }, keyed('new'))).status).toBe(201)
  })

  test('the work of a refused request is undone, its claim stays', async () => {
    const env = await h.environment()
    await env.post(path, { identifier: 'a', name: 'before' })
    await env.post(path, { identifier: 'b' })
    await env.patch(`${path}/a`, { identifier: 'b', name: 'after' }, keyed('k'))
    expect((await env.get(`${path}/a`)).body.name).toBe('before')
    expect(await claimsOf(env)).toEqual([{ status: 409 }])
  })

  test('not what a key, a moment or a limit caused: 401, 403, 413, 415, a body that could not be read', async () => {
    const env = await h.environment()
    const integration = { providerId: 'slack', channel: 'chat' }
    const at = '/v1/integrations'
    const wrong = { ...integration, _environmentId: (await h.environment()).environmentId }
    expect((await env.post(at, wrong, keyed('k'))).status).toBe(403)
    expect((await h.send('POST', at, { body: integration, headers: keyed('k'), key: 'x' })).status).toBe(401)
    const raw = JSON.stringify({ ...integration, name: 'x'.repeat(1024 * 1024) })
    expect((await env.send('POST', at, { raw, headers: keyed('k') })).status).toBe(413)
    expect((await env.send('POST', at, { raw: '{', headers: keyed('k') })).status).toBe(400)
    expect((await env.send('POST', at, { raw: 'x', headers: keyed('k', { 'content-type': 'a/b' }) })).status).toBe(415)
    expect(await claimsOf(env)).toEqual([])
    const done = await env.post(at, integration, keyed('k'))
    expect(done.status).toBe(201)
    expect(replayed(done)).toBe(false)
    // The refusal of a reuse is not kept either: the first reply is still there.
    expect((await env.post(at, { ...integration, name: 'x' }, keyed('k'))).status).toBe(422)
    expect(replayed(await env.post(at, integration, keyed('k')))).toBe(true)
  })

  test('not a 5xx: it leaves no claim and no work, and the same key may try again', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env)
    const seal = (value: unknown) =>
      sql`
      update integration set credentials = ${JSON.stringify(value)} where environment_id = ${env.environmentId}`.execute(
        h.admin,
      )
    const { rows } = await sql<{ credentials: unknown }>`
      select credentials from integration where environment_id = ${env.environmentId}`.execute(h.admin)
    const rename = () => env.put(`/v1/integrations/${made._id}`, { name: 'Renamed' }, keyed('k'))
    await seal({ apiKey: 'sealed.t1.broken' })
    expect((await rename()).status).toBe(500)
    expect(await claimsOf(env)).toEqual([])
    await seal(rows[0]?.credentials)
    expect((await env.get('/v1/integrations')).body[0].name).toBe('SendGrid')
    const again = await rename()
    expect(again).toMatchObject({ status: 200, body: { name: 'Renamed' } })
    expect(replayed(again)).toBe(false)
  })

  test('for 24 hours: then the key is free, at the second', async () => {
    const env = await h.environment()
    await env.post(path, { identifier: 'a' }, keyed('k'))
    const age = (by: string) =>
      sql`
      update idempotency set claimed_at = claimed_at - ${by}::interval where environment_id = ${env.environmentId}`.execute(
        h.admin,
      )
    await age('23:59:50')
    expect(await purgeIdempotency(h.admin, new Date(), 10)).toBe(0)
    expect(replayed(await env.post(path, { identifier: 'a' }, keyed('k')))).toBe(true)
    await age('00:00:10')
    const late = await env.post(path, { identifier: 'b' }, keyed('k'))
    expect(late).toMatchObject({ status: 201, body: { identifier: 'b' } })
    expect(replayed(await env.post(path, { identifier: 'b' }, keyed('k')))).toBe(true)
    await age('24:00:01')
    expect(await purgeIdempotency(h.admin, new Date(), 10)).toBe(1)
    expect(await claimsOf(env)).toEqual([])
  })

  test('sealed: what a reply held is not readable in the database, nor taken from another claim', async () => {
    const env = await h.environment()
    const replies = async () => {
      const { rows } = await sql<{ reply: string }>`
        select reply from idempotency where environment_id = ${env.environmentId}`.execute(h.admin)
      for (const { reply } of rows) expect(reply).toMatch(/^sealed\.t1\.[\w-]+$/)
      return rows
    }
    await env.post(path, { identifier: 'planted-canary' }, keyed('k'))
    const [first] = await replies()
    await env.post(path, { identifier: 'another-canary' }, keyed('l'))
    expect(await replies()).toHaveLength(2)
    await sql`update idempotency set reply = ${first?.reply} where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    const swapped = await env.post(path, { identifier: 'another-canary' }, keyed('l'))
    expect(swapped.status).toBe(500)
    expect(swapped.text).not.toContain('canary')
  })
})

describe('requests at the same time', () => {
  test('forty of one key on two nodes: one execution, forty equal replies', async () => {
    const env = await h.environment()
    const node = await h.node({ DATABASE_POOL_SIZE: '6' })
    const other = client(sender(node.url), env.key)
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          (n % 2 === 0 ? env : other).post(path, { identifier: `t${round}` }, keyed(`k${round}`)),
        ),
      )
      expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1)
      expect(replies[0]?.status).toBe(201)
      expect(replies.filter((reply) => !replayed(reply))).toHaveLength(1)
    }
    expect((await env.get(path)).body.data).toHaveLength(3)
  })

  test('one still running after 5 s: 409 with Retry-After, and afterwards its reply', async () => {
    const env = await h.environment()
    const holder = new pg.Client({ connectionString: h.databaseUrl })
    await holder.connect()
    try {
      const claim = sha256('POST', path, 'k')
      await holder.query('begin')
      await holder.query('insert into idempotency values ($1, $2, $3, null, null, now())', [
        env.environmentId,
        claim,
        Buffer.alloc(32),
      ])
      const started = performance.now()
      const waiting = await env.post(path, { identifier: 'a' }, keyed('k'))
      expect(waiting).toMatchObject({ status: 409, body: { code: 'request_in_flight' } })
      expect(waiting.headers.get('retry-after')).toBe('1')
      expect(performance.now() - started).toBeGreaterThan(4_500)
      expect(performance.now() - started).toBeLessThan(8_000)
      await holder.query('rollback')
      expect((await env.post(path, { identifier: 'a' }, keyed('k'))).status).toBe(201)
    } finally {
      await holder.end()
    }
  })
})

test('work before the transaction, and a commit without an answer: nobody says that nothing was written', async () => {
  const { environmentId } = await h.environment()
  const env = envOf(environmentId)
  const original = pg.Client.prototype.query
  let isAway = false
  const request = { key: 'k', method: 'POST', path: '/x', requestHash: sha256('x'), now: new Date() }
  const work = {
    prepare: async () => {},
    async run() {
      pg.Client.prototype.query = function (this: object, ...args: unknown[]) {
        const fault = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
        if (isAway) return Promise.reject(fault())
        const result = (original as (...given: unknown[]) => unknown).apply(this, args)
        if (typeof args[0] !== 'string' || !args[0].endsWith('commit')) return result
        isAway = true
        return Promise.resolve(result).then(() => Promise.reject(fault()))
      } as typeof original
      return { status: 201, body: '{}' }
    },
    keepRefusal: () => null,
  }
  try {
    await expect(runLeased(h.ctx, env, request, work)).rejects.toBeInstanceOf(OutcomeUnknown)
  } finally {
    pg.Client.prototype.query = original
  }
})
