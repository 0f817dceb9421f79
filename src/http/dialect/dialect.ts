import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Config } from '../../config.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Reply } from '../idempotency.ts'
import type { Route } from '../load-routes.ts'
import { withOlder } from './aliases.ts'
import { fromVendorNames, toVendorNames } from './names.ts'
import { readFields } from './read-fields.ts'
import { withWholeNumbers } from './whole-numbers.ts'
import { isEnvelope, wrap, wrapChunks } from './wrap.ts'

/*
 * What VENDOR_NAMES=novu changes, all of it:
 *
 * - names: what is built in has the vendor's prefix, in requests and replies (names.ts);
 * - wrapping: a result becomes `{data: …}` unless it is such an envelope already (wrap.ts); errors do not;
 * - replies of another kind: `repliesThatDiffer` below;
 * - older addresses: they lead to routes of today (aliases.ts);
 * - numbers in queries: `10.0` counts as 10 (whole-numbers.ts);
 * - bodies may be form fields (read-fields.ts).
 *
 * It is for calls with an API key. A session of the dashboard is answered as ever, and so is who asks for it by
 * `tidings-replies: own`. Routes, rules and tables know nothing of it: a reply kept under an idempotency key is kept as
 * ours, and put into these words when it is sent.
 */

/** By the name of the route: our reply, and what stands in its place. */
const repliesThatDiffer: Readonly<Record<string, (reply: unknown) => unknown>> = {
  // Whether anything was stopped.
  'events-cancel': (reply) => isPlainObject(reply) && Number(reply.canceled) > 0,
  // Ours names the same list twice; with a `data` of its own it would pass for an envelope.
  'workflows-list': (reply) =>
    isPlainObject(reply) ? { workflows: reply.workflows, totalCount: reply.totalCount } : reply,
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route that is called with a key: its name. */
    keyRoute?: string
  }
}

type RawQuery = Record<string, string | string[]>

/** Who calls in the dialect. Inbox components, which have no key, are told the vendor's names and nothing else. */
export function speaksDialect({ vendorNames }: Config, { headers }: FastifyRequest): boolean {
  return vendorNames !== undefined && headers.authorization !== undefined && headers['tidings-replies'] !== 'own'
}

/** What was sent in a body or a path, in our words. */
export function fromDialect<T>(config: Config, request: FastifyRequest, sent: T): T {
  return speaksDialect(config, request) && !isAboutWords(request) ? fromVendorNames(sent) : sent
}

/** Translations: every field below them is a key of the caller's, and nothing is named. */
function isAboutWords({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.keyRoute?.startsWith('translations-') ?? false
}

/** A body of form fields, where one is taken; else null. */
export async function fieldsFromDialect(
  config: Config,
  request: FastifyRequest,
  text: () => Promise<string>,
): Promise<unknown> {
  const { keyRoute } = request.routeOptions.config
  const isForm = /^application\/x-www-form-urlencoded(;|$)/i.test(request.headers['content-type'] ?? '')
  return isForm && keyRoute !== undefined && speaksDialect(config, request) ? readFields(await text()) : null
}

/** The query as our checks take it. */
export function queryFromDialect(config: Config, request: FastifyRequest, schema: TSchema | undefined): RawQuery {
  const query = request.query as RawQuery
  return schema && speaksDialect(config, request) ? withWholeNumbers(fromVendorNames(query), schema) : query
}

/** The text of our reply as this caller is to get it. */
export function toDialect(config: Config, request: FastifyRequest, { status, body }: Reply): string {
  const { keyRoute } = request.routeOptions.config
  const isMeant = keyRoute === undefined ? config.vendorNames !== undefined : speaksDialect(config, request)
  if (!isMeant || body === '') return body
  const ours: unknown = JSON.parse(body)
  const result = isAboutWords(request) ? ours : toVendorNames(ours)
  if (keyRoute === undefined || status >= 400) return JSON.stringify(result)
  return JSON.stringify(wrap(inTheirWay(keyRoute, result)))
}

function inTheirWay(keyRoute: string | undefined, reply: unknown): unknown {
  const change = keyRoute === undefined ? undefined : repliesThatDiffer[keyRoute]
  return change ? change(reply) : reply
}

type Large = { result: unknown; schema: TSchema; write(result: unknown): AsyncGenerator<string> }

/** The same for a large result, which leaves while it is written. */
export function largeToDialect(config: Config, request: FastifyRequest, large: Large): AsyncGenerator<string> {
  const { schema, write } = large
  if (!speaksDialect(config, request)) return write(large.result)
  const result = inTheirWay(request.routeOptions.config.keyRoute, large.result)
  const chunks = write(toVendorNames(result))
  return isEnvelope(result, schema) ? chunks : wrapChunks(chunks)
}

/** What the server is to answer: in the dialect, older addresses too. */
export function withOlderAddresses({ vendorNames }: Config, routes: readonly Route[]): readonly Route[] {
  return vendorNames === undefined ? routes : withOlder(routes)
}
