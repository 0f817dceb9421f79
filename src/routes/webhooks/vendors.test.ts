import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { fastest } from '../../../test/fastest.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { leastCredentials } from '../../../test/integration-samples.ts'
import { emailStep, makeIntegration } from '../../../test/outside.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { signers } from '../../../test/providers/hostile-callbacks.ts'
import type { Signer } from '../../../test/providers/signers/signer.ts'
import { callTools } from '../../core/integrations/provider-call.ts'
import type { Inbound } from '../../providers/inbound.ts'
import { loadProviders, type Provider } from '../../providers/provider.ts'
import { findIntegration } from '../../store/integrations.ts'

/** Every vendor that calls back, over HTTP, as its documentation says that it calls. */
const h = useHarness({}, { worker: true })
const listening = (await loadProviders()).all.flatMap(({ inbound, ...provider }) =>
  inbound ? [{ ...provider, inbound }] : [],
)
type Vendor = (typeof listening)[number]

/** Those that tell of messages. A bot's vendor tells of people. */
const reporting = listening.filter(({ inbound }) => !inbound.people)

test('every vendor has its events here', () => {
  const without = reporting.filter(({ id }) => !signers[id]?.events)
  expect(without.map(({ id }) => id)).toEqual([])
})

// Of these no report says that a number or an address is bad for good.
const neverForGood = ['azure-sms', 'forty-six-elks']
// Vendors wait longer, and the rest of the node does not wait at all (stall.slow.test.ts).
const mostMs = 1_000
// One for each of the tests below that need one.
const messagesEach = 3
// On a starved machine a try may be in doubt: its message would not be what these tests begin with.
const spare = 28
type Row = { id: string; notification_id: string }
let env: Client
let unused: Row[] = []

/** Messages that were really made, by the provider for developers. Each becomes one of a vendor's (`sentBy`). */
beforeAll(async () => {
  env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, { providerId: 'platform-email', channel: 'email' })
  const needed = reporting.length * messagesEach
  const people = Array.from({ length: needed + spare }, (_, n) => ({
    subscriberId: `person-${n}`,
    email: `person-${n}@example.org`,
  }))
  for (let from = 0; from < people.length; from += 100) await trigger(env, { to: people.slice(from, from + 100) })
  await h.settled()
  const { rows } = await sql<Row>`select id, notification_id from message
    where environment_id = ${env.environmentId} and status = 'sent' and error_id is null order by id`.execute(h.admin)
  expect(rows.length).toBeGreaterThanOrEqual(needed)
  unused = rows
})

/** An integration that listens, with what it needs to be active. */
async function listenTo(vendor: Vendor, signer: Signer) {
  const configurations = { inboundWebhookEnabled: true, inboundWebhookSigningKey: signer.signingKey }
  const { _id } = await makeIntegration(env, {
    providerId: vendor.id,
    channel: vendor.channel,
    credentials: leastCredentials(vendor as Provider),
    configurations,
    check: false,
  })
  const path = `/v1/webhooks/${_id}`
  const setKey = async (inboundWebhookSigningKey: string) => {
    const changed = { configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey }, check: false }
    expect((await env.put(`/v1/integrations/${_id}`, changed)).status).toBe(200)
  }
  const sign = (body: string) => ({ url: h.url + path, ...signer.sign({ body, url: h.url + path, now: new Date() }) })
  await fetchAsVendor(vendor.inbound, signer, _id, sign('{}'))
  return { id: _id as string, path, setKey, sign }
}

type SignedCall = { body: string; url: string; headers: Record<string, string> }

/**
 * Certificates and the like are fetched from the vendor, which is not here: its answers are put where the host keeps
 * what it fetched, by the provider itself.
 */
async function fetchAsVendor(inbound: Inbound, { http, signingKey }: Signer, id: string, call: SignedCall) {
  if (!http) return
  const mine = { environmentId: env.environmentId, organizationId: env.organizationId, keyId: '' }
  const row = await h.ctx.database.read(mine, (db) => findIntegration(db, mine, id))
  if (!row) throw new Error('no integration')
  const { cached, now } = callTools(h.ctx, mine, row, Date.now() + 5_000)
  await inbound.verify({ ...call, signingKey, credentials: {}, now, http, cached })
}

let ids = 100_000_000_000_000

/** A message that this vendor took. Its id has digits alone, as those of some vendors. */
async function sentBy(vendor: Vendor, integrationId: string) {
  const row = unused.pop()
  if (!row) throw new Error('no message is left')
  const externalId = String(++ids)
  const isPhone = vendor.channel === 'sms' || vendor.channel === 'chat'
  const to = isPhone ? `+49170${externalId.slice(-7)}` : `${vendor.channel}-${externalId}@example.org`
  await sql`update message set channel = ${vendor.channel}, provider_id = ${vendor.id}, integration_id = ${integrationId},
    external_id = ${externalId}, address = ${to} where id = ${row.id}`.execute(h.admin)
  const state = async () => {
    const { rows } = await sql<Json>`select status, error_id, feedback, delivered_at is not null as delivered
      from message where id = ${row.id}`.execute(h.admin)
    const { body } = await env.get(`/v1/notifications/${row.notification_id}`)
    const lines = body.jobs[0].executionDetails.filter((line: Json) => line.source === 'Webhook')
    return { ...rows[0], lines: lines.map((line: Json) => line.detail) }
  }
  return { externalId, messageId: row.id, to, state }
}

const untouched = { status: 'sent', error_id: null, feedback: null, delivered: false, lines: [] }

async function call({ url, body, headers }: SignedCall): Promise<number> {
  const path = url.slice(h.url.length)
  const type = /^[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded'
  return (await h.send('POST', path, { raw: body, headers: { 'content-type': type, ...headers }, key: null })).status
}

async function suppressed(channel: string, address: string): Promise<string[]> {
  const { rows } = await sql<{ reason: string }>`select reason from suppression
    where environment_id = ${env.environmentId} and channel = ${channel} and address = ${address}`.execute(h.admin)
  return rows.map(({ reason }) => reason)
}

describe.each(reporting)('what $id tells', (vendor) => {
  const signer = signers[vendor.id]
  if (!signer?.events) throw new Error(`${vendor.id} has no events in test/providers/signers`)
  const { events } = signer
  let here: Awaited<ReturnType<typeof listenTo>>
  beforeAll(async () => {
    here = await listenTo(vendor, signer)
  })

  test('a call without the proof, or with that of another key, is refused; the right one counts once', async () => {
    const it = await sentBy(vendor, here.id)
    const { delivered } = events(it)
    const bare = { body: delivered, url: h.url + here.path, headers: {} }
    expect(await call(bare)).toBe(401)
    await here.setKey(`x${signer.signingKey}`)
    expect(await call(here.sign(delivered))).toBe(401)
    await here.setKey(signer.signingKey)
    expect(await it.state()).toEqual(untouched)

    const signed = here.sign(delivered)
    expect(await call(signed)).toBe(200)
    const arrived = { ...untouched, feedback: 'delivered', delivered: true, lines: ['Message delivered'] }
    expect(await it.state()).toEqual(arrived)
    // The same bytes once more, and the same event in another call.
    expect(await call(signed)).toBe(200)
    expect(await call(here.sign(delivered))).toBe(200)
    expect(await it.state()).toEqual(arrived)
  })

  test('what bounced stays so, whatever comes late; e-mail addresses and numbers are suppressed', async () => {
    const it = await sentBy(vendor, here.id)
    const { bounced, delivered } = events(it)
    // Of a vendor that tells of devices: one of several.
    if (bounced === undefined) return expect(vendor.channel).toBe('push')
    for (const body of [bounced, delivered, bounced]) expect(await call(here.sign(body))).toBe(200)
    const ended = { status: 'error', error_id: 'bounced', feedback: 'bounced', delivered: false }
    expect(await it.state()).toEqual({ ...ended, lines: ['Message bounced'] })
    const isListed = (vendor.channel === 'email' || vendor.channel === 'sms') && !neverForGood.includes(vendor.id)
    expect(await suppressed(vendor.channel, it.to)).toEqual(isListed ? ['bounced'] : [])
  })

  test('an event without a kind of ours is kept under its own word, once', async () => {
    const it = await sentBy(vendor, here.id)
    const { other } = events(it)
    if (other === undefined) return
    for (let n = 0; n < 2; n++) expect(await call(here.sign(other))).toBe(200)
    const { lines, ...state } = await it.state()
    expect(lines).toEqual([expect.stringMatching(/^The provider reports: \S/)])
    expect({ ...state, lines: [] }).toEqual(untouched)
    expect(await suppressed(vendor.channel, it.to)).toEqual([])
  })
})

describe.each(listening)('a call of $id', (vendor) => {
  const signer = signers[vendor.id]
  if (!signer) throw new Error(`${vendor.id} is not in test/providers/signers`)
  let here: Awaited<ReturnType<typeof listenTo>>
  beforeAll(async () => {
    here = await listenTo(vendor, signer)
  })

  // Those that report show it above, with a report.
  const isBot = !reporting.includes(vendor)
  test.runIf(isBot)('is refused without its proof, or with that of another key; the right one is taken', async () => {
    expect(await call({ body: '{}', url: h.url + here.path, headers: {} })).toBe(401)
    await here.setKey(`x${signer.signingKey}`)
    expect(await call(here.sign('{}'))).toBe(401)
    await here.setKey(signer.signingKey)
    expect(await call(here.sign('{}'))).toBe(200)
  })

  test('a body larger than its own is refused, proof or not', async () => {
    const body = 'x'.repeat(vendor.inbound.mostBytes + 1)
    expect(await call({ body, url: h.url + here.path, headers: {} })).toBe(413)
    expect(await call({ ...here.sign('{}'), body })).toBe(413)
  })

  test('thousands of fields are answered soon, and are no fault of ours', async () => {
    const count = Math.min(10_000, Math.floor(vendor.inbound.mostBytes / 16))
    const names = Array.from({ length: count }, (_, n) => `field${n}`)
    for (const body of [names.map((it) => `${it}=1`).join('&'), `{${names.map((it) => `"${it}":1`).join(',')}}`]) {
      for (const given of [{ body, url: h.url + here.path, headers: {} }, here.sign(body)]) {
        const ms = await fastest(mostMs, async () => {
          const began = performance.now()
          expect([200, 401]).toContain(await call(given))
          return performance.now() - began
        })
        expect(ms).toBeLessThan(mostMs)
      }
    }
  })
})
