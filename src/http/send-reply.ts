import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Ctx } from '../context.ts'
import { errorBody, toApiError } from './error-reply.ts'
import type { Reply } from './idempotency.ts'
import { toVendorNames } from './vendor-names.ts'

export const jsonType = 'application/json; charset=utf-8'

/** The result as JSON, with only the fields that the schema names. Fastify compiles the schema on first use and keeps it. */
export function serialize(reply: FastifyReply, result: unknown, schema: TSchema): string {
  return String(reply.serializeInput(Object(result), Object(schema)))
}

export function sendReply(ctx: Ctx, reply: FastifyReply, { status, body }: Reply): FastifyReply {
  reply.code(status)
  if (status === 204) return reply.send()
  return reply.header('content-type', jsonType).send(ctx.config.vendorNames ? toVendorNames(body) : body)
}

export function sendError(ctx: Ctx, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toApiError(thrown)
  request.outcome.code = error.code
  if (error.status >= 500) ctx.log.error({ requestId: request.id, err: thrown }, 'request failed')
  if (error.details.headers) reply.headers(error.details.headers)
  if (error.details.retryAfterSeconds) reply.header('retry-after', error.details.retryAfterSeconds)
  const body = errorBody(error, { id: request.id, path: request.url, now: ctx.clock() })
  reply.header('x-request-id', request.id)
  return sendReply(ctx, reply, { status: error.status, body })
}
