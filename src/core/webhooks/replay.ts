import { type Static, Type } from 'typebox'
import { ApiError, invalidField } from '../../errors.ts'
import { readTime } from '../../lib/read-time.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { isUuid7, uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import {
  type DeliveryRow,
  findDelivery,
  insertDelivery,
  replayDeliveries,
  replayDelivery,
} from '../../store/webhooks/deliveries.ts'
import { testType } from '../../store/webhooks/event-types.ts'
import { getEndpoint } from './save-endpoint.ts'

// Of one call: so many rows are changed in one transaction.
const mostReplayed = 5_000

export const replayInput = fields({
  since: Type.String({ description: 'Events of this time and later, as ISO 8601.' }),
  until: Type.Optional(Type.String({ description: 'And before this time; by default until now.' })),
  status: Type.Optional(
    oneOf(['failed', 'all'], { description: '`failed`, by default: what was given up. `all`: also what arrived.' }),
  ),
  after: Type.Optional(Type.String({ description: 'The `next` of the reply before, to go on.' })),
})

export async function getDelivery(db: Db, env: Env, endpointId: string, id: string): Promise<DeliveryRow> {
  const { id: known } = await getEndpoint(db, env, endpointId)
  const row = isUuid7(id) ? await findDelivery(db, env, known, id) : null
  if (!row) throw new ApiError('webhook_delivery_not_found')
  return row
}

export async function replayOne(db: Db, env: Env, endpointId: string, id: string, now: Date): Promise<DeliveryRow> {
  await getDelivery(db, env, endpointId, id)
  const row = await replayDelivery(db, env, endpointId, id, now)
  if (!row) throw new ApiError('webhook_delivery_not_found')
  return row
}

export async function replayRange(
  db: Db,
  env: Env,
  endpointId: string,
  { since, until, status = 'failed', after }: Static<typeof replayInput>,
  now: Date,
): Promise<{ replayed: number; next: string | null }> {
  const { id } = await getEndpoint(db, env, endpointId)
  if (after !== undefined && !isUuid7(after)) throw invalidField('after', 'must be the next of a reply', after)
  const range = {
    since: readTime('since', since),
    until: readTime('until', until) ?? now,
    states: status === 'all' ? ['failed', 'delivered'] : ['failed'],
    after: after ?? null,
  }
  const { count, last } = await replayDeliveries(db, env, id, range, { now, most: mostReplayed })
  return { replayed: count, next: last }
}

/** An event that only this endpoint gets, to see that it arrives and that its signature is right. */
export async function sendTest(db: Db, env: Env, endpointId: string, now: Date): Promise<DeliveryRow> {
  const endpoint = await getEndpoint(db, env, endpointId)
  if (endpoint.state !== 'enabled') throw new ApiError('webhook_endpoint_disabled')
  const id = uuid7(now)
  const { environmentId } = env
  const data = { endpointId: endpoint.id }
  const body = JSON.stringify({ type: testType, timestamp: now.toISOString(), environmentId, data })
  await insertDelivery(db, env, endpoint.id, { id, type: testType, body }, now)
  return getDelivery(db, env, endpoint.id, id)
}
