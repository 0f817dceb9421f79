import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Endpoint } from '../../providers/endpoint.ts'
import {
  type ConnectionRow,
  findConnection,
  findOnlyConnection,
  holdConnection,
} from '../../store/channels/connections.ts'
import {
  countEndpoints,
  deleteEndpoints,
  deleteHooks,
  type EndpointRow,
  findByPlace,
  findEndpoint,
  freeEndpointIdentifier,
  insertEndpoint,
  lockAtPlace,
  markPlace,
  moveEndpoint,
  moveEndpoints,
  reviveEndpoint,
} from '../../store/channels/endpoints.ts'
import { type Db, type Env, sqlState, uniqueViolation } from '../../store/database.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { insertSubscribers, lockSubscriber, type SubscriberRow } from '../../store/subscribers.ts'
import { contextDigest, placeDigest, readEndpoint, sealEndpoint } from './endpoint-input.ts'

export type Scope = { ctx: Ctx; db: Db; env: Env; now: Date }

// Each is a message for every event.
const mostEndpoints = 100

export type NewEndpoint = {
  identifier?: string | undefined
  integration: IntegrationRow
  connectionIdentifier?: string | undefined
  subscriberId: string
  createSubscriberIfMissing?: boolean | undefined
  contextKeys: readonly string[]
  endpoint: Endpoint
}

/** 409 if the person has this place already, or somebody the identifier. */
export async function createEndpoint(scope: Scope, given: NewEndpoint): Promise<EndpointRow> {
  const { db, env } = scope
  const subscriber = await lockOwner(scope, given)
  const connection = await chooseConnection(scope, given, subscriber)
  if (connection) await hold(scope, connection.id)
  const id = uuid7(scope.now)
  const identifier = given.identifier ?? `che_${id.replaceAll('-', '')}`
  const known = await findKnown(scope, given, subscriber)
  if (known) {
    throw new ApiError('endpoint_exists', {
      message: `"${known.identifier}" is this endpoint of this subscriber already.`,
    })
  }
  await refuseTooMany(scope, given, subscriber)
  await freeEndpointIdentifier(db, env, identifier)
  if (!(await insertEndpoint(db, env, toRow(scope, given, { id, identifier, subscriber, connection }), scope.now))) {
    throw new ApiError('endpoint_exists', { message: `Another endpoint has the identifier "${identifier}".` })
  }
  return getEndpoint(db, env, identifier)
}

/** For somebody who showed where he is reached: given a second time, it is tried again and nothing else. Its identifier. */
export async function linkEndpoint(
  scope: Scope,
  given: Omit<NewEndpoint, 'connectionIdentifier'>,
  connectionId: string | null,
): Promise<string> {
  const { db, env, now } = scope
  const subscriber = await lockOwner(scope, given)
  if (connectionId !== null) await hold(scope, connectionId)
  const known = await findKnown(scope, given, subscriber)
  if (known) {
    await reviveEndpoint(db, env, known.id, connectionId, now)
    return known.identifier
  }
  if (given.endpoint.type === 'webhook' && connectionId !== null) {
    await deleteHooks(db, env, { subscriberId: subscriber.id, connectionId })
  }
  await refuseTooMany(scope, given, subscriber)
  const id = uuid7(now)
  const identifier = `che_${id.replaceAll('-', '')}`
  const connection = connectionId === null ? null : { id: connectionId }
  await insertEndpoint(db, env, toRow(scope, given, { id, identifier, subscriber, connection }), now)
  return identifier
}

export async function changeEndpoint(scope: Scope, identifier: string, given: unknown): Promise<EndpointRow> {
  const { ctx, db, env, now } = scope
  const row = await getEndpoint(db, env, identifier)
  const provider = ctx.providers.find(row.providerId)
  // It was checked when it was stored.
  const endpoint = readEndpoint(ctx, provider, row.type as Endpoint['type'], given)
  const to = { endpoint: sealEndpoint(ctx, env, row.id, endpoint), place: placeDigest(endpoint) }
  // Two that move to one place at the same moment: the index refuses the second.
  const isMoved = await moveEndpoint(db, env, row.id, to, now).catch((error: unknown) => {
    if (sqlState(error) === uniqueViolation) return false
    throw error
  })
  if (!isMoved) throw new ApiError('endpoint_exists')
  return getEndpoint(db, env, identifier)
}

export async function removeEndpoint({ db, env }: Scope, identifier: string): Promise<void> {
  const { id } = await getEndpoint(db, env, identifier)
  await deleteEndpoints(db, env, [id])
}

export async function getEndpoint(db: Db, env: Env, identifier: string): Promise<EndpointRow> {
  const row = await findEndpoint(db, env, identifier)
  if (!row) throw new ApiError('endpoint_not_found')
  return row
}

/** A vendor says that a chat wants no more of us, or (`back`) that it does again. */
export async function markChat(
  { db, env, now }: Scope,
  integrationId: string,
  { kind, endpoint }: { kind: 'left' | 'back'; endpoint: Endpoint },
): Promise<void> {
  await markPlace(db, env, { integrationId, place: placeDigest(endpoint) }, kind === 'left' ? now : null)
}

const movedAtOnce = 500

/** A vendor has another name for a chat now. Who is reached there already keeps that one alone. */
export async function followMove(
  { ctx, db, env, now }: Scope,
  integrationId: string,
  { from, to }: { from: Endpoint; to: Endpoint },
): Promise<void> {
  const [old, place] = [placeDigest(from), placeDigest(to)]
  for (;;) {
    const ids = await lockAtPlace(db, env, { integrationId, place: old }, movedAtOnce)
    if (ids.length === 0 || old.equals(place)) return
    const moving = ids.map((id) => ({ id, endpoint: sealEndpoint(ctx, env, id, to) }))
    const moved = new Set(await moveEndpoints(db, env, moving, place, now))
    await deleteEndpoints(
      db,
      env,
      ids.filter((id) => !moved.has(id)),
    )
  }
}

/** Somebody may delete it at this moment. */
async function hold({ db, env }: Scope, connectionId: string): Promise<void> {
  if (!(await holdConnection(db, env, connectionId))) throw new ApiError('connection_not_found')
}

/** Locks the person's row, so that concurrent calls are counted one after the other. */
async function lockOwner({ db, env, now }: Scope, given: NewEndpoint): Promise<SubscriberRow> {
  const { subscriberId } = given
  const found = await lockSubscriber(db, env, subscriberId)
  if (found) return found
  if (!given.createSubscriberIfMissing) throw new ApiError('subscriber_not_found')
  await insertSubscribers(db, env, [{ subscriberId }], now)
  const made = await lockSubscriber(db, env, subscriberId)
  if (!made) throw new ApiError('subscriber_not_found')
  return made
}

function findKnown({ db, env }: Scope, { integration, endpoint, contextKeys }: NewEndpoint, subscriber: SubscriberRow) {
  const own = { subscriberId: subscriber.id, integrationId: integration.id }
  return findByPlace(db, env, { ...own, place: placeDigest(endpoint), contexts: contextDigest(contextKeys) })
}

async function refuseTooMany(
  { db, env }: Scope,
  { integration }: NewEndpoint,
  subscriber: SubscriberRow,
): Promise<void> {
  const count = await countEndpoints(db, env, { subscriberId: subscriber.id, integrationId: integration.id })
  if (count >= mostEndpoints) throw new ApiError('too_many_endpoints')
}

/** The named one; else the only one of the integration that fits; else none: the integration's own token is used. */
async function chooseConnection(
  { db, env }: Scope,
  { connectionIdentifier, integration, contextKeys }: NewEndpoint,
  subscriber: SubscriberRow,
): Promise<Pick<ConnectionRow, 'id'> | null> {
  if (connectionIdentifier !== undefined) {
    const named = await findConnection(db, env, connectionIdentifier)
    if (!named) throw new ApiError('connection_not_found')
    if (named.integrationId !== integration.id) {
      throw invalidField('connectionIdentifier', `belongs to the integration "${named.integrationIdentifier}"`)
    }
    return named
  }
  return findOnlyConnection(db, env, { integrationId: integration.id, subscriberId: subscriber.id, contextKeys })
}

function toRow(
  { ctx, env }: Scope,
  { integration, contextKeys, endpoint }: NewEndpoint,
  own: { id: string; identifier: string; subscriber: SubscriberRow; connection: { id: string } | null },
) {
  return {
    id: own.id,
    identifier: own.identifier,
    integrationId: integration.id,
    connectionId: own.connection?.id ?? null,
    subscriberId: own.subscriber.id,
    contextKeys,
    contexts: contextDigest(contextKeys),
    type: endpoint.type,
    endpoint: sealEndpoint(ctx, env, own.id, endpoint),
    place: placeDigest(endpoint),
  }
}
