import { type Reply, send } from '../../lib/http.ts'
import { at, listAt, textAt } from '../../lib/json.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { expectAtLeast, expectEqual } from '../../lib/red.ts'
import { type ApiStage, unique } from './stage.ts'

/** Concurrent token appends from two nodes lose nothing, and agree on one integration for tokens that came first. */
export async function tokenAppends({ world, nodes }: ApiStage): Promise<string> {
  const [people, appends] = world.small ? [3, 20] : [12, 60]
  const tenant = await world.tenant()
  const ids = times(people, () => unique('phone'))
  for (const subscriberId of ids)
    await send(nodes[0].url, 'POST', '/v2/subscribers', { key: tenant.key, body: { subscriberId } })
  const calls = world.random.shuffle(
    ids.flatMap((id) => times(appends, (n) => ({ id, providerId: n % 2 === 0 ? 'fcm' : 'expo', token: `${id}:${n}` }))),
  )
  await inParallel(calls, 40, async ({ id, providerId, token }, i) => {
    const reply = await send(
      nodes[i % 2 === 0 ? 0 : 1].url,
      i % 3 === 0 ? 'PATCH' : 'PUT',
      `/v1/subscribers/${id}/credentials`,
      {
        key: tenant.key,
        body: { providerId, credentials: { deviceTokens: [token] } },
      },
    )
    expectEqual(reply.status, 200, reply.text)
  })
  for (const id of ids) {
    const reply = await send(nodes[0].url, 'GET', `/v2/subscribers/${id}`, { key: tenant.key })
    const wanted = calls.filter((call) => call.id === id).map((call) => call.token)
    expectEqual(tokensOf(reply).sort(), wanted.sort(), `tokens of ${id}`)
    expectEqual(at(reply.body, '__v'), appends, `changes counted for ${id}`)
  }
  const made = await world.sql<{ provider_id: string }>(
    'select provider_id from integration where environment_id = $1 order by provider_id',
    [tenant.environmentId],
  )
  expectEqual(
    made.map((row) => row.provider_id),
    ['expo', 'fcm'],
    'integrations made for the tokens',
  )
  expectAtLeast(calls.length, world.small ? 60 : 700, 'appends')
  return `${calls.length} concurrent appends to ${people} subscribers on 2 nodes: all tokens there, versions exact`
}

function tokensOf(reply: Reply): string[] {
  return listAt(reply.body, 'channels').flatMap((channel) =>
    listAt(channel, 'credentials', 'deviceTokens').map((_, i) => textAt(channel, 'credentials', 'deviceTokens', i)),
  )
}
