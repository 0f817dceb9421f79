import { type Reply, send } from '../../lib/http.ts'
import { at, listAt, textAt } from '../../lib/json.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { type Canary, findCanary, newCanary } from '../../oracles/canary.ts'
import { dumpBySql, dumpByTool } from '../../oracles/dump.ts'
import { type PlantedSecrets, plantSecrets, type SecretsStage } from './stage.ts'

/** I8: not in the database, not in a backup of it, not in what the nodes write. */
export async function databaseAndLogs(stage: SecretsStage): Promise<string> {
  const { world, nodes, oldKey, bootstrapKey } = stage
  const planted = await plantSecrets(stage)
  const sent = await abuse(stage, planted)
  const canaries: Canary[] = [
    ...planted.masked,
    ...planted.shown,
    ...sent.canaries,
    { place: 'API key', text: planted.tenant.key.slice(-47) },
    { place: 'bootstrap key', text: bootstrapKey },
    { place: 'encryption key', text: oldKey.split(':')[1] ?? '' },
  ]
  for (const echo of planted.echoes)
    expectThat(findCanary(echo, canaries) !== undefined, `nothing was planted: ${echo}`)

  const [bySql, byTool] = [await dumpBySql(world), await dumpByTool(world)]
  for (const [name, dump] of [
    ['the rows', bySql],
    ['pg_dump', byTool ?? 'plainly-readable'],
  ] as const) {
    expectThat(dump.includes('plainly-readable'), `${name} do not hold what is no secret`)
    const found = findCanary(dump, [...planted.masked, ...planted.shown, ...canaries.slice(-3)])
    expectThat(!found, `${name} hold the ${found?.place} in the clear`)
  }
  const logs = nodes.map((node) => node.output()).join('\n')
  expectAtLeast(logs.split('"msg":"request"').length - 1, sent.count, 'logged requests')
  const logged = findCanary(logs, canaries)
  expectThat(!logged, `the log holds the ${logged?.place}: ${lineWith(logs, logged)}`)
  const dumped = `${Math.round((bySql.length + (byTool?.length ?? 0)) / 1024)} KB by SQL${byTool ? ' and pg_dump' : ' (no pg_dump here)'}`
  return `${canaries.length} canaries in rows (${dumped}) and ${Math.round(logs.length / 1024)} KB of logs at level trace: none found`
}

/** Requests that fail in every way there is, with secrets in them. */
async function abuse({ world, nodes: [node] }: SecretsStage, { client, tenant, integrationIds }: PlantedSecrets) {
  const canaries: Canary[] = []
  const secret = (place: string) => {
    const canary = newCanary(world.random, place)
    canaries.push(canary)
    return canary.text
  }
  const mail = (credentials: unknown) => ({ providerId: 'sendgrid', channel: 'email', credentials })
  // A row that PostgreSQL refuses: its error quotes the whole row.
  await world.sql(
    `alter table subscriber add constraint refused check (first_name is distinct from 'refused by the database')`,
  )
  const calls: [what: string, number, Promise<Reply>][] = [
    ['credentials of the wrong type', 422, client.post('/v1/integrations', mail({ apiKey: [secret('a list')] }))],
    ['credentials that are text', 422, client.post('/v1/integrations', mail(secret('credentials as text')))],
    [
      'configurations that are text',
      422,
      client.post('/v1/integrations', { ...mail({}), configurations: secret('configurations as text') }),
    ],
    [
      'a signing key of the wrong type',
      422,
      client.put(`/v1/integrations/${integrationIds[0]}`, {
        configurations: { inboundWebhookSigningKey: [secret('signing key in a list')] },
      }),
    ],
    [
      'a refused URL',
      422,
      client.put('/v1/subscribers/ada/credentials', {
        providerId: 'slack',
        credentials: { webhookUrl: `http://localhost/${secret('refused URL')}` },
      }),
    ],
    [
      'a token that is too long',
      422,
      client.put('/v1/subscribers/ada/credentials', {
        providerId: 'fcm',
        credentials: { deviceTokens: [secret('long token').repeat(200)] },
      }),
    ],
    [
      'a field nobody knows',
      201,
      client.post('/v1/integrations', {
        ...mail({ unknown: secret('unknown credential') }),
        secret: secret('unknown field'),
      }),
    ],
    ['a path', 404, client.get(`/v2/subscribers/${secret('path')}`)],
    ['a query', 200, client.get(`/v2/subscribers?email=${secret('query')}`)],
    ['a wrong key', 401, send(node.url, 'GET', '/v2/subscribers', { key: secret('wrong key') })],
    ['a key in the query', 401, send(node.url, 'GET', `/v2/subscribers?apiKey=${secret('key in a query')}`)],
    [
      'broken JSON',
      400,
      send(node.url, 'POST', '/v2/subscribers', { key: tenant.key, raw: `{"a":"${secret('broken JSON')}"` }),
    ],
    [
      'a refused row',
      500,
      client.post('/v2/subscribers', {
        subscriberId: secret('refused id'),
        firstName: 'refused by the database',
        data: { a: secret('refused data') },
      }),
    ],
    [
      'other headers',
      200,
      send(node.url, 'GET', '/v2/topics', {
        key: tenant.key,
        headers: {
          cookie: secret('cookie'),
          'x-api-key': secret('header'),
          'user-agent': secret('agent'),
          referer: secret('referer'),
        },
      }),
    ],
  ]
  for (const [what, status, call] of calls) {
    const reply = await call
    expectEqual(reply.status, status, `${what}: ${reply.text}`)
    const inBody = canaries.filter(
      (canary) => !['path', 'query', 'refused URL'].includes(canary.place) || reply.status < 400,
    )
    // `path` of an error is what the caller asked for; everything else must not come back.
    const told = reply.text.replace(/"path":"[^"]*"/, '')
    expectThat(!findCanary(told, inBody), `${what} comes back: ${reply.text}`)
  }
  await world.sql('alter table subscriber drop constraint refused')
  return { canaries, count: calls.length }
}

/** Every reply that shows integrations, their own creation apart, shows masks. */
export async function maskedReplies(stage: SecretsStage): Promise<string> {
  const faults = collectFaults()
  const { client, masked, integrationIds, echoes } = await plantSecrets(stage)
  expectAtLeast(echoes.filter((echo) => findCanary(echo, masked)).length, 5, 'echoes of what was just sent')
  const [first = '', second = '', third = ''] = integrationIds
  const replies: [string, Promise<Reply>][] = [
    ['the list', client.get('/v1/integrations')],
    ['the active ones', client.get('/v1/integrations/active')],
    ['an update of the name', client.put(`/v1/integrations/${first}`, { name: 'Renamed' })],
    ['an update of another field', client.put(`/v1/integrations/${second}`, { credentials: { senderName: 'Ada' } })],
    ['an update without change', client.put(`/v1/integrations/${first}`, { credentials: {}, configurations: {} })],
    ['a new primary', client.post(`/v1/integrations/${first}/set-primary`)],
    ['a refused update', client.put(`/v1/integrations/${first}`, { credentials: { apiKey: null } })],
    ['a taken identifier', client.put(`/v1/integrations/${third}`, { identifier: 'renamed' })],
    ['another one', client.post('/v1/integrations', { providerId: 'sendgrid', channel: 'email' })],
    ['the workspaces', client.get('/v1/channel-connections')],
    ['a workspace', client.get('/v1/channel-connections/workspace')],
    [
      'a workspace with a mask for a token',
      client.patch('/v1/channel-connections/workspace', { workspace: { id: 'T0' }, auth: { accessToken: '••••' } }),
    ],
    ['its endpoints', client.get('/v1/channel-endpoints')],
  ]
  let looked = 0
  for (const [what, call] of replies) {
    const reply = await call
    looked++
    const found = findCanary(reply.text, masked)
    if (found) faults.add(`${what} shows the ${found.place}: ${reply.text}`)
    if (reply.status >= 500) faults.add(`${what} → ${reply.status} ${reply.text}`)
  }
  faults.end()
  const list = (await client.get('/v1/integrations')).body
  const shown = listAt(list).map((_, i) => JSON.stringify(at(list, i, 'credentials')))
  expectAtLeast(shown.join().split('••••').length - 1, masked.length - 6, 'masks in the list')
  // A mask that comes back means "as it was".
  const mask = textAt(
    listAt(list).find((item) => textAt(item, '_id') === first),
    'credentials',
    'apiKey',
  )
  const kept = await client.put(`/v1/integrations/${first}`, { credentials: { apiKey: mask } })
  expectEqual([kept.status, textAt(kept.body, 'credentials', 'apiKey')], [200, mask], 'a mask sent back')
  const gone = await client.delete(`/v1/integrations/${third}`)
  expectThat(!findCanary(gone.text, masked), `what remains after a deletion is shown: ${gone.text}`)
  return `${looked + 2} kinds of replies about ${integrationIds.length} integrations with ${masked.length} secrets: only masks`
}

function lineWith(logs: string, canary: Canary | undefined): string {
  return logs.split('\n').find((line) => canary && findCanary(line, [canary])) ?? ''
}
