import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { newApiKey } from '../../../src/lib/api-key.ts'
import { send } from '../../lib/http.ts'
import { until } from '../../lib/outside-stage.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { errorShapeFault } from '../../oracles/error-shape.ts'
import type { SecretsStage } from './stage.ts'

/** Malformed keys cost no look-up: the database does not hear of them. */
export async function floodOfKeys({ world, nodes: [node] }: SecretsStage): Promise<string> {
  const { random } = world
  const good = (await world.tenant()).key
  const faults = collectFaults()
  const spoil: (() => Record<string, string>)[] = [
    () => ({}),
    () => ({ authorization: '' }),
    () => ({ authorization: 'ApiKey ' }),
    () => ({ authorization: `ApiKey ${good.slice(0, -1)}` }),
    () => ({ authorization: `ApiKey ${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}` }),
    () => ({ authorization: `ApiKey ${good}x` }),
    () => ({ authorization: `apikey ${good}` }),
    () => ({ authorization: `Bearer ${good}` }),
    () => ({ authorization: `ApiKey td_c1_${'0'.repeat(32)}_${'a'.repeat(51)}` }),
    () => ({ authorization: `ApiKey ${String(random.next()).repeat(random.integer(1, 400))}` }),
    () => ({ authorization: `ApiKey ${'é'.repeat(random.integer(1, 100))}` }),
    () => ({ authorization: `ApiKey  ${good}` }),
    () => ({ 'x-api-key': good }),
  ]
  // Whatever the node asked before has been asked.
  await sleep(200)
  const before = await lastStatements(world)
  const count = world.small ? 300 : 4_000
  await inParallel(
    times(count, (i) => i),
    24,
    async (i) => {
      const headers = (spoil[i % spoil.length] ?? (() => ({})))()
      const reply = await send(
        node.url,
        random.pick(['GET', 'POST', 'DELETE']),
        random.pick(['/v2/subscribers', '/v1/integrations', '/v2/topics/x']),
        { headers },
      )
      // Some pairs of method and path are no route; nobody is asked for a key there.
      if (reply.status !== 401 && reply.status !== 404)
        faults.add(`${JSON.stringify(headers)} → ${reply.status} ${reply.text}`)
      const fault = errorShapeFault(reply)
      if (fault) faults.add(fault)
    },
  )
  const after = await lastStatements(world)
  faults.end()
  // A connection that was idle too long may have been closed; none may be new or have said anything.
  const spoken = after.filter((it) => !before.includes(it))
  expectEqual(spoken, [], 'connections that spoke with the database')
  await send(node.url, 'GET', '/v2/topics', { key: newApiKey('c1', new Date()).text })
  const lookedUp = (await lastStatements(world)).some((it) => !after.includes(it))
  expectThat(lookedUp, 'a well-formed key is not looked up either: this row sees nothing')
  return `${count} malformed keys: 401, not one statement on the database`
}

/**
 * Returns when each connection of the nodes ran its last statement. Every node asks for the time and announces its encryption
 * keys every few seconds; connections whose last statement is one of these are left out.
 */
async function lastStatements(world: World): Promise<string[]> {
  const rows = await world.sql<{ at: string }>(
    `select pid || ' ' || query_start as at from pg_stat_activity
     where datname = current_database() and application_name = 'tidings'
       and query not like '%clock_timestamp()%' and query not like '%from encryption_key%' order by pid`,
  )
  return rows.map((row) => row.at)
}

/** An id that does not exist and one whose secret is wrong are answered alike, and as fast. */
export async function keyTiming({ world, nodes: [node] }: SecretsStage): Promise<string> {
  const count = world.small ? 60 : 300
  const known = await Promise.all(times(20, () => world.tenant()))
  const ask = async (key: string) => {
    const reply = await send(node.url, 'GET', '/v2/topics', { key })
    expectEqual(reply.status, 401, reply.text)
    return reply
  }
  const unknown = newApiKey('c1', new Date()).text
  const [right] = known
  if (!right) throw new Error('there are twenty')
  const remembered: Times = { unknown: [], wrong: [] }
  const fresh: Times = { unknown: [], wrong: [] }
  for (let i = 0; i < count; i++) {
    remembered.unknown.push((await ask(unknown)).ms)
    remembered.wrong.push((await ask(withOtherSecret(right.key))).ms)
  }
  for (const tenant of known.slice(1)) {
    fresh.unknown.push((await ask(newApiKey('c1', new Date()).text)).ms)
    fresh.wrong.push((await ask(withOtherSecret(tenant.key))).ms)
  }
  const told = Object.entries({ remembered, fresh }).map(([name, { unknown: a, wrong: b }]) => {
    const [x, y] = [median(a), median(b)]
    expectThat(
      Math.abs(x - y) < Math.max(1, Math.min(x, y)),
      `${name}: an unknown id takes ${x} ms, a wrong secret ${y} ms`,
    )
    return `${name} ${x.toFixed(2)} and ${y.toFixed(2)} ms`
  })
  const [a, b] = [await ask(unknown), await ask(withOtherSecret(right.key))]
  const plain = (text: string) => text.replaceAll(/"(timestamp|requestId)":"[^"]*"/g, '')
  expectEqual(plain(a.text), plain(b.text), 'the two refusals')
  return `unknown id and wrong secret, medians of ${count}: ${told.join('; ')}; equal words`
}

type Times = { unknown: number[]; wrong: number[] }

function withOtherSecret(key: string): string {
  const other = newApiKey('c1', new Date()).text
  const stem = key.slice(0, -51) + other.slice(-51, -8)
  return stem + crc32(stem).toString(16).padStart(8, '0')
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** A revoked key is refused by every node within 5 seconds; the other key of the environment goes on. */
export async function revokedKeys({ world, nodes, oldKey, bootstrapKey }: SecretsStage): Promise<string> {
  const tenant = await world.tenant()
  const settings = { ENCRYPTION_KEYS: oldKey, BOOTSTRAP_API_KEY: bootstrapKey }
  const created = await world.command(['keys', 'create', tenant.environmentId], settings)
  const second = /td_\S+/.exec(created.output)?.[0] ?? ''
  const [bootstrap] = await world.sql<{ id: string }>('select id from api_key where bootstrap and revoked_at is null')
  const keys = { issued: tenant.key, bootstrap: bootstrapKey, second }
  const lastGood = new Map<string, number>()
  let asking = true
  let asked = 0
  const pollers = nodes.flatMap((node, n) =>
    Object.entries(keys).map(async ([name, key]) => {
      while (asking) {
        const reply = await send(node.url, 'GET', '/v2/topics', { key })
        asked++
        if (reply.status === 200) lastGood.set(`${name} ${n}`, Date.now())
        await sleep(40)
      }
    }),
  )
  await until(() => lastGood.size === 6, 10_000, 'three keys that work on both nodes')
  for (const id of [tenant.keyId, bootstrap?.id ?? '']) {
    const revoked = await world.command(['keys', 'revoke', id], settings)
    expectEqual(revoked.code, 0, revoked.output)
  }
  const rows = await world.sql<{ id: string; at: Date }>(
    'select id, revoked_at as at from api_key where revoked_at is not null',
  )
  const revokedAt = (id: string | undefined) => rows.find((row) => row.id === id)?.at.getTime() ?? 0
  await sleep(Math.max(...rows.map((row) => row.at.getTime())) + 5_500 - Date.now())
  asking = false
  await Promise.all(pollers)
  const lags = [0, 1].flatMap((n) => [
    (lastGood.get(`issued ${n}`) ?? 0) - revokedAt(tenant.keyId),
    (lastGood.get(`bootstrap ${n}`) ?? 0) - revokedAt(bootstrap?.id),
  ])
  expectThat(Math.max(...lags) <= 5_000, `a revoked key still worked after ${Math.max(...lags)} ms`)
  for (const n of [0, 1])
    expectThat(Date.now() - (lastGood.get(`second ${n}`) ?? 0) < 1_000, 'the other key was refused too')
  expectAtLeast(asked, 200, 'requests')
  return `2 keys revoked on 2 nodes, ${asked} requests: refused after at most ${(Math.max(...lags) / 1000).toFixed(1)} s; the other key goes on`
}
