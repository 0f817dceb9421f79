import type { Static, TSchema, TString } from 'typebox'
import type { Ctx } from '../context.ts'
import type { Self } from '../core/people/change-account.ts'
import type { ApiError } from '../errors.ts'
import type { RawRequest } from '../lib/raw-request.ts'
import type { Db, Env, Outside } from '../store/database.ts'
import type { FoundPersonSession, Origin } from '../store/people/person-sessions.ts'
import type { SessionJson } from './dashboard/session-json.ts'
import type { AnySession, SignIn } from './dashboard/sessions.ts'

type Refusals = Partial<Record<409 | 422, TSchema>>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `/v2/topics/{topicKey}` → `{ topicKey: string }` */
type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof PathParams<Rest>]: string }
  : Record<never, string>

export type CallArgs<P extends string, Q extends TSchema, B extends TSchema> = {
  ctx: Ctx
  /** The environment that it acts in. */
  env: Env
  /** That of the request; another one only where the route says so (`actsIn`). */
  home: Env
  now: Date
  /** Our own address, without a slash at the end; null: it is not known. */
  here: string | null
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
  /** Changes workflows, layouts or translations: refused in a protected environment. Judged by a body not checked yet. */
  changesContent?: true | ((body: unknown) => boolean)
  /**
   * Slow work, done before the handler and without a transaction: calls to providers, rendering. `when` reads the body
   * before it is validated and picks the requests that need the work; by default all do.
   */
  beforeTransaction?: { when?(body: unknown): boolean; call(args: CallArgs<P, Q, B>): Promise<O> }
  /** The environment it acts in, by the path or a body not checked yet: as if the request were in that one. */
  actsIn?(asked: { params: PathParams<P>; body: unknown }): unknown
  /**
   * Takes long, judged by a body that is not checked yet. An environment has few of these in hand on a node (`node`: all
   * of them together): between two turns of them everybody else waits.
   */
  isHeavy?(body: unknown): boolean | 'node'
  /**
   * In place of `handler`, for a request without an idempotency key: it may share its transaction with others like it. By
   * null it says that this one is to have its own.
   */
  together?(args: CallArgs<P, Q, B>): Promise<Static<R> | ApiError | null>
  /** After the commit of a call that was not refused: the reply waits for it. Also when a reply is repeated. */
  beforeReply?(args: CallArgs<P, Q, B>): Promise<void>
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

type SessionArgs<P extends string, B extends TSchema> = {
  ctx: Ctx
  now: Date
  params: PathParams<P>
  body: Static<B>
  origin: Origin
  /** Our own address, without a slash at the end; null: it is not known. */
  here: string | null
  /** Null when nobody is signed in, so always for `sign-in`. */
  session: AnySession | null
  /** The person who is signed in, and who acts. Throws for everybody else. */
  person(): { session: FoundPersonSession; self: Self }
  /** The same, but throws for whom a connection alone vouched: what is theirs beyond this organization stays closed. */
  account(): { session: FoundPersonSession; self: Self }
  /** Opens a session and sets its cookie. Throws `sign_in_refused`; a caller who fails too often must wait. */
  signIn(proof: SignIn): Promise<AnySession | null>
  /** The same for a session that `open` makes: null, or an error of 401, counts as a failure. Ends the session before. */
  enter(open: () => Promise<string | null>): Promise<AnySession | null>
  /** What a guesser would try again and again: an error of 401 counts as a failure, and too many must wait. */
  guess<T>(ask: () => Promise<T>): Promise<T>
  /** For what costs others something: each call counts as a failure does. */
  ration(): void
  /** For what costs us something and is no guess: two hundred a minute from one address. */
  pace(): void
  /** Has the browser keep this for what it begins now, and show it again (`kept`). */
  keep(text: string, seconds: number): void
  /** Empty when there is none. */
  kept(): string
  /** Ends the session, if there is one, and takes its cookie away. */
  signOut(): Promise<void>
  /** What a page is told about a session, in the environment that its request names. */
  show(session: AnySession | null): Promise<SessionJson>
}

type SessionDefinition<P extends string, B extends TSchema, R extends TSchema> = {
  method: Method
  path: P
  summary: string
  /** `sign-in`: nobody is signed in yet. `session`: a cookie says who is; the handler decides what none means. */
  auth: 'sign-in' | 'session'
  body?: B
  status?: Common['status']
  response?: R
  handler(args: SessionArgs<P, B>): Promise<Static<R>>
}

export type Common = {
  /** The folder of its file: `topics`. */
  resource: string
  /** Folder and file: `topics-create`. */
  name: string
  method: Method
  path: string
  summary: string
  status: 200 | 201 | 202 | 204
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
  changesContent: true | ((body: unknown) => boolean) | undefined
  refusals: Refusals | undefined
  beforeTransaction:
    | { when?(body: unknown): boolean; call(args: CallArgs<string, TSchema, TSchema>): Promise<unknown> }
    | undefined
  actsIn: ((asked: { params: Record<string, string>; body: unknown }) => unknown) | undefined
  isHeavy: ((body: unknown) => boolean | 'node') | undefined
  together: ((args: CallArgs<string, TSchema, TSchema>) => Promise<unknown>) | undefined
  beforeReply: ((args: CallArgs<string, TSchema, TSchema>) => Promise<void>) | undefined
  handler(args: HandlerArgs<string, TSchema, TSchema>): Promise<unknown>
}

export type SessionRoute = Common & {
  kind: 'session'
  auth: 'sign-in' | 'session'
  query: undefined
  body: TSchema | undefined
  handler(args: SessionArgs<string, TSchema>): Promise<unknown>
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
    changesContent: definition.changesContent,
    refusals: definition.refusals,
    // The host validates query and body against these schemas before it calls.
    beforeTransaction: definition.beforeTransaction as KeyRoute['beforeTransaction'],
    actsIn: definition.actsIn as KeyRoute['actsIn'],
    isHeavy: definition.isHeavy,
    together: definition.together as KeyRoute['together'],
    beforeReply: definition.beforeReply as KeyRoute['beforeReply'],
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
export function defineSessionRoute<const P extends string, B extends TSchema, R extends TSchema>(
  definition: SessionDefinition<P, B, R>,
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
