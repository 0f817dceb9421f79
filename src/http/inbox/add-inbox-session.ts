import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../context.ts'
import type { FindVouchers } from '../../core/inbox/vouchers.ts'
import { ApiError } from '../../errors.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { bodyValidator } from '../../lib/validate.ts'
import type { RateLimit } from '../access/rate-limit.ts'
import type { FailureLimit } from '../dashboard/failure-limit.ts'
import { sendReply } from '../send-reply.ts'
import { serialize } from '../write-json.ts'
import type { InboxSessionRoute } from './define-inbox-route.ts'

type Parts = {
  findVouchers: FindVouchers
  failureLimit: FailureLimit
  addressLimit: RateLimit
  sessionLimit: RateLimit
}

/** The one route of the inbox that anybody can call: limited by address, and by address and environment. */
export function addInboxSession(server: FastifyInstance, ctx: Ctx, route: InboxSessionRoute, parts: Parts): void {
  const checkBody = bodyValidator(route.body)

  server.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodyLimitBytes,
    // Before the body is read.
    onRequest: async ({ ip }) => {
      parts.failureLimit.check(ip)
      parts.addressLimit.take(ip)
    },
    handler: async (request, reply) => {
      const { ip } = request
      const named = isPlainObject(request.body) ? request.body.applicationIdentifier : ''
      parts.sessionLimit.take(`${ip} ${typeof named === 'string' ? named.slice(0, 100) : ''}`)
      checkBody(request.body)
      const args = { ctx, now: ctx.clock(), body: request.body, findVouchers: parts.findVouchers }
      const { env, reply: result } = await route.handler(args).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 400) parts.failureLimit.failed(ip)
        throw error
      })
      request.env = env
      reply.header('cache-control', 'no-store')
      return sendReply(ctx, reply, { status: route.status, body: serialize(reply, result, route.response) })
    },
  })
}
