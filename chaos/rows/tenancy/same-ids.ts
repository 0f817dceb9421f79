import { clientOf } from '../../lib/http.ts'
import { at, listAt, textAt } from '../../lib/json.ts'
import { expectEqual, expectThat } from '../../lib/red.ts'
import { expectSameRows, rowsOf, untilStill } from '../../lib/tenant-rows.ts'
import type { TenancyStage } from './stage.ts'

/** The same names in three environments are three things; what one does to his is not done to the others'. */
export async function sameIds({ world, nodes, owner, strangers }: TenancyStage): Promise<string> {
  let checks = 0
  for (const node of nodes) {
    const tenants = await Promise.all([
      world.tenant(),
      world.tenant({ organizationId: strangers[0]?.organizationId }),
      world.tenant(),
    ])
    const clients = tenants.map((tenant) => clientOf(node.url, tenant))
    for (const [n, client] of clients.entries()) {
      const headers = { 'idempotency-key': 'the-same-key' }
      const person = await client.post(
        '/v2/subscribers?failIfExists=true',
        { subscriberId: 'same', firstName: `of ${n}` },
        headers,
      )
      const topic = await client.post('/v2/topics?failIfExists=true', { key: 'same', name: `of ${n}` }, headers)
      const tenant = await client.post('/v1/tenants', { identifier: 'same', name: `of ${n}` }, headers)
      const mail = {
        providerId: 'sendgrid',
        channel: 'email',
        identifier: 'same',
        name: 'same',
        active: true,
        credentials: { apiKey: 'SG.0123456789' },
      }
      const integration = await client.post('/v1/integrations', mail, headers)
      for (const reply of [person, topic, tenant, integration]) {
        expectThat(
          reply.status < 300 && !reply.headers.has('idempotency-replay'),
          `the same id elsewhere: ${reply.text}`,
        )
        checks++
      }
      expectEqual(at(integration.body, 'primary'), true, 'the first of each environment is its primary')
    }
    const [first, second, third] = clients
    if (!first || !second || !third) throw new Error('three')
    const before = [await rowsOf(world, first.environmentId), await rowsOf(world, third.environmentId)]
    await changeAll(second)
    expectEqual(
      [await rowsOf(world, first.environmentId), await rowsOf(world, third.environmentId)],
      before,
      'rows of the others',
    )
    expectEqual(textAt((await first.get('/v2/subscribers/same')).body, 'firstName'), 'of 0', 'the name of the first')
    expectEqual((await second.get('/v2/subscribers/same')).status, 404, 'what the second deleted')
    checks += 3
    checks += await idsInBodies({ world, second, owner })
  }
  return `${checks} checks: the same ids, identifiers and idempotency keys in 3 environments stay apart; ids of others in bodies reach nothing`
}

async function changeAll(client: ReturnType<typeof clientOf>): Promise<void> {
  const [integration] = listAt((await client.get('/v1/integrations')).body)
  const replies = [
    await client.patch('/v2/topics/same', { name: 'changed' }),
    await client.patch('/v1/tenants/same', { name: 'changed' }),
    await client.put('/v1/subscribers/same/credentials', { providerId: 'fcm', credentials: { deviceTokens: ['t'] } }),
    await client.post('/v2/topics/same/subscriptions', { subscriptions: ['same'] }),
    await client.delete('/v2/topics/same'),
    await client.delete('/v2/subscribers/same'),
    await client.delete('/v1/tenants/same'),
    await client.delete(`/v1/integrations/${textAt(integration, '_id')}`),
  ]
  for (const reply of replies) expectThat(reply.status < 300, `changing one's own: ${reply.status} ${reply.text}`)
}

/** Ids of the owner where a body names something. */
async function idsInBodies({
  world,
  second,
  owner,
}: {
  world: TenancyStage['world']
  second: ReturnType<typeof clientOf>
  owner: TenancyStage['owner']
}): Promise<number> {
  const { ids, tenant } = owner
  await untilStill(world, tenant.environmentId)
  const before = await rowsOf(world, tenant.environmentId)
  await second.post('/v2/subscribers', { subscriberId: 'mine' })
  await second.post('/v2/topics', { key: 'mine' })
  const joined = await second.post('/v2/topics/mine/subscriptions', {
    subscriptions: [ids.subscriberId, ids['subscriber _id'], 'mine'],
  })
  expectEqual(at(joined.body, 'meta'), { totalCount: 3, successful: 1, failed: 2 }, 'subscribing people of others')
  const channel = { providerId: 'sendgrid', integrationIdentifier: ids['integration identifier'], credentials: {} }
  const named = await second.put('/v1/subscribers/mine/credentials', { ...channel, providerId: 'fcm' })
  expectEqual(named.status, 404, 'an integration of others by its identifier')
  const mail = { providerId: 'sendgrid', channel: 'email', _environmentId: tenant.environmentId }
  expectEqual((await second.post('/v1/integrations', mail)).status, 403, 'creating in the environment of others')
  const own = textAt(
    (await second.post('/v1/integrations', { ...mail, _environmentId: second.environmentId })).body,
    '_id',
  )
  expectEqual(
    (await second.put(`/v1/integrations/${own}`, { _environmentId: tenant.environmentId })).status,
    403,
    'moving to others',
  )
  const bulk = await second.post('/v1/subscribers/bulk', {
    subscribers: [{ subscriberId: ids.subscriberId, firstName: 'mine' }],
  })
  expectEqual(listAt(bulk.body, 'created').length, 1, 'a person of the same id, made anew')
  expectSameRows(await rowsOf(world, tenant.environmentId), before, "the owner's rows after ids in bodies")
  return 6
}
