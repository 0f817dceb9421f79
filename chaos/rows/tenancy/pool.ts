import { clientOf, type Reply } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast } from '../../lib/red.ts'
import type { TenancyStage } from './stage.ts'

/** Many environments over two connections a node: none inherits anything from who had the connection before. */
export async function poolReuse({ world, nodes }: TenancyStage): Promise<string> {
  const [count, requests] = world.small ? [6, 300] : [24, 3_000]
  const faults = collectFaults()
  const tenants = await Promise.all(times(count, () => world.tenant()))
  const marks = tenants.map((_, n) => `mark${world.random.integer(1e8, 9e8)}of${n}.`)
  const clients = tenants.map((tenant) => nodes.map((node) => clientOf(node.url, tenant)))
  let shown = 0
  const ask = async (n: number, turn: number) => {
    const mark = marks[n] ?? ''
    const client = clients[n]?.[turn % nodes.length]
    if (!client) throw new Error('there is one')
    const reply = await world.random.pick(calls)(client, mark)
    if (reply.status >= 500) faults.add(`${reply.status} ${reply.text}`)
    const stolen = marks.find((other) => other !== mark && reply.text.includes(other))
    if (stolen) faults.add(`${mark} sees ${stolen}: ${reply.text}`)
    const environment = at(reply.body, '_environmentId')
    if (environment !== undefined && environment !== tenants[n]?.environmentId)
      faults.add(`of another environment: ${reply.text}`)
    if (reply.text.includes(mark)) shown++
  }
  await inParallel(
    times(requests, (turn) => turn),
    32,
    (turn) => ask(world.random.integer(0, count - 1), turn),
  )
  faults.end()
  expectAtLeast(shown, requests / 4, 'replies that show one’s own')
  return `${requests} interleaved requests of ${count} environments over ${nodes.length} × 2 connections: ${shown} show their own, none another's`
}

type Caller = ReturnType<typeof clientOf>

/** Reads, writes, replays, refusals inside and outside a transaction. */
const calls: ((client: Caller, mark: string) => Promise<Reply>)[] = [
  (client, mark) => client.post('/v2/subscribers', { subscriberId: 'p', firstName: mark, data: { mark } }),
  (client, mark) => client.post('/v2/topics', { key: 't', name: mark }),
  (client, mark) => client.post('/v2/topics', { key: 't', name: mark }, { 'idempotency-key': 'one' }),
  (client, mark) => client.post('/v1/tenants', { identifier: 'a', name: mark }),
  (client, mark) =>
    client.post('/v1/integrations', { providerId: 'sendgrid', channel: 'email', identifier: 'i', name: mark }),
  (client, mark) =>
    client.put('/v1/subscribers/p/credentials', { providerId: 'fcm', credentials: { deviceTokens: [mark] } }),
  (client) => client.post('/v2/topics/t/subscriptions', { subscriptions: ['p', 'nobody'] }),
  (client) => client.get('/v2/subscribers/p'),
  (client) => client.get('/v2/subscribers/p/export'),
  (client) => client.get('/v2/subscribers?limit=100'),
  (client) => client.get('/v2/topics/t'),
  (client) => client.get('/v2/topics?limit=100'),
  (client) => client.get('/v2/topics/t/subscriptions'),
  (client) => client.get('/v1/integrations'),
  (client) => client.get('/v1/tenants'),
  (client) => client.get('/v1/tenants/a'),
  (client) => client.get('/v2/subscribers/nobody'),
  (client, mark) => client.post('/v2/topics?failIfExists=true', { key: 't', name: mark }),
  (client) => client.patch('/v2/subscribers/p', { email: 'not an address' }),
]
