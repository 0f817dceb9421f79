import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Ctx } from '../context.ts'
import { errorBody, toApiError } from './error-reply.ts'
import type { Reply } from './idempotency.ts'
import { answerAndReadOn } from './read-on.ts'
import { toVendorNames } from './vendor-names.ts'

export const jsonType = 'application/json; charset=utf-8'

/** The result as JSON, with only the fields that the schema names. Fastify compiles the schema on first use and keeps it. */
export function serialize(reply: FastifyReply, result: unknown, schema: TSchema): string {
  return String(reply.serializeInput(Object(result), Object(schema)))
}

/** `unread`: a request whose body is not read, and whose connection closes after the reply. */
export function sendReply(
  ctx: Ctx,
  reply: FastifyReply,
  { status, body }: Reply,
  unread?: IncomingMessage,
): FastifyReply {
  reply.code(status)
  if (status === 204) return reply.send()
  const text = ctx.config.vendorNames ? toVendorNames(body) : body
  reply.header('content-type', jsonType)
  if (!unread) return reply.send(text)
  return reply.header('content-length', Buffer.byteLength(text)).send(answerAndReadOn(text, unread))
}

export function sendError(ctx: Ctx, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toApiError(thrown)
  request.outcome.code = error.code
  if (error.status >= 500) ctx.log.error({ requestId: request.id, err: thrown }, 'request failed')
  if (error.details.headers) reply.headers(error.details.headers)
  if (error.details.retryAfterSeconds) reply.header('retry-after', error.details.retryAfterSeconds)
  const body = errorBody(error, { id: request.id, path: request.url, now: ctx.clock() })
  reply.header('x-request-id', request.id)
  const isUnread = !request.raw.complete && reply.getHeader('connection') === 'close'
  return sendReply(ctx, reply, { status: error.status, body }, isUnread ? request.raw : undefined)
}
