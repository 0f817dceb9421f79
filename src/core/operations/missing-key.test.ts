import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { loadTasks } from '../../engine/load-tasks.ts'
import { stopTaking } from '../../engine/work-tasks.ts'
import { createSealer } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { useEncryptionKey } from '../../store/access/encryption-keys.ts'
import { sendOwnMails } from '../own-mails/send-own-mails.ts'
import { unsubscribeToken } from '../subscribers/unsubscribe.ts'

/** A worker that lacks a key with which stored secrets are sealed, and then another one that has it. */
const [provider, endpoint] = [await startHttpReceiver(), await startHttpReceiver()]
afterAll(() => Promise.all([provider.close(), endpoint.close()]))
const reachable = allowing(provider.port, endpoint.port)
const keyOf = (id: string, byte: number) => ({ id, bytes: Buffer.alloc(32, byte) })
const settingOf = (...keys: ReturnType<typeof keyOf>[]) =>
  keys.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}`).join(',')
const [t1, k2] = [keyOf('t1', 1), keyOf('k2', 2)]
const h = useHarness({ ...reachable, ENCRYPTION_KEYS: settingOf(t1) }, { worker: true })
const elsewhere = createSealer([k2])

let env: Client
let messageId = ''
const mailId = uuid7(new Date())

/** Returns the tasks of this environment that failed and were returned to their queue. */
async function listReturned(): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select name, data->'tried' as tried from pgboss.job
    where data->>'environmentId' = ${env.environmentId} and state < 'completed' and data ? 'tried'`.execute(h.admin)
  return rows
}

async function plant(): Promise<void> {
  const { _id } = await makeIntegration(env, emailWebhook(provider.url))
  const place = { environmentId: env.environmentId, id: _id }
  const values = { webhookUrl: provider.url, secretKey: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=', from: 'team@example.com' }
  const credentials = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      elsewhere.seal(secretPlaces.integrationField(place, 'credentials', name), JSON.stringify(value)),
    ]),
  )
  await sql`update integration set credentials = ${JSON.stringify(credentials)} where id = ${_id}`.execute(h.admin)
  const made = await env.post('/v1/webhook-endpoints', { url: endpoint.url })
  const hook = { environmentId: env.environmentId, id: made.body._id }
  const secrets = elsewhere.seal(
    secretPlaces.webhookEndpoint(hook),
    JSON.stringify([{ secret: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=' }]),
  )
  await sql`update webhook_endpoint set secrets = ${secrets} where id = ${hook.id}`.execute(h.admin)
  await plantMail()
}

async function plantMail(): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from environment where id = ${env.environmentId}`.execute(h.admin)
  const place = { organizationId: rows[0]?.id ?? '', id: mailId }
  const letter = { kind: 'invitation', link: 'x', organization: 'x', by: null, until: '2000-01-01T00:00:00Z' }
  const link = elsewhere.seal(secretPlaces.ownMail(place), JSON.stringify(letter))
  await sql`
    insert into own_mail (organization_id, id, kind, subject_id, recipient, link, state, next_at)
    values (${place.organizationId}, ${mailId}, 'invitation', ${mailId}, 'a@example.com', ${link}, 'waiting', now())`.execute(
    h.admin,
  )
}

async function mail(): Promise<{ state: string; tries: number; claims: boolean }> {
  const { rows } = await sql<{ state: string; tries: number; claims: boolean }>`
    select state, tries, next_at > now() as claims from own_mail where id = ${mailId}`.execute(h.admin)
  return rows[0] ?? { state: 'gone', tries: -1, claims: false }
}

async function message(): Promise<Json> {
  const { rows } = await sql<Json>`
    select delivery, status, attempts, error_text, (select count(*)::int from attempt where message_id = m.id) as tries
    from message m where id = ${messageId}`.execute(h.admin)
  return rows[0]
}

test('a process learns within seconds which key it lacks', async () => {
  // Another process began to seal with k2 while this one was away.
  const checkValue = elsewhere.seal(secretPlaces.keyCheck('k2'), 'tidings')
  await useEncryptionKey(h.admin, { id: 'k2', checkValue })
  await expect.poll(() => h.ctx.sealer.missingKeyIds(), { timeout: 30_000 }).toEqual(['k2'])
  env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await plant()
  await env.post('/v2/subscribers', { subscriberId: 'ada', email: 'ada@example.org' })
  await trigger(env, { to: 'ada', payload: { order: 1 } })
})

test('without the key the message waits: no attempt is made or counted, and no task fails', async () => {
  const waiting = async () => {
    const { rows } = await sql<{ id: string; retry_at: Date | null }>`
      select id, retry_at from message where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(rows.length).toBeLessThanOrEqual(1)
    messageId = rows[0]?.id ?? ''
    return rows[0]?.retry_at?.getTime() ?? 0
  }
  await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThan(0)
  // It waits a second time, so that what follows the first time is seen too.
  const first = await waiting()
  await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThan(first)
  expect(await message()).toMatchObject({ delivery: 'open', attempts: 0, tries: 0, error_text: 'Not sent yet' })
  expect(await listReturned()).toEqual([])
  expect(provider.requests).toEqual([])
})

test('webhooks and our own mails wait, and no try of them counts', async () => {
  await expect.poll(mail, { timeout: 30_000 }).toEqual({ state: 'waiting', tries: 0, claims: true })
  // A delivery has a row as soon as its first try is taken.
  const deliveries = async () => {
    const { rows } = await sql`select id from webhook_delivery where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    return rows
  }
  // Some worker has had the endpoint and let it go.
  const isLeft = async () => {
    const { rows } = await sql<{ left: boolean }>`
      select busy_until > now() and busy_by is null as left from webhook_endpoint
      where environment_id = ${env.environmentId}`.execute(h.admin)
    return rows[0]?.left
  }
  await expect.poll(isLeft, { timeout: 30_000 }).toBe(true)
  expect(await deliveries()).toEqual([])
  expect(endpoint.requests).toEqual([])
})

test('a worker that returned a mail of ours leaves the next turn to the others', async () => {
  const isJustReturned = async () => {
    const { rows } = await sql<{ is: boolean }>`
      select tries = 0 and next_at > now() + interval '4 s' as is from own_mail where id = ${mailId}`.execute(h.admin)
    return rows[0]?.is
  }
  await expect.poll(isJustReturned, { timeout: 30_000, interval: 50 }).toBe(true)
  await sql`update own_mail set next_at = now() - interval '1 s' where id = ${mailId}`.execute(h.admin)
  expect(await sendOwnMails(h.ctx)).toBe(0)
  expect(await mail()).toEqual({ state: 'waiting', tries: 0, claims: false })
})

test('the API answers 503 with Retry-After, and names no key', async () => {
  const { status, body, headers, text } = await env.get('/v1/integrations')
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '5'])
  expect(body.message).toContain('cannot use its encryption keys')
  expect(text).not.toContain('k2')
  // Work that needs no secret continues.
  expect((await env.get('/v2/subscribers/ada')).status).toBe(200)
})

test('the node knows which key it lacks; an invented key in a link from outside has no effect', async () => {
  expect(h.ctx.sealer.missingKeyIds()).toEqual(['k2'])
  const link = { environmentId: env.environmentId, subscriberId: 'ada', workflowId: 'hello' }
  const forged = unsubscribeToken(createSealer([keyOf('k9', 9)]), link, new Date())
  expect((await h.send('GET', `/v1/unsubscribe/${forged}`)).status).toBe(404)
  expect(h.ctx.sealer.missingKeyIds()).toEqual(['k2'])
})

test('a worker that has the key sends everything', async () => {
  // The same happens when the worker is restarted with the key.
  stopTaking(h.ctx, (await loadTasks()).tasks)
  await h.node({ ...reachable, ENCRYPTION_KEYS: settingOf(t1, k2) })
  await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBe(1)
  await expect.poll(message, { timeout: 30_000 }).toMatchObject({ delivery: 'sent', attempts: 1, tries: 1 })
  await expect.poll(() => endpoint.requests.length, { timeout: 60_000 }).toBeGreaterThan(0)
  // The mail's link has expired, so it fails without being sent. Only a node with the key can see that.
  await expect.poll(mail, { timeout: 60_000 }).toMatchObject({ state: 'failed', tries: 1 })
})
