import type { Reply } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { expectEqual, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { findCanary } from '../../oracles/canary.ts'
import { type PlantedSecrets, plantSecrets, type SecretsStage } from './stage.ts'

type Swap = { what: string; sql: string; values: unknown[]; read(): Promise<Reply> }

/** A ciphertext opens where it was sealed and nowhere else; who moves one gets an error, not a secret. */
export async function swappedCiphertext(stage: SecretsStage): Promise<string> {
  const { world, nodes } = stage
  const [ours, theirs] = [await plantSecrets(stage), await plantSecrets(stage)]
  const canaries = [ours, theirs].flatMap((it) => [...it.masked, ...it.shown])
  const swaps = [
    ...integrationSwaps(ours, theirs),
    ...channelSwaps(ours, theirs),
    ...endpointSwaps(ours, theirs),
    ...(await replySwaps(world, ours)),
  ]
  for (const { what, sql, values, read } of swaps) {
    const whole = await read()
    expectThat(whole.status < 300, `before: ${whole.status} ${whole.text}`)
    await save(world)
    const changed = await world.sql(sql, values)
    expectThat(changed.length > 0, `${what}: nothing was moved`)
    const reply = await read()
    expectEqual([reply.status, at(reply.body, 'code')], [500, 'internal_error'], what)
    expectThat(!findCanary(reply.text, canaries), `${what} reveals: ${reply.text}`)
    await restore(world)
    expectEqual((await read()).text, whole.text, `${what}: after it was put back`)
  }
  const logged = findCanary(nodes.map((node) => node.output()).join('\n'), canaries)
  expectThat(!logged, `the log holds the ${logged?.place}`)
  return `${swaps.length} ways to move, cut or forge a ciphertext: each fails without a word of what it holds`
}

function integrationSwaps(ours: PlantedSecrets, theirs: PlantedSecrets): Swap[] {
  const [env, other] = [ours.tenant.environmentId, theirs.tenant.environmentId]
  const [mail, , sms] = ours.integrationIds
  const read = () => ours.client.get('/v1/integrations')
  const set = (what: string, value: string, values: unknown[] = []): Swap => ({
    what,
    sql: `update integration i set credentials = jsonb_set(i.credentials, '{apiKey}', to_jsonb(${value}))
          from integration s where i.environment_id = $1 and i.id = $2 and s.environment_id = $3 and s.id = $4 returning i.id`,
    values: [env, mail, ...(values.length > 0 ? values : [env, mail])],
    read,
  })
  return [
    set('from another row', `s.credentials->>'apiKey'`, [env, sms]),
    set('from another field of another row', `s.credentials->>'secretKey'`, [env, sms]),
    set('from another column', `i.configurations->>'inboundWebhookSigningKey'`),
    set('from another environment', `s.credentials->>'apiKey'`, [other, theirs.integrationIds[0]]),
    set(
      'with one bit turned',
      `overlay(i.credentials->>'apiKey' placing
      case substr(i.credentials->>'apiKey', 60, 1) when 'A' then 'B' else 'A' end from 60)`,
    ),
    set('cut after the nonce', `left(i.credentials->>'apiKey', length('sealed.key12.') + 16)`),
    set('with a short tag', `left(i.credentials->>'apiKey', length('sealed.key12.') + 24)`),
    set('with an unknown key', `replace(i.credentials->>'apiKey', 'sealed.', 'sealed.x')`),
    set('as plain text', `'"SG.plain"'::text`),
    {
      what: 'between two fields of one row',
      sql: `update integration set credentials = credentials || jsonb_build_object(
              'apiKey', credentials->'secretKey', 'secretKey', credentials->'apiKey')
            where environment_id = $1 and id = $2 returning id`,
      values: [env, sms],
      read,
    },
  ]
}

function channelSwaps(ours: PlantedSecrets, theirs: PlantedSecrets): Swap[] {
  const read = () => ours.client.get('/v2/subscribers/ada')
  const from = (what: string, condition: string, environmentId: string): Swap => ({
    what,
    sql: `update subscriber_channel c set credentials = s.credentials
          from subscriber_channel s join integration si on si.environment_id = s.environment_id and si.id = s.integration_id
          where c.environment_id = $1 and s.environment_id = $2 and si.provider_id = 'fcm'
            and c.integration_id = (select id from integration where environment_id = $1 and provider_id = ${condition}) returning c.environment_id`,
    values: [ours.tenant.environmentId, environmentId],
    read,
  })
  return [
    from('a channel from another integration', `'slack'`, ours.tenant.environmentId),
    from('a channel from another environment', `'fcm'`, theirs.tenant.environmentId),
  ]
}

/** What is sealed of an endpoint: a reply opens it. Tokens of workspaces are opened by workers only (provider/chat faults). */
function endpointSwaps(ours: PlantedSecrets, theirs: PlantedSecrets): Swap[] {
  const [env, other] = [ours.tenant.environmentId, theirs.tenant.environmentId]
  const read = () => ours.client.get('/v1/channel-endpoints')
  const from = (what: string, table: string, column: string, condition: string, environmentId: string): Swap => ({
    what,
    sql: `update channel_endpoint e set endpoint = s.${column} from ${table} s
          where e.environment_id = $1 and e.identifier = 'channel' and s.environment_id = $2 and ${condition} returning e.id`,
    values: [env, environmentId],
    read,
  })
  return [
    from('an endpoint from another row', 'channel_endpoint', 'endpoint', `s.identifier = 'hook'`, env),
    from('an endpoint from another environment', 'channel_endpoint', 'endpoint', `s.identifier = 'channel'`, other),
    from('the tokens of a workspace as an endpoint', 'channel_connection', 'auth', `s.identifier = 'workspace'`, env),
  ]
}

/** A stored reply under another key: whoever repeats that request would get to see it. */
async function replySwaps(world: World, { client, tenant }: PlantedSecrets): Promise<Swap[]> {
  const post = (n: number) => client.post('/v2/topics', { key: `swap-${n}` }, { 'idempotency-key': `swap-${n}` })
  // Not by the time they were made: both may be made in the same millisecond.
  const claimOf = async (n: number, before: readonly string[]): Promise<string> => {
    await post(n)
    const [made] = await world.sql<{ claim: string }>(
      `select encode(claim, 'hex') as claim from idempotency
       where environment_id = $1 and encode(claim, 'hex') <> all ($2::text[])`,
      [tenant.environmentId, before],
    )
    return made?.claim ?? ''
  }
  const known = await world.sql<{ claim: string }>(
    `select encode(claim, 'hex') as claim from idempotency where environment_id = $1`,
    [tenant.environmentId],
  )
  const before = known.map((row) => row.claim)
  const first = await claimOf(1, before)
  const second = await claimOf(2, [...before, first])
  const sql = `update idempotency i set reply = s.reply from idempotency s
    where i.environment_id = $1 and i.claim = decode($2, 'hex')
      and s.environment_id = $1 and s.claim = decode($3, 'hex') returning 1`
  return [
    {
      what: 'a stored reply of another request',
      sql,
      values: [tenant.environmentId, second, first],
      read: () => post(2),
    },
  ]
}

const sealedTables = ['integration', 'subscriber_channel', 'channel_endpoint', 'idempotency']

async function save(world: World): Promise<void> {
  for (const table of sealedTables) await world.sql(`create table saved_${table} as table ${table}`)
}

async function restore(world: World): Promise<void> {
  await world.sql(`update integration t set credentials = s.credentials from saved_integration s where t.id = s.id`)
  await world.sql(`update subscriber_channel t set credentials = s.credentials from saved_subscriber_channel s
    where (t.subscriber_id, t.integration_id) = (s.subscriber_id, s.integration_id)`)
  await world.sql(`update channel_endpoint t set endpoint = s.endpoint from saved_channel_endpoint s where t.id = s.id`)
  await world.sql(`update idempotency t set reply = s.reply from saved_idempotency s
    where (t.environment_id, t.claim) = (s.environment_id, s.claim)`)
  for (const table of sealedTables) await world.sql(`drop table saved_${table}`)
}
