import type { Static, TSchema, TString } from 'typebox'
import type { Ctx } from '../context.ts'
import type { RawRequest } from '../lib/raw-request.ts'
import type { Db, Env } from '../store/database.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `/v2/topics/{topicKey}` → `{ topicKey: string }` */
type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof PathParams<Rest>]: string }
  : Record<never, string>

type CallArgs<P extends string, Q extends TSchema, B extends TSchema> = {
  ctx: Ctx
  env: Env
  now: Date
  /** The caller's W3C trace context, as it came. */
  traceparent: unknown
  params: PathParams<P>
  query: Static<Q>
  body: Static<B>
}

export type HandlerArgs<P extends string, Q extends TSchema, B extends TSchema, O = unknown> = CallArgs<P, Q, B> & {
  /** One transaction for everything but GET. */
  db: Db
  /** What `outside` gave; undefined when it was not called. */
  outside: O | undefined
}

type Definition<P extends string, Q extends TSchema, B extends TSchema, R extends TSchema, O> = {
  method: Method
  /** As the specification writes it: `/v2/topics/{topicKey}`. */
  path: P
  summary: string
  query?: Q
  body?: B
  /** 200 unless said; 204 has no response. */
  status?: 200 | 201 | 204
  response?: R
  /** 1 MB unless said. */
  bodyLimitBytes?: number
  /** The field of the body whose parts the handler judges one by one; of it the host refuses only absurd depth. */
  judgesContentOf?: string
  /**
   * Calls a provider, before the handler and outside of any transaction; an idempotency key is claimed by a lease
   * meanwhile. `when` says, of the body before it is
   * validated, which requests do; all, unless given.
   */
  outside?: { when?(body: unknown): boolean; call(args: CallArgs<P, Q, B>): Promise<O> }
  handler(args: HandlerArgs<P, Q, B, O>): Promise<Static<R>>
}

type OpenArgs<P extends string> = { ctx: Ctx; now: Date; params: PathParams<P>; request: RawRequest }

type OpenDefinition<P extends string, R extends TSchema> = {
  method: 'GET' | 'POST'
  path: P
  summary: string
  /** `signature`: the body is signed by a vendor. `link`: the path holds a token that we sealed. The handler judges it. */
  auth: 'signature' | 'link'
  /** JSON of this shape; without it a page (text/html). */
  response?: R
  handler(args: OpenArgs<P>): Promise<Static<R>>
}

type Common = {
  /** The file's name: `topics-create`. */
  name: string
  method: Method
  path: string
  summary: string
  status: 200 | 201 | 204
  response: TSchema | undefined
  bodyLimitBytes: number
}

/** What the host needs of a route once its types have done their work. */
export type KeyRoute = Common & {
  auth: 'key'
  query: TSchema | undefined
  body: TSchema | undefined
  judgesContentOf: string | undefined
  outside:
    | { when?(body: unknown): boolean; call(args: CallArgs<string, TSchema, TSchema>): Promise<unknown> }
    | undefined
  handler(args: HandlerArgs<string, TSchema, TSchema>): Promise<unknown>
}

export type OpenRoute = Common & {
  auth: 'signature' | 'link'
  query: undefined
  body: undefined
  handler(args: OpenArgs<string>): Promise<unknown>
}

export type Route = KeyRoute | OpenRoute
export type UnnamedRoute = Omit<KeyRoute, 'name'> | Omit<OpenRoute, 'name'>

const defaultBodyLimitBytes = 1024 * 1024

export function defineRoute<const P extends string, Q extends TSchema, B extends TSchema, R extends TSchema, O>(
  definition: Definition<P, Q, B, R, O>,
): UnnamedRoute {
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    auth: 'key',
    query: definition.query,
    body: definition.body,
    status: definition.status ?? 200,
    response: definition.response,
    bodyLimitBytes: definition.bodyLimitBytes ?? defaultBodyLimitBytes,
    judgesContentOf: definition.judgesContentOf,
    // The host validates query and body against these very schemas before it calls.
    outside: definition.outside as KeyRoute['outside'],
    handler: definition.handler as KeyRoute['handler'],
  }
}

/** A route without a key: the body comes as it is, in whatever format, and there is no environment but the handler's. */
export function defineOpenRoute<const P extends string, R extends TSchema = TString>(
  definition: OpenDefinition<P, R>,
): UnnamedRoute {
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    auth: definition.auth,
    query: undefined,
    body: undefined,
    status: 200,
    response: definition.response,
    bodyLimitBytes: defaultBodyLimitBytes,
    handler: definition.handler as OpenRoute['handler'],
  }
}
