import type { Ctx } from '../../context.ts'
import type { Workspace } from '../../providers/connect.ts'
import { deviceTypes, type Endpoint, toDeviceToken } from '../../providers/endpoint.ts'
import { type ConnectionAuth, listConnectionAuths } from '../../store/channels/connections.ts'
import { listReached, type ReachedRow } from '../../store/channels/endpoints.ts'
import type { Db, Env } from '../../store/database.ts'
import { fitsContext, openEndpoint } from './endpoint-input.ts'

/** The workspace of an endpoint, as it was loaded. */
export type ReachedConnection = ConnectionAuth & { id: string; workspace: Workspace }

/** An endpoint that a message may go to. What it holds is opened when it is asked for: most are only counted. */
export type Reached = {
  id: string
  type: Endpoint['type']
  to(): Endpoint
  contextKeys: readonly string[]
  isGone: boolean
  /** The same for the same place. */
  place: string
  /** Null for planning, too. */
  connection: ReachedConnection | null
}

/** Subscriber id → integration id → endpoints, oldest first. */
type ReachedOfPeople = Map<string, Map<string, Reached[]>>

/** `toSend`: with the workspaces. */
export async function loadReached(
  ctx: Ctx,
  db: Db,
  env: Env,
  subscriberIds: readonly string[],
  { toSend }: { toSend: boolean },
): Promise<ReachedOfPeople> {
  const rows = await listReached(db, env, subscriberIds)
  const connections = toSend ? await loadConnections(db, env, rows) : new Map<string, ReachedConnection>()
  const people: ReachedOfPeople = new Map()
  for (const row of rows) {
    const ofPerson = people.get(row.subscriberId) ?? new Map<string, Reached[]>()
    people.set(row.subscriberId, ofPerson)
    const ofIntegration = ofPerson.get(row.integrationId) ?? []
    ofPerson.set(row.integrationId, ofIntegration)
    ofIntegration.push(toReached(ctx, env, row, connections))
  }
  return people
}

export async function loadConnections(
  db: Db,
  env: Env,
  rows: readonly ReachedRow[],
): Promise<Map<string, ReachedConnection>> {
  const ids = [...new Set(rows.flatMap(({ connectionId }) => connectionId ?? []))]
  return new Map(ids.length === 0 ? [] : (await listConnectionAuths(db, env, ids)).map((it) => [it.id, it]))
}

export function toReached(
  ctx: Ctx,
  env: Env,
  row: ReachedRow,
  connections: ReadonlyMap<string, ReachedConnection>,
): Reached {
  const { id, type, contextKeys, connectionId } = row
  let opened: Endpoint | undefined
  return {
    id,
    // It was checked when it was stored.
    type: type as Endpoint['type'],
    to() {
      opened ??= openEndpoint(ctx, env, row)
      return opened
    },
    contextKeys,
    isGone: row.goneAt !== null,
    place: row.place.toString('base64'),
    connection: connectionId === null ? null : (connections.get(connectionId) ?? null),
  }
}

/** Those that are used for an event of these contexts. A place that is given for several of them is told once. */
export function reachedIn(
  all: readonly Reached[] | undefined,
  contextKeys: readonly string[] | null,
): readonly Reached[] {
  const fitting = (all ?? []).filter((it) => fitsContext(it.contextKeys, contextKeys))
  return [...new Map(fitting.map((it) => [it.place, it])).values()]
}

type Devices = { deviceTokens?: string[]; endpoints?: readonly Reached[] } | undefined

/** Of a push message: whether there is any device. */
export function hasDevices(channel: Devices, contextKeys: readonly string[] | null): boolean {
  if ((channel?.deviceTokens ?? []).length > 0) return true
  return reachedIn(channel?.endpoints, contextKeys).some(({ type }) => deviceTypes.includes(type))
}

/** The tokens of the subscriber's credentials and of the endpoints, each once. */
export function devicesOf(channel: Devices, contextKeys: readonly string[] | null): string[] {
  const fitting = reachedIn(channel?.endpoints, contextKeys)
  return [...new Set([...(channel?.deviceTokens ?? []), ...fitting.flatMap(({ to }) => toDeviceToken(to()) ?? [])])]
}
