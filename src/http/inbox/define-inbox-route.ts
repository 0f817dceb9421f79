import type { Static, TSchema } from 'typebox'
import type { Ctx } from '../../context.ts'
import type { FindVouchers } from '../../core/inbox/vouchers.ts'
import type { Db, Env } from '../../store/database.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import type { CallArgs, Common, Method, Unnamed } from '../define-route.ts'

// Browsers send little, and some of them are nobody's.
const bodyLimitBytes = 64 * 1024

/** Whose inbox it is, from the caller's token. `isVouchedFor`: a hash proved it, or an API key asked for the token. */
export type Person = { subscriber: SubscriberRow; contextKeys: readonly string[]; isVouchedFor: boolean }

type InboxCall<P extends string, Q extends TSchema, B extends TSchema> = Omit<
  CallArgs<P, Q, B>,
  'traceparent' | 'home' | 'here'
> & {
  person: Person
}

type InboxArgs<P extends string, Q extends TSchema, B extends TSchema, O = unknown> = InboxCall<P, Q, B> & {
  /** One transaction for everything but GET. */
  db: Db
  /** What `beforeTransaction` gave. */
  prepared: O
}

type BeforeArgs<P extends string, Q extends TSchema, B extends TSchema> = InboxCall<P, Q, B> & {
  findVouchers: FindVouchers
}

type Definition<P extends string, Q extends TSchema, B extends TSchema, R extends TSchema, O> = {
  method: Method
  path: P
  summary: string
  query?: Q
  body?: B
  status?: 200 | 201 | 204
  response?: R
  /** Work without a transaction, done before the handler: hashes that are asked for, calls to vendors. */
  beforeTransaction?(args: BeforeArgs<P, Q, B>): Promise<O>
  /** Null is answered with 204. */
  handler(args: InboxArgs<P, Q, B, O>): Promise<Static<R> | null>
}

export type InboxRoute = Common & {
  kind: 'inbox'
  auth: 'inbox'
  query: TSchema | undefined
  body: TSchema | undefined
  beforeTransaction: ((args: BeforeArgs<string, TSchema, TSchema>) => Promise<unknown>) | undefined
  handler(args: InboxArgs<string, TSchema, TSchema>): Promise<unknown>
}

/** A route for the browser of one subscriber. It takes the token of a session, and nothing else opens it. */
export function defineInboxRoute<const P extends string, Q extends TSchema, B extends TSchema, R extends TSchema, O>(
  definition: Definition<P, Q, B, R, O>,
): Unnamed<InboxRoute> {
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    kind: 'inbox',
    auth: 'inbox',
    query: definition.query,
    body: definition.body,
    status: definition.status ?? 200,
    response: definition.response,
    bodyLimitBytes,
    // The host validates query and body against these schemas before it calls.
    beforeTransaction: definition.beforeTransaction as InboxRoute['beforeTransaction'],
    handler: definition.handler as InboxRoute['handler'],
  }
}

type SessionArgs<B extends TSchema> = { ctx: Ctx; now: Date; body: Static<B>; findVouchers: FindVouchers }

type SessionDefinition<B extends TSchema, R extends TSchema> = {
  path: string
  summary: string
  body: B
  response: R
  /** Refuses with a 400 who cannot prove whom he speaks for; who fails too often must wait. */
  handler(args: SessionArgs<B>): Promise<{ env: Env; reply: Static<R> }>
}

export type InboxSessionRoute = Common & {
  kind: 'inbox-session'
  auth: 'hash'
  query: undefined
  body: TSchema
  response: TSchema
  handler(args: SessionArgs<TSchema>): Promise<{ env: Env; reply: unknown }>
}

/** The route that gives such a token. */
export function defineInboxSession<B extends TSchema, R extends TSchema>(
  definition: SessionDefinition<B, R>,
): Unnamed<InboxSessionRoute> {
  return {
    method: 'POST',
    path: definition.path,
    summary: definition.summary,
    kind: 'inbox-session',
    auth: 'hash',
    query: undefined,
    body: definition.body,
    status: 201,
    response: definition.response,
    bodyLimitBytes,
    // The host validates the body against this schema before it calls.
    handler: definition.handler as InboxSessionRoute['handler'],
  }
}

export type InboxStreamRoute = Common & { kind: 'inbox-stream'; auth: 'inbox'; query: undefined; body: undefined }

/** The one route that answers with a stream of what is new. */
export function defineInboxStream(definition: { path: string; summary: string }): Unnamed<InboxStreamRoute> {
  return {
    ...definition,
    method: 'GET',
    kind: 'inbox-stream',
    auth: 'inbox',
    query: undefined,
    body: undefined,
    status: 200,
    response: undefined,
    bodyLimitBytes,
  }
}
