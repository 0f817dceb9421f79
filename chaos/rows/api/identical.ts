import type { Tenant } from '../../lib/http.ts'
import { send } from '../../lib/http.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { type ApiStage, type Call, isReplay, sendUntilSettled, unique } from './stage.ts'

/** How to call it, the one status everybody must get, and how often the rows say it ran. */
type Operation = {
  status: number
  prepare(post: (path: string, body: unknown) => Promise<unknown>): Promise<{ call: Call; name: string }>
  executions: string
}

/** All of them answer differently, or leave another row, when they run a second time. */
const operations: Operation[] = [
  {
    status: 201,
    prepare: async () => {
      const name = unique('person')
      const body = { subscriberId: name, firstName: 'Ada', data: { n: 1 } }
      return { name, call: { method: 'POST', path: '/v2/subscribers?failIfExists=true', body } }
    },
    executions: 'select version + 1 as n from subscriber where environment_id = $1 and subscriber_id = $2',
  },
  {
    status: 200,
    prepare: async () => {
      const name = unique('topic')
      return { name, call: { method: 'POST', path: '/v2/topics?failIfExists=true', body: { key: name, name: 'News' } } }
    },
    executions: 'select count(*)::int as n from topic where environment_id = $1 and key = $2',
  },
  {
    status: 200,
    prepare: async (post) => {
      const name = unique('owner')
      await post('/v2/subscribers', { subscriberId: name })
      const body = { providerId: 'fcm', credentials: { deviceTokens: [unique('token')] } }
      return { name, call: { method: 'PUT', path: `/v1/subscribers/${name}/credentials`, body } }
    },
    executions: 'select version as n from subscriber where environment_id = $1 and subscriber_id = $2',
  },
  {
    status: 201,
    prepare: async () => {
      const name = unique('mail')
      const body = { providerId: 'sendgrid', channel: 'email', name, credentials: { apiKey: 'SG.0123456789abcdef' } }
      return { name, call: { method: 'POST', path: '/v1/integrations', body } }
    },
    executions: 'select count(*)::int as n from integration where environment_id = $1 and name = $2',
  },
  {
    status: 201,
    prepare: async () => {
      const name = unique('bulk')
      const subscribers = times(5, (i) => ({ subscriberId: `${name}.${i}`, firstName: 'Ada' }))
      return { name, call: { method: 'POST', path: '/v1/subscribers/bulk', body: { subscribers } } }
    },
    executions: `select count(*)::int / 5 as n from subscriber where environment_id = $1 and starts_with(subscriber_id, $2 || '.')`,
  },
]

/** I7: one execution, one reply, whoever asks how often on whichever node. */
export async function identicalRequests({ world, nodes, tenants }: ApiStage): Promise<string> {
  const [rounds, width] = world.small ? [10, 20] : [200, 50]
  let replays = 0
  await inParallel(
    times(rounds, (round) => round),
    2,
    async (round) => {
      const tenant = tenants[round % tenants.length]
      const operation = operations[round % operations.length]
      if (!tenant || !operation) throw new Error('there are always some')
      const post = (path: string, body: unknown) => send(nodes[0].url, 'POST', path, { key: tenant.key, body })
      const { call, name } = await operation.prepare(post)
      const headers = { 'idempotency-key': unique('key') }
      const replies = await Promise.all(
        times(width, (i) => sendUntilSettled(nodes[i % 2 === 0 ? 0 : 1].url, call, { key: tenant.key, headers })),
      )
      const texts = new Set(replies.map((reply) => `${reply.status} ${reply.text}`))
      const fresh = replies.filter((reply) => !isReplay(reply)).length
      expectThat(
        texts.size === 1,
        `${call.method} ${call.path}: ${texts.size} different replies: ${[...texts].join(' | ')}`,
      )
      expectEqual(replies[0]?.status, operation.status, `${call.method} ${call.path}: ${replies[0]?.text}`)
      expectEqual(fresh, 1, `${call.method} ${call.path}: replies that were not replays`)
      expectEqual(await executions(world, tenant, operation, name), 1, `${call.method} ${call.path}: executions`)
      replays += width - fresh
    },
  )
  expectAtLeast(replays, rounds * (width - 1), 'replays')
  return `${rounds} rounds × ${width} requests on 2 nodes: ${rounds} executions, ${replays} equal replays`
}

async function executions(world: World, tenant: Tenant, { executions }: Operation, name: string): Promise<number> {
  const rows = await world.sql<{ n: number }>(executions, [tenant.environmentId, name])
  return rows[0]?.n ?? 0
}
