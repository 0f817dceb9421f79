import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { Ctx } from '../context.ts'
import type { Env } from '../store/database.ts'
import type { ActivityWatcher } from './dashboard/activity-watcher.ts'
import { type Common, defaultBodyLimitBytes, type Unnamed } from './define-route.ts'

type StreamArgs<Q extends TSchema = TSchema> = {
  ctx: Ctx
  env: Env
  query: Static<Q>
  activity: ActivityWatcher
  /** The last event that a client heard before it came back. */
  lastEventId: string | null
  /** Whether the caller's key or session is still good. */
  isAllowed(): Promise<boolean>
}

/** Server-sent events, for as long as the caller listens, or a file of JSON, one value a line. */
export type StreamOf = 'text/event-stream' | 'application/x-ndjson'

type StreamDefinition<Q extends TSchema> = {
  path: string
  summary: string
  query?: Q
  /** Default: events. */
  of?: StreamOf
  handler(args: StreamArgs<Q>): Promise<Readable>
}

export type StreamRoute = Common & {
  kind: 'stream'
  auth: 'key'
  query: TSchema | undefined
  body: undefined
  of: StreamOf
  handler(args: StreamArgs): Promise<Readable>
}

/** A route that answers with a stream. It holds no transaction and is not rate-limited. */
export function defineStream<Q extends TSchema>(definition: StreamDefinition<Q>): Unnamed<StreamRoute> {
  return {
    method: 'GET',
    path: definition.path,
    summary: definition.summary,
    kind: 'stream',
    auth: 'key',
    query: definition.query,
    body: undefined,
    status: 200,
    response: undefined,
    bodyLimitBytes: defaultBodyLimitBytes,
    of: definition.of ?? 'text/event-stream',
    // The host validates the query against this schema before it calls.
    handler: definition.handler as StreamRoute['handler'],
  }
}
