import type { Readable } from 'node:stream'
import type { Static, TSchema, TString } from 'typebox'
import type { Ctx } from '../context.ts'
import type { ApiError } from '../errors.ts'
import type { RawRequest } from '../lib/raw-request.ts'
import type { FoundSession } from '../store/access/sessions.ts'
import type { Db, Env, Outside } from '../store/database.ts'
import type { ActivityWatcher } from './dashboard/activity-watcher.ts'
import type { SignIn } from './dashboard/sessions.ts'

type Refusals = Partial<Record<409 | 422, TSchema>>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `/v2/topics/{topicKey}` → `{ topicKey: string }` */
type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof PathParams<Rest>]: string }
  : Record<never, string>

export type CallArgs<P extends string, Q extends TSchema, B extends TSchema> = {
  ctx: Ctx
  env: Env
  now: Date
  /** The caller's W3C trace context, not parsed yet. */
  traceparent: unknown
  params: PathParams<P>
  query: Static<Q>
  body: Static<B>
}

export type HandlerArgs<P extends string, Q extends TSchema, B extends TSchema, O = unknown> = CallArgs<P, Q, B> & {
  /** One transaction for everything but GET. */
  db: Db
  /** What `beforeTransaction` gave; undefined when it was not called. */
  prepared: O | undefined
  outside: Outside
}

type Definition<P extends string, Q extends TSchema, B extends TSchema, R extends TSchema, O> = {
  method: Method
  /** As the specification writes it: `/v2/topics/{topicKey}`. */
  path: P
  summary: string
  query?: Q
  body?: B
  /** Default 200; a 204 has no response. */
  status?: 200 | 201 | 204
  response?: R
  /** Refusals that carry more than the fields of an error. */
  refusals?: Refusals
  /** Default 1 MB. */
  bodyLimitBytes?: number
  /** A field of the body whose entries the handler checks one by one; the host only limits how deep it is nested. */
  contentCheckedByHandler?: string
  /** The body may come as multipart/form-data, too: its files become `files`, each with `name` and `content`. */
  takesForm?: true
  /**
   * Slow work, done before the handler and without a transaction: calls to providers, rendering. `when` reads the body
   * before it is validated and picks the requests that need the work; by default all do.
   */
  beforeTransaction?: { when?(body: unknown): boolean; call(args: CallArgs<P, Q, B>): Promise<O> }
  /**
   * Takes long, judged by a body that is not checked yet. An environment has few of these in hand on a node: between two
   * turns of them everybody else waits.
   */
  isHeavy?(body: unknown): boolean
  /**
   * In place of `handler`, for a request without an idempotency key: it may share its transaction with others like it. By
   * null it says that this one is to have its own.
   */
  together?(args: CallArgs<P, Q, B>): Promise<Static<R> | ApiError | null>
  /** A refusal that is returned keeps what was written; one that is thrown undoes it. */
  handler(args: HandlerArgs<P, Q, B, O>): Promise<Static<R> | ApiError>
}

type OpenArgs<P extends string> = { ctx: Ctx; now: Date; params: PathParams<P>; request: RawRequest }

type OpenDefinition<P extends string, R extends TSchema> = {
  method: 'GET' | 'POST'
  path: P
  summary: string
  /** `signature`: a vendor signed the body. `link`: the path holds a token that we sealed. The handler checks it. */
  auth: 'signature' | 'link'
  /** JSON of this shape. Without it the reply is a page (text/html). */
  response?: R
  handler(args: OpenArgs<P>): Promise<Static<R> | PlainReply | PageReply>
}

/** A reply in the form that the caller asks for. Never a page: nobody may run what a stranger had us say. */
export class PlainReply {
  readonly type: 'text/plain' | 'application/json'
  readonly body: string
  constructor(type: PlainReply['type'], body: string) {
    this.type = type
    this.body = body
  }
}

/** A page of ours, or the way to another one. */
export class PageReply {
  readonly status: 200 | 303
  readonly html: string
  readonly location: string | null
  constructor(status: PageReply['status'], html: string, location: string | null = null) {
    this.status = status
    this.html = html
    this.location = location
  }
}

type SessionArgs<B extends TSchema> = {
  body: Static<B>
  /** Null when nobody is signed in, so always for `sign-in`. */
  session: FoundSession | null
  /** Opens a session and sets its cookie. Throws `sign_in_refused`; a caller who fails too often must wait. */
  signIn(proof: SignIn): Promise<FoundSession | null>
  /** Ends the session, if there is one, and takes its cookie away. */
  signOut(): Promise<void>
}

type SessionDefinition<B extends TSchema, R extends TSchema> = {
  method: Method
  path: string
  summary: string
  /** `sign-in`: nobody is signed in yet. `session`: a cookie says who is; the handler decides what none means. */
  auth: 'sign-in' | 'session'
  body?: B
  status?: 200 | 204
  response?: R
  handler(args: SessionArgs<B>): Promise<Static<R>>
}

type StreamArgs = {
  env: Env
  activity: ActivityWatcher
  /** The last event that a client heard before it came back. */
  lastEventId: string | null
  /** Whether the caller's key or session is still good. */
  isAllowed(): Promise<boolean>
}

type StreamDefinition = {
  path: string
  summary: string
  /** Server-sent events, for as long as the caller listens. */
  handler(args: StreamArgs): Promise<Readable>
}

export type Common = {
  /** The folder of its file: `topics`. */
  resource: string
  /** Folder and file: `topics-create`. */
  name: string
  method: Method
  path: string
  summary: string
  status: 200 | 201 | 204
  response: TSchema | undefined
  bodyLimitBytes: number
}

/** A route as the host sees it, without the types of its own schemas. */
export type KeyRoute = Common & {
  kind: 'key'
  auth: 'key'
  query: TSchema | undefined
  body: TSchema | undefined
  contentCheckedByHandler: string | undefined
  takesForm: true | undefined
  refusals: Refusals | undefined
  beforeTransaction:
    | { when?(body: unknown): boolean; call(args: CallArgs<string, TSchema, TSchema>): Promise<unknown> }
    | undefined
  isHeavy: ((body: unknown) => boolean) | undefined
  together: ((args: CallArgs<string, TSchema, TSchema>) => Promise<unknown>) | undefined
  handler(args: HandlerArgs<string, TSchema, TSchema>): Promise<unknown>
}

export type StreamRoute = Common & {
  kind: 'stream'
  auth: 'key'
  query: undefined
  body: undefined
  handler(args: StreamArgs): Promise<Readable>
}

export type SessionRoute = Common & {
  kind: 'session'
  auth: 'sign-in' | 'session'
  query: undefined
  body: TSchema | undefined
  handler(args: SessionArgs<TSchema>): Promise<unknown>
}

export type OpenRoute = Common & {
  kind: 'open'
  auth: 'signature' | 'link'
  query: undefined
  body: undefined
  handler(args: OpenArgs<string>): Promise<unknown>
}

export type Unnamed<R extends Common> = R extends Common ? Omit<R, 'resource' | 'name'> : never

export const defaultBodyLimitBytes = 1024 * 1024

export function defineRoute<const P extends string, Q extends TSchema, B extends TSchema, R extends TSchema, O>(
  definition: Definition<P, Q, B, R, O>,
): Unnamed<KeyRoute> {
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    kind: 'key',
    auth: 'key',
    query: definition.query,
    body: definition.body,
    status: definition.status ?? 200,
    response: definition.response,
    bodyLimitBytes: definition.bodyLimitBytes ?? defaultBodyLimitBytes,
    contentCheckedByHandler: definition.contentCheckedByHandler,
    takesForm: definition.takesForm,
    refusals: definition.refusals,
    // The host validates query and body against these schemas before it calls.
    beforeTransaction: definition.beforeTransaction as KeyRoute['beforeTransaction'],
    isHeavy: definition.isHeavy,
    together: definition.together as KeyRoute['together'],
    handler: definition.handler as KeyRoute['handler'],
  }
}

/** A route without a key. The body is passed on as text, in any format; the handler finds out whose call it is. */
export function defineOpenRoute<const P extends string, R extends TSchema = TString>(
  definition: OpenDefinition<P, R>,
): Unnamed<OpenRoute> {
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    kind: 'open',
    auth: definition.auth,
    query: undefined,
    body: undefined,
    status: 200,
    response: definition.response,
    bodyLimitBytes: defaultBodyLimitBytes,
    handler: definition.handler as OpenRoute['handler'],
  }
}

/** A route of the dashboard's sign-in. The host refuses requests that do not come from our own pages. */
export function defineSessionRoute<B extends TSchema, R extends TSchema>(
  definition: SessionDefinition<B, R>,
): Unnamed<SessionRoute> {
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    kind: 'session',
    auth: definition.auth,
    query: undefined,
    body: definition.body,
    status: definition.status ?? 200,
    response: definition.response,
    bodyLimitBytes: defaultBodyLimitBytes,
    // The host validates the body against this schema before it calls.
    handler: definition.handler as SessionRoute['handler'],
  }
}

/** A route that answers with a stream. It holds no transaction and is not rate-limited. */
export function defineStream(definition: StreamDefinition): Unnamed<StreamRoute> {
  return {
    method: 'GET',
    path: definition.path,
    summary: definition.summary,
    kind: 'stream',
    auth: 'key',
    query: undefined,
    body: undefined,
    status: 200,
    response: undefined,
    bodyLimitBytes: defaultBodyLimitBytes,
    handler: definition.handler,
  }
}
