import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, client, sender, useHarness } from '../../../test/harness.ts'
import { makeSendgrid, openedCredentials } from '../../../test/integration-samples.ts'
import { createSealer } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { stringCredentials } from '../../providers/credential-names.ts'
import { listEncryptionKeys } from '../../store/access/encryption-keys.ts'
import { inTransaction } from '../../store/database.ts'
import { beginToSealWith } from './check-encryption-keys.ts'
import { resealSecrets } from './reseal-secrets.ts'

// Every node seals with t1 until `reseal` makes t2 the key that seals.
const bytes = (byte: number) => Buffer.alloc(32, byte)
const setting = (...keys: [string, number][]) => ({
  ENCRYPTION_KEYS: keys.map(([id, byte]) => `${id}:${bytes(byte).toString('base64')}`).join(','),
  DATABASE_POOL_SIZE: '8',
})
const h = useHarness(setting(['t1', 1], ['t2', 2], ['kX1', 5], ['k_1', 6]))
const newestFirst = setting(['t2', 2], ['t1', 1], ['kX1', 5], ['k_1', 6])
const withoutOldest = setting(['t2', 2], ['kX1', 5], ['k_1', 6])
const sealer = createSealer([
  { id: 't2', bytes: bytes(2) },
  { id: 't1', bytes: bytes(1) },
])

const reseal = (progress: (table: string, done: number) => void = () => {}, db = h.admin) =>
  resealSecrets(db, sealer, { now: new Date(), progress })

/** Brings the old key back, as a restored row would. */
async function useOldKey(): Promise<void> {
  await inTransaction(h.admin, (trx) => beginToSealWith(trx, sealer, 't1'))
  h.ctx.sealer.learn(await listEncryptionKeys(h.admin))
}

/** Pauses after each statement, so that requests come between reading a row and writing it. */
const unhurried = () =>
  h.admin.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => sleep(40, result),
  })

// Any text will do, where an address is asked for any address. Each round sets another one, so that a lost write shows.
const fieldNames = stringCredentials.filter((name) => name !== 'apiKey' && name !== 'region')

/** The sealed texts of every table, whether or not `secrets reseal` knows it, but those that the key itself proves. */
async function findSealed(): Promise<{ table: string; key: string; count: number }[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'encryption_key'`.execute(
    h.admin,
  )
  expect(tables.length).toBeGreaterThan(50)
  const texts = tables.map(
    ({ name }) => sql`select ${sql.lit(name)} as name, (regexp_matches(t::text, ${sealedText}, 'g'))[1] as key
      from ${sql.table(name)} t`,
  )
  const { rows } = await sql<{ table: string; key: string; count: number }>`
    select name as table, key, count(*)::int as count from (${sql.join(texts, sql` union all `)}) found
    group by 1, 2 order by 1, 2`.execute(h.admin)
  return rows
}

const sealedText = String.raw`\msealed\.(\w+)\.[\w-]{38}`

/** How many sealed texts each key has. */
async function sealedBy(): Promise<Record<string, number>> {
  const byKey = Map.groupBy(await findSealed(), ({ key }) => key)
  return Object.fromEntries([...byKey].map(([key, found]) => [key, found.reduce((sum, { count }) => sum + count, 0)]))
}

async function fill(env: Client, count: number): Promise<string[]> {
  const ids: string[] = []
  await env.post('/v1/environment/signing-secret')
  for (let n = 0; n < count; n++) {
    const made = await makeSendgrid(env, {
      credentials: { apiKey: `secret-number-${1000 + n}`, from: `a${n}@example.com` },
      configurations: { inboundWebhookSigningKey: `signing-number-${1000 + n}` },
    })
    ids.push(made._id)
    await env.post('/v2/subscribers', { subscriberId: `s${n}` }, { 'idempotency-key': `k${n}` })
    const sent = { providerId: 'fcm', credentials: { deviceTokens: [`token-${n}`] } }
    await env.put(`/v1/subscribers/s${n}/credentials`, sent)
  }
  await env.post('/v1/webhook-endpoints', { url: 'https://example.com/hook' })
  for (let n = 0; n < count; n++) {
    const values = [{ _environmentId: env.environmentId, value: `value-${n}` }]
    await env.post('/v1/environment-variables', { key: `KEY_${n}`, values })
  }
  await fillChannels(env, count)
  await fillPeople(env)
  return ids
}

/** Inserts a user with a second proof, a mail to that user, and a sign-in that has begun. */
async function fillPeople({ environmentId }: Client): Promise<void> {
  const [organizationId, personId, id] = [await organizationOf(environmentId), uuid7(new Date()), uuid7(new Date())]
  const { seal } = h.ctx.sealer
  await sql`
    insert into person (id, email, name, updated_at, totp_secret)
    values (${personId}, ${`${personId}@example.com`}, '', now(), ${seal(secretPlaces.totpSecret({ personId }), 'totp')})`.execute(
    h.admin,
  )
  await sql`
    insert into own_mail (organization_id, id, kind, subject_id, recipient, link, state, next_at)
    values (${organizationId}, ${id}, 'invitation', ${personId}, 'a@example.com',
      ${seal(secretPlaces.ownMail({ organizationId, id }), '{}')}, 'waiting', now() + interval '1 day')`.execute(
    h.admin,
  )
  await sql`
    insert into sign_in_connection (organization_id, id, name, issuer, client_id, client_secret, scopes, domains,
      trusts_email, group_roles, joins, active)
    values (${organizationId}, ${id}, 'x', 'https://issuer.example.com', 'client',
      ${seal(secretPlaces.signInSecret({ organizationId, id }), 'secret')}, '{}', '{}', true, '[]', true, true)`.execute(
    h.admin,
  )
  await sql`
    insert into sign_in_flow (organization_id, id, connection_id, state_hash, cookie_hash, nonce, verifier, expires_at)
    values (${organizationId}, ${id}, ${id}, '', '', '', ${seal(secretPlaces.signInVerifier({ organizationId, id }), 'v')},
      now() + interval '1 day')`.execute(h.admin)
}

async function organizationOf(environmentId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from environment where id = ${environmentId}`.execute(h.admin)
  return rows[0]?.id ?? ''
}

async function fillChannels(env: Client, count: number): Promise<void> {
  const { body: slack } = await env.post('/v1/integrations', { providerId: 'slack', channel: 'chat' })
  const own = { integrationIdentifier: slack.identifier }
  await env.post('/v1/channel-connections', { ...own, workspace: { id: 'T1' }, auth: { accessToken: 'xoxb-1' } })
  for (let n = 0; n < count; n++) {
    const place = { type: 'slack_channel', endpoint: { channelId: `C${n}` } }
    await env.post('/v1/channel-endpoints', { ...own, ...place, subscriberId: `s${n}` })
  }
}

/** Rows that are resealed before those of later environments, so that requests meet the change of keys under way. */
async function fillAtOnce(env: Client, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => {
    const id = uuid7(new Date())
    const place = [env.environmentId, 'integration', id, 'credentials', 'apiKey']
    return { id, identifier: `i${n}`, credentials: { apiKey: h.ctx.sealer.seal(place, '"x"') } }
  })
  await sql`
    insert into integration (environment_id, id, provider_id, channel, name, identifier, credentials, active)
    select ${env.environmentId}, id, 'slack', 'chat', 'x', identifier, credentials, false
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, identifier text, credentials jsonb)`.execute(
    h.admin,
  )
}

describe('resealSecrets', () => {
  test('while requests run: none fails, none is lost, everything ends under the new key and the old one is retired', async () => {
    await fillAtOnce(await h.environment(), 2_000)
    const env = await h.environment()
    const node = await h.node(newestFirst)
    const newer = client(sender(node.url), env.key)
    const ids = await fill(env, 30)
    expect(Object.keys(await sealedBy())).toEqual(['t1'])
    const holding = new Set((await findSealed()).map(({ table }) => table))

    let running = true
    const statuses: number[] = []
    const rounds = Array<number>(30).fill(0)
    const wanted = ids.map((): Record<string, string> => ({}))
    const change = async (n: number) => {
      for (let round = 1; running || round <= 2; round++) {
        const name = fieldNames[round % fieldNames.length] ?? ''
        const credentials = { [name]: /url$/i.test(name) ? `https://example.com/${round}` : `round-${round}` }
        const put = await newer.put(`/v1/integrations/${ids[n]}`, { credentials })
        Object.assign(wanted[n] ?? {}, credentials)
        const body = { providerId: 'fcm', credentials: { deviceTokens: [`token-${n}-${round}`] } }
        const appended = await newer.patch(`/v1/subscribers/s${n}/credentials`, body, {
          'idempotency-key': `patch-${n}-${round}`,
        })
        const read = await newer.send('GET', '/v1/integrations')
        statuses.push(put.status, appended.status, read.status)
        rounds[n] = round
      }
    }
    const requests = Promise.all([0, 1, 2, 3, 4, 5].map(change))
    const tables = new Set<string>()
    const { retired } = await reseal((table) => tables.add(table), unhurried())
    const duringIt = statuses.length
    running = false
    await requests
    expect(duringIt).toBeGreaterThan(0)

    expect(retired).toEqual(['t1'])
    expect([...tables]).toEqual([
      ...['integration', 'subscriber_channel', 'idempotency', 'channel_connection', 'channel_endpoint'],
      ...['webhook_endpoint', 'environment_variable', 'api_key', 'environment'],
      ...['person', 'own_mail', 'sign_in_connection', 'sign_in_flow'],
    ])
    expect(tables).toEqual(holding)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(statuses.length).toBeGreaterThanOrEqual(36)
    expect(Object.keys(await sealedBy())).toEqual(['t2'])
    expect((await listEncryptionKeys(h.admin)).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
      { id: 't1', retired: true },
      { id: 't2', retired: false },
    ])

    // A node that has only the new key reads all of it.
    const alone = client(sender((await h.node(withoutOldest)).url), env.key)
    const integrations = (await alone.send('GET', '/v1/integrations')).body
    for (const [n, id] of ids.entries()) {
      const shown = integrations.find((it: { _id: string }) => it._id === id)
      expect(shown.credentials.apiKey).toBe(`••••${1000 + n}`)
      const { channels } = (await alone.send('GET', `/v2/subscribers/s${n}`)).body
      const added = Array.from({ length: rounds[n] ?? 0 }, (_, round) => `token-${n}-${round + 1}`)
      expect(channels[0].credentials.deviceTokens).toEqual([`token-${n}`, ...added])
    }
    const byId = Object.fromEntries(ids.map((id, n) => [id, wanted[n]]))
    expect(await openedCredentials(h, env)).toMatchObject(byId)
    const replay = await alone.post('/v2/subscribers', { subscriberId: 's7' }, { 'idempotency-key': 'k7' })
    expect(replay.headers.get('idempotency-replay')).toBe('true')
  })

  test.each<[string, string, (env: Client) => Promise<number>]>([
    [
      'integration',
      'configurations',
      async (env) => {
        const [made] = (await env.get('/v1/integrations')).body
        const change = { credentials: { senderName: 'meanwhile' } }
        return (await env.put(`/v1/integrations/${made._id}`, change)).status
      },
    ],
    [
      'subscriber_channel',
      'subscriberId',
      async (env) => {
        const change = { providerId: 'fcm', credentials: { deviceTokens: ['meanwhile'] } }
        return (await env.patch('/v1/subscribers/s0/credentials', change)).status
      },
    ],
  ])('a change sent between reading a row of %s and resealing it is kept', async (_table, column, change) => {
    const env = await h.environment()
    await useOldKey()
    await fill(env, 1)
    const newer = { ...env, ...client(sender((await h.node(newestFirst)).url), env.key) }
    let sent: Promise<number> | undefined
    const db = h.admin.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!sent && result.rows.some((row) => column in row)) {
          sent = change(newer)
          // Long enough to finish, unless the row is locked, as it should be.
          await sleep(200)
        }
        return result
      },
    })
    await reseal(() => {}, db)
    expect(await sent).toBe(200)
    const shown = JSON.stringify([(await env.get('/v1/integrations')).body, (await env.get('/v2/subscribers/s0')).body])
    expect(shown).toContain('meanwhile')
    expect((await sealedBy()).t1).toBeUndefined()
  })

  test('again: nothing to do, nothing rewritten', async () => {
    const before = await sealedBy()
    const done: number[] = []
    expect(await reseal((_table, count) => done.push(count))).toEqual({ retired: [] })
    expect(done).toEqual([])
    expect(await sealedBy()).toEqual(before)
  })

  test('more rows than a batch holds: all of them, and progress says how many', async () => {
    const env = await h.environment()
    const old = createSealer([{ id: 't1', bytes: bytes(1) }])
    await env.post('/v2/subscribers', { subscriberId: 'x' })
    const claims = Array.from({ length: 1203 }, (_, n) => Buffer.from(`claim-${n}`))
    const replies = claims.map((claim) => old.seal([env.environmentId, 'idempotency', claim.toString('hex')], '{}'))
    await sql`
      insert into idempotency (environment_id, claim, request_hash, status, reply, claimed_at)
      select ${env.environmentId}, claim, '', 200, reply, now()
      from unnest(${claims}::bytea[], ${replies}::text[]) as given (claim, reply)`.execute(h.admin)
    await useOldKey()
    const done: number[] = []
    const { retired } = await reseal((table, count) => {
      if (table === 'idempotency') done.push(count)
    })
    expect(done).toEqual([500, 1000, 1203])
    expect(retired).toEqual(['t1'])
    expect((await sealedBy()).t1).toBeUndefined()
  })

  test('a text that does not open stops it, and no key is retired', async () => {
    const env = await h.environment()
    await useOldKey()
    await makeSendgrid(env)
    await sql`
      update integration set credentials = jsonb_build_object('from', credentials->'apiKey')
      where environment_id = ${env.environmentId}`.execute(h.admin)
    await expect(reseal()).rejects.toThrow()
    const t1 = (await listEncryptionKeys(h.admin)).find(({ id }) => id === 't1')
    expect(t1?.retired).toBe(false)
    await sql`delete from integration where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(await reseal()).toEqual({ retired: ['t1'] })
  })

  test('another reseal that makes another key seal stops it: neither key is retired while it still seals rows', async () => {
    const env = await h.environment()
    await useOldKey()
    await makeSendgrid(env)
    await env.post('/v2/subscribers', { subscriberId: 'two' }, { 'idempotency-key': 'two-reseals' })
    let began: Promise<void> | undefined
    const first = reseal(() => {
      // As the second `secrets reseal` does it, with the old key first again.
      began ??= useOldKey()
    }, unhurried())
    await expect(first).rejects.toThrow(/"t1" seals now/)
    await began
    const retired = (await listEncryptionKeys(h.admin)).filter((key) => key.retired).map(({ id }) => id)
    expect(Object.keys(await sealedBy()).filter((id) => retired.includes(id))).toEqual([])
    expect(await reseal()).toEqual({ retired: ['t1'] })
  })

  test('a key id is compared letter by letter: kX1 is not k_1', async () => {
    const env = await h.environment()
    const older = { id: 'kX1', bytes: bytes(5) }
    const newer = { id: 'k_1', bytes: bytes(6) }
    const claim = Buffer.from('claim')
    const reply = createSealer([older]).seal([env.environmentId, 'idempotency', claim.toString('hex')], '{}')
    await sql`insert into idempotency values (${env.environmentId}, ${claim}, '', 200, ${reply}, now())`.execute(
      h.admin,
    )
    const both = createSealer([newer, older, { id: 't2', bytes: bytes(2) }, { id: 't1', bytes: bytes(1) }])
    await resealSecrets(h.admin, both, { now: new Date(), progress() {} })
    expect(Object.keys(await sealedBy())).toEqual(['k_1'])
  })
})
