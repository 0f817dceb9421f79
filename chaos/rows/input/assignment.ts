import { uuid7 } from '../../../src/lib/uuid7.ts'
import { send } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { collectFaults, expectAtLeast, expectEqual } from '../../lib/red.ts'
import { arrange, checkRefusal, type InputStage, withBody, withoutVendor } from './stage.ts'

/** Fields that are ours to set, sent along with every body: ignored, or refused; never obeyed, never stored. */
export async function massAssignment(stage: InputStage): Promise<string> {
  const { node, world, tenant, client } = stage
  const faults = collectFaults()
  const stranger = await world.tenant()
  const planted = uuid7(new Date(2001, 1, 1))
  const forced = {
    _id: planted,
    id: planted,
    _organizationId: stranger.organizationId,
    organization_id: stranger.organizationId,
    environment_id: stranger.environmentId,
    environmentId: stranger.environmentId,
    deleted: true,
    deletedAt: '2001-01-01T00:00:00.000Z',
    deleted_at: '2001-01-01T00:00:00.000Z',
    deletedBy: planted,
    primary: true,
    is_primary: true,
    placeholder: true,
    __v: 41,
    version: 41,
    createdAt: '2001-01-01T00:00:00.000Z',
    updatedAt: '2001-01-01T00:00:00.000Z',
    updated_at: '2001-01-01T00:00:00.000Z',
    isOnline: 'planted',
    full_name: 'planted',
    goneAt: '2001-01-01T00:00:00.000Z',
    refused: 'planted',
    authNumber: 41,
    key_id: planted,
    channels: [{ providerId: 'fcm', credentials: { deviceTokens: ['planted'] } }],
  }
  // The first of a channel is its primary, whatever is sent: here another one is, also when this row runs alone.
  const first = {
    providerId: 'sendgrid',
    channel: 'email',
    active: true,
    credentials: { apiKey: 'primary', from: 'a@b.example' },
  }
  expectEqual(
    (await send(node.url, 'POST', '/v1/integrations', { key: tenant.key, body: first })).status,
    201,
    'status',
  )
  let [sent, succeeded] = [0, 0]
  for (const op of withBody(stage)) {
    for (const environment of [undefined, tenant.environmentId, stranger.environmentId]) {
      const { path, body, headers = {} } = await arrange(client, op)
      const spoilt = { ...forced, ...(environment && { _environmentId: environment }), ...Object(body) }
      const isBulk = Array.isArray(at(body, 'subscribers'))
      const asSent = isBulk
        ? { subscribers: [{ ...spoilt, subscriberId: `bulk-${sent}`, subscribers: undefined }] }
        : spoilt
      const reply = await send(node.url, op.method, path, { key: tenant.key, headers, body: asSent })
      sent++
      checkRefusal(reply, `${op.method} ${path}`, faults)
      if (reply.status < 300) succeeded++
      // These nodes run as in production, where the development mailbox of the fixture sends nothing; and no vendor is here.
      else if (at(reply.body, 'code') === 'integration_cannot_send' || reply.status === withoutVendor(op)) sent--
      else if (!(reply.status === 403 && environment === stranger.environmentId))
        faults.add(`${op.method} ${path}: ${reply.text}`)
      for (const [name, value] of Object.entries(forced)) {
        if (name !== 'isOnline' && JSON.stringify(at(reply.body, name)) === JSON.stringify(value))
          faults.add(`${op.method} ${path}: ${name} was obeyed: ${reply.text}`)
      }
      if (/planted|2001-01-01/.test(reply.text) || reply.text.includes(planted))
        faults.add(`${op.method} ${path} shows what was planted: ${reply.text}`)
      const owner = at(reply.body, '_environmentId')
      if (owner !== undefined && owner !== tenant.environmentId) faults.add(`${op.method} ${path} belongs to ${owner}`)
    }
  }
  faults.end()
  const tables = await world.sql<{ table: string; n: number }>(
    `
    select 'subscriber' as table, count(*)::int as n from subscriber where environment_id = $1 or id = $2 or version > 40 or updated_at < '2002-01-01' or full_name = 'planted'
    union all select 'topic', count(*)::int from topic where environment_id = $1 or id = $2 or updated_at < '2002-01-01'
    union all select 'tenant', count(*)::int from tenant where environment_id = $1 or id = $2 or updated_at < '2002-01-01'
    union all select 'context', count(*)::int from context where environment_id = $1 or id = $2 or updated_at < '2002-01-01'
    union all select 'environment_variable', count(*)::int from environment_variable where environment_id = $1 or id = $2 or updated_at < '2002-01-01'
    union all select 'integration', count(*)::int from integration where environment_id = $1 or id = $2 or placeholder and name like 'mail%' or deleted_by = $2
    union all select 'channel_connection', count(*)::int from channel_connection where environment_id = $1 or id = $2 or updated_at < '2002-01-01'
    union all select 'channel_endpoint', count(*)::int from channel_endpoint where environment_id = $1 or id = $2 or updated_at < '2002-01-01'
    union all select 'connect_attempt', count(*)::int from connect_attempt where environment_id = $1 or id = $2
    union all select 'subscriber_channel', count(*)::int from subscriber_channel where environment_id = $1`,
    [stranger.environmentId, planted],
  )
  for (const { table, n } of tables) expectEqual(n, 0, `rows of ${table} that obeyed`)
  expectAtLeast(succeeded, sent / 2, 'accepted requests with such fields')
  return `${sent} bodies with ${Object.keys(forced).length} fields that are not theirs: ${succeeded} accepted without them, ${sent - succeeded} refused (403)`
}
