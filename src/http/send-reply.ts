import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Ctx } from '../context.ts'
import { largeToDialect, toDialect } from './dialect/dialect.ts'
import { errorBody, toApiError } from './error-reply.ts'
import type { Reply } from './idempotency.ts'
import { answerAndReadOn } from './read-on.ts'
import { isSmall, jsonChunks, serialize } from './write-json.ts'

export const jsonType = 'application/json; charset=utf-8'

// Sent at once, with its length; a larger reply leaves while it is written.
const heldChars = 512 * 1024

/** What a read found, of any size. */
export async function sendResult(
  ctx: Ctx,
  reply: FastifyReply,
  { status, result, schema }: { status: number; result: unknown; schema: TSchema },
): Promise<FastifyReply> {
  if (isSmall(result)) return sendReply(ctx, reply, { status, body: serialize(reply, result, schema) })
  const write = (result: unknown) => jsonChunks(reply, result, schema)
  const chunks = largeToDialect(ctx.config, reply.request, { result, schema, write })
  let held = ''
  // What fails up to here still gets an error as its reply.
  while (held.length < heldChars) {
    const { value, done } = await chunks.next()
    if (done) return reply.code(status).header('content-type', jsonType).send(held)
    held += value
  }
  const text = (async function* () {
    yield held
    yield* chunks
  })()
  return reply
    .code(status)
    .header('content-type', jsonType)
    .send(Readable.from(text, { objectMode: false }))
}

/** `unread`: a request whose body is not read, and whose connection closes after the reply. */
export function sendReply(ctx: Ctx, reply: FastifyReply, ours: Reply, unread?: IncomingMessage): FastifyReply {
  reply.code(ours.status)
  if (ours.status === 204) return reply.send()
  const text = toDialect(ctx.config, reply.request, ours)
  reply.header('content-type', jsonType)
  if (!unread) return reply.send(text)
  return reply.header('content-length', Buffer.byteLength(text)).send(answerAndReadOn(text, unread))
}

export function sendError(ctx: Ctx, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toApiError(thrown)
  request.outcome.code = error.code
  // A move is no fault.
  if (error.status >= 500 && error.code !== 'environment_held')
    ctx.log.error({ requestId: request.id, err: thrown }, 'request failed')
  if (error.details.headers) reply.headers(error.details.headers)
  if (error.details.retryAfterSeconds) reply.header('retry-after', error.details.retryAfterSeconds)
  const body = errorBody(error, { id: request.id, path: withoutKey(request.url), now: ctx.clock() })
  reply.header('x-request-id', request.id)
  const isUnread = !request.raw.complete && reply.getHeader('connection') === 'close'
  return sendReply(ctx, reply, { status: error.status, body }, isUnread ? request.raw : undefined)
}

/** Where vendors call, and where they send people back to, the address may hold a key, and others see what we answer. */
function withoutKey(url: string): string {
  return /^\/v1\/(webhooks|integrations\/chat\/oauth)\//.test(url) ? url.replace(/\?.*$/s, '') : url
}
