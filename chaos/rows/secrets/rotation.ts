import { setTimeout as sleep } from 'node:timers/promises'
import { createSealer, type Sealer } from '../../../src/lib/seal.ts'
import { secretPlaces } from '../../../src/lib/secret-places.ts'
import { clientOf, NoReply, send, type Tenant } from '../../lib/http.ts'
import { at, listAt, textAt } from '../../lib/json.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import type { ApiNode } from '../../lib/process.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat, type Faults } from '../../lib/red.ts'
import { newEncryptionKey, type World } from '../../lib/world.ts'
import type { SecretsStage } from './stage.ts'

/**
 * A new key while requests run: it is added on all nodes, then everything is resealed, then the old key is removed. No
 * request fails. (The new key's id reads as a pattern that also fits the old one's.)
 */
export async function keyRotation({ world, nodes, oldKey, bootstrapKey }: SecretsStage): Promise<string> {
  const newKey = newEncryptionKey('key_2')
  const people = world.small ? 40 : 620
  const tenant = await world.tenant()
  const running = [...nodes]
  const settings = (keys: string) => ({ ENCRYPTION_KEYS: keys, BOOTSTRAP_API_KEY: bootstrapKey })
  await seal(running, tenant, people)

  if (world.small) return resealOnly(world, running, [newKey, oldKey], settings)
  const faults = collectFaults()
  const load = startLoad(world, tenant, running, faults)
  const roll = async (keys: string) => {
    const fresh = await Promise.all(running.map(() => world.startNode(settings(keys))))
    for (const [place, node] of fresh.entries()) await replace(running, place, node)
  }
  let output = ''
  try {
    await roll(`${oldKey},${newKey}`)
    const reseal = await world.command(['secrets', 'reseal'], settings(`${newKey},${oldKey}`))
    expectEqual(reseal.code, 0, `secrets reseal: ${reseal.output}`)
    output = reseal.output
    await expectSealedWith(world, 'key_2')
    await roll(newKey)
    await sleep(300)
  } finally {
    await load.stop()
  }
  faults.end()
  expectThat(output.includes('No longer needed: key12'), `secrets reseal said: ${output}`)
  expectAtLeast(load.count(), 500, 'requests while the key changed')
  await expectAllThere(world, tenant, running[0]?.url ?? '', { newKey, people })
  const onlyOld = await world.command(['api'], { ...settings(oldKey), PORT: '0' })
  expectThat(
    onlyOld.code === 1 && onlyOld.output.includes('"key_2"'),
    `a start with the old key alone: ${onlyOld.code} ${onlyOld.output}`,
  )
  const otherBytes = await world.command(['api'], { ...settings(newEncryptionKey('key_2')), PORT: '0' })
  expectThat(
    otherBytes.code === 1,
    `a start with other bytes under the same id: ${otherBytes.code} ${otherBytes.output}`,
  )
  const resealed = [...output.matchAll(/: (\d+) resealed/g)].map(([, n]) => Number(n))
  expectAtLeast(Math.max(...resealed), 600, 'rows resealed in one table')
  return `${load.count()} requests during 4 restarts and a reseal of ${people} subscribers: 0 failed; all under the new key; the old one alone is refused`
}

/** What the mutation concerns, without the restarts. */
async function resealOnly(
  world: World,
  running: readonly ApiNode[],
  keys: string[],
  settings: (keys: string) => Record<string, string>,
): Promise<string> {
  // These nodes lack the new key.
  for (const node of running) expectEqual(await node.stop(), 'exit 0', 'how a node ends')
  const reseal = await world.command(['secrets', 'reseal'], settings(keys.join(',')))
  expectEqual(reseal.code, 0, `secrets reseal: ${reseal.output}`)
  await expectSealedWith(world, 'key_2')
  return 'resealed'
}

/** Rows under the old key: more than one batch of each table. */
async function seal(nodes: readonly ApiNode[], tenant: Tenant, people: number): Promise<void> {
  const client = clientOf(
    nodes.map((node) => node.url),
    tenant,
  )
  await client.post('/v1/integrations', {
    providerId: 'sendgrid',
    channel: 'email',
    active: true,
    name: 'Mail',
    credentials: { apiKey: 'SG.the-secret-of-the-mail' },
  })
  await client.put(`/v1/integrations/${textAt((await client.get('/v1/integrations')).body, 0, '_id')}`, {
    configurations: { inboundWebhookSigningKey: 'the-signing-key' },
  })
  const slack = await client.post('/v1/integrations', {
    providerId: 'slack',
    channel: 'chat',
    credentials: { clientId: 'client', secretKey: 'the-client-secret' },
  })
  const app = { integrationIdentifier: textAt(slack.body, 'identifier') }
  for (let i = 0; i < people; i += 500) {
    const subscribers = times(Math.min(500, people - i), (n) => ({ subscriberId: `p${i + n}` }))
    await client.post('/v1/subscribers/bulk', { subscribers })
  }
  await inParallel(
    times(people, (n) => n),
    12,
    async (n) => {
      const body = { providerId: 'fcm', credentials: { deviceTokens: [`token-${n}`] } }
      const reply = await client.put(`/v1/subscribers/p${n}/credentials`, body, { 'idempotency-key': `old-${n}` })
      expectEqual(reply.status, 200, reply.text)
      const auth = { accessToken: `access-${n}`, refreshToken: `refresh-${n}` }
      const workspace = { ...app, identifier: `w${n}`, workspace: { id: `T${n}` }, auth }
      const connected = await client.post('/v1/channel-connections', workspace)
      expectEqual(connected.status, 201, connected.text)
      const endpoint = { type: 'slack_channel', endpoint: { channelId: `C${n}` } }
      const place = { ...app, ...endpoint, subscriberId: `p${n}`, connectionIdentifier: `w${n}` }
      const placed = await client.post('/v1/channel-endpoints', place)
      expectEqual(placed.status, 201, placed.text)
    },
  )
}

/** Clients go to the new node, the old one drains; for a while both kinds answer. */
async function replace(running: ApiNode[], place: number, fresh: ApiNode): Promise<void> {
  const old = running[place]
  running[place] = fresh
  await sleep(100)
  expectEqual(await old?.stop(), 'exit 0', 'how a drained node ends')
}

function startLoad(world: World, tenant: Tenant, running: readonly ApiNode[], faults: Faults) {
  let [isOn, count] = [true, 0]
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const url = world.random.pick(running).url
    count++
    const reply = await send(url, method, path, {
      key: tenant.key,
      headers,
      ...(body === undefined ? {} : { body }),
    }).catch((error: unknown) => {
      if (error instanceof NoReply) return null
      throw error
    })
    if (!reply || reply.status >= 400)
      faults.add(`${method} ${path} → ${reply?.status ?? 'no reply'} ${reply?.text ?? ''}`)
    return reply
  }
  const lane = async (n: number) => {
    let page = await ask('GET', '/v2/subscribers?limit=3')
    for (let turn = 0; isOn; turn++) {
      const subscriberId = `load-${n}`
      const keyed = { 'idempotency-key': `load-${n}-${turn}` }
      const body = { providerId: 'fcm', credentials: { deviceTokens: [`load-${n}-${turn % 100}`] } }
      await ask('POST', '/v2/subscribers', { subscriberId })
      const first = await ask('PUT', `/v1/subscribers/${subscriberId}/credentials`, body, keyed)
      const again = await ask('PUT', `/v1/subscribers/${subscriberId}/credentials`, body, keyed)
      if (first?.text !== again?.text) faults.add(`a replay differs: ${first?.text} / ${again?.text}`)
      const list = await ask('GET', '/v1/integrations')
      const mail = listAt(list?.body).find((item) => textAt(item, 'providerId') === 'sendgrid')
      if (textAt(mail, 'credentials', 'apiKey') !== '••••mail')
        faults.add(`the integration reads ${JSON.stringify(mail)}`)
      if (turn % 5 === 0)
        await ask('PUT', `/v1/integrations/${textAt(mail, '_id')}`, {
          name: `Mail ${turn}`,
          credentials: { senderName: `n${turn}` },
        })
      const next = at(page?.body, 'next')
      // A cursor signed by the old key is as good under the new one.
      page = await ask('GET', `/v2/subscribers?limit=3${typeof next === 'string' ? `&after=${next}` : ''}`)
      await sleep(10)
    }
  }
  const lanes = Promise.all(times(4, lane))
  lanes.catch(() => {})
  return {
    count: () => count,
    async stop() {
      isOn = false
      await lanes
    },
  }
}

async function expectSealedWith(world: World, keyId: string): Promise<void> {
  const rows = await world.sql<{ place: string; n: number }>(
    `select 'subscriber_channel' as place, count(*)::int as n from subscriber_channel where not starts_with(credentials, $1)
     union all select 'channel_connection', count(*)::int from channel_connection where not starts_with(auth, $1)
     union all select 'channel_endpoint', count(*)::int from channel_endpoint where not starts_with(endpoint, $1)
     union all select 'idempotency', count(*)::int from idempotency where not starts_with(reply, $1)
     union all select 'api_key', count(*)::int from api_key where not starts_with(sealed_text, $1)
     union all select 'environment', count(*)::int from environment where not starts_with(signing_secret, $1)
     union all select 'integration', count(*)::int from integration, lateral (
       select value from jsonb_each_text(credentials) union all select value from jsonb_each_text(configurations)) f
       where not starts_with(f.value, $1)`,
    [`sealed.${keyId}.`],
  )
  for (const { place, n } of rows) expectEqual(n, 0, `texts of ${place} that the new key did not seal`)
}

/** Not only sealed with the new key: still the same texts. */
async function expectAllThere(
  world: World,
  tenant: Tenant,
  url: string,
  { newKey, people }: { newKey: string; people: number },
): Promise<void> {
  const [id = '', base64 = ''] = newKey.split(':')
  const sealer = createSealer([{ id, bytes: Buffer.from(base64, 'base64') }])
  const rows = await world.sql<{
    environmentId: string
    subscriberId: string
    integrationId: string
    name: string
    credentials: string
  }>(
    `select c.environment_id as "environmentId", c.subscriber_id as "subscriberId", c.integration_id as "integrationId",
       s.subscriber_id as name, c.credentials from subscriber_channel c
     join subscriber s on s.environment_id = c.environment_id and s.id = c.subscriber_id
     where c.environment_id = $1 and s.subscriber_id like 'p%'`,
    [tenant.environmentId],
  )
  expectEqual(rows.length, people, 'channels after the change of keys')
  for (const row of rows) {
    const opened: unknown = JSON.parse(sealer.open(secretPlaces.channel(row), row.credentials))
    expectEqual(at(opened, 'deviceTokens'), [`token-${row.name.slice(1)}`], `tokens of ${row.name}`)
  }
  await expectPlacesThere(world, tenant, sealer, people)
  const client = clientOf(url, tenant)
  const body = { providerId: 'fcm', credentials: { deviceTokens: ['token-0'] } }
  const replay = await client.put('/v1/subscribers/p0/credentials', body, { 'idempotency-key': 'old-0' })
  expectEqual(
    [replay.status, replay.headers.get('idempotency-replay')],
    [200, 'true'],
    'a reply stored under the old key',
  )
}

async function expectPlacesThere(world: World, { environmentId }: Tenant, sealer: Sealer, people: number) {
  const rows = await world.sql<{ id: string; endpoint: string; connectionId: string; auth: string; n: string }>(
    `select e.id, e.endpoint, c.id as "connectionId", c.auth, substr(c.identifier, 2) as n from channel_endpoint e
     join channel_connection c on c.environment_id = e.environment_id and c.id = e.connection_id
     where e.environment_id = $1`,
    [environmentId],
  )
  expectEqual(rows.length, people, 'endpoints after the change of keys')
  for (const { id, endpoint, connectionId, auth, n } of rows) {
    const place: unknown = JSON.parse(sealer.open(secretPlaces.endpoint({ environmentId, id }), endpoint))
    expectEqual(at(place, 'channelId'), `C${n}`, `the endpoint of w${n}`)
    const tokens: unknown = JSON.parse(sealer.open(secretPlaces.connection({ environmentId, id: connectionId }), auth))
    expectEqual(at(tokens, 'refreshToken'), `refresh-${n}`, `the tokens of w${n}`)
  }
}
