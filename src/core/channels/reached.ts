import type { Ctx } from '../../context.ts'
import type { Workspace } from '../../providers/connect.ts'
import { type Endpoint, toDeviceToken } from '../../providers/endpoint.ts'
import { listReached, type ReachedRow } from '../../store/channels/endpoints.ts'
import type { Db, Env } from '../../store/database.ts'
import { fitsContext, openEndpoint } from './endpoint-input.ts'

/** The workspace of an endpoint, as it was loaded. */
export type ReachedConnection = {
  id: string
  workspace: Workspace
  /** Sealed. */
  auth: string | null
  authNumber: number
  expiresAt: Date | null
  refused: string | null
}

/** An endpoint that a message may go to. */
export type Reached = {
  id: string
  to: Endpoint
  contextKeys: readonly string[]
  isGone: boolean
  connection: ReachedConnection | null
}

/** Subscriber id → integration id → endpoints, oldest first. */
export type ReachedOfPeople = Map<string, Map<string, Reached[]>>

export async function loadReached(
  ctx: Ctx,
  db: Db,
  env: Env,
  subscriberIds: readonly string[],
): Promise<ReachedOfPeople> {
  const people: ReachedOfPeople = new Map()
  for (const row of await listReached(db, env, subscriberIds)) {
    const ofPerson = people.get(row.subscriberId) ?? new Map<string, Reached[]>()
    people.set(row.subscriberId, ofPerson)
    ofPerson.set(row.integrationId, [...(ofPerson.get(row.integrationId) ?? []), toReached(ctx, env, row)])
  }
  return people
}

export function toReached(ctx: Ctx, env: Env, row: ReachedRow): Reached {
  const { id, contextKeys, connection } = row
  const expiresAt = connection?.expiresAt == null ? null : new Date(connection.expiresAt)
  return {
    id,
    to: openEndpoint(ctx, env, row),
    contextKeys,
    isGone: row.goneAt !== null,
    connection: connection && { ...connection, expiresAt },
  }
}

/** Those that are used for an event of these contexts. */
export function reachedIn(
  all: readonly Reached[] | undefined,
  contextKeys: readonly string[] | null,
): readonly Reached[] {
  return (all ?? []).filter((it) => fitsContext(it.contextKeys, contextKeys))
}

/** Of a push message: the tokens of the subscriber's credentials and of the endpoints, each once. */
export function devicesOf(
  channel: { deviceTokens?: string[]; endpoints?: readonly Reached[] } | undefined,
  contextKeys: readonly string[] | null,
): string[] {
  const fitting = reachedIn(channel?.endpoints, contextKeys).filter(({ isGone }) => !isGone)
  return [...new Set([...(channel?.deviceTokens ?? []), ...fitting.flatMap(({ to }) => toDeviceToken(to) ?? [])])]
}
