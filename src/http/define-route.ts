import type { Static, TSchema } from 'typebox'
import type { Ctx } from '../context.ts'
import type { Db, Env } from '../store/database.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `/v2/topics/{topicKey}` → `{ topicKey: string }` */
type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof PathParams<Rest>]: string }
  : Record<never, string>

export type HandlerArgs<P extends string, Q extends TSchema, B extends TSchema> = {
  ctx: Ctx
  /** One transaction for everything but GET. */
  db: Db
  env: Env
  now: Date
  params: PathParams<P>
  query: Static<Q>
  body: Static<B>
}

type Definition<P extends string, Q extends TSchema, B extends TSchema, R extends TSchema> = {
  method: Method
  /** As the specification writes it: `/v2/topics/{topicKey}`. */
  path: P
  summary: string
  /** Who may call it; `key` unless said. */
  auth?: 'key'
  query?: Q
  body?: B
  /** 200 unless said; 204 has no response. */
  status?: 200 | 201 | 204
  response?: R
  /** 1 MB unless said. */
  bodyLimitBytes?: number
  /** The field of the body whose parts the handler judges one by one; of it the host refuses only absurd depth. */
  judgesContentOf?: string
  handler(args: HandlerArgs<P, Q, B>): Promise<Static<R>>
}

/** What the host needs of a route once its types have done their work. */
export type Route = {
  /** The file's name: `topics-create`. */
  name: string
  method: Method
  path: string
  summary: string
  auth: 'key'
  query: TSchema | undefined
  body: TSchema | undefined
  status: 200 | 201 | 204
  response: TSchema | undefined
  bodyLimitBytes: number
  judgesContentOf: string | undefined
  handler(args: HandlerArgs<string, TSchema, TSchema>): Promise<unknown>
}

export type UnnamedRoute = Omit<Route, 'name'>

const defaultBodyLimitBytes = 1024 * 1024

export function defineRoute<const P extends string, Q extends TSchema, B extends TSchema, R extends TSchema>(
  definition: Definition<P, Q, B, R>,
): UnnamedRoute {
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    auth: definition.auth ?? 'key',
    query: definition.query,
    body: definition.body,
    status: definition.status ?? 200,
    response: definition.response,
    bodyLimitBytes: definition.bodyLimitBytes ?? defaultBodyLimitBytes,
    judgesContentOf: definition.judgesContentOf,
    // The host validates query and body against these very schemas before it calls.
    handler: definition.handler as UnnamedRoute['handler'],
  }
}
