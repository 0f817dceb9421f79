import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { RawRequest } from '../lib/raw-request.ts'
import { isStorableText } from '../lib/read-json.ts'
import { type OpenRoute, PageReply, PlainReply } from './define-route.ts'
import { jsonType } from './send-reply.ts'
import { serialize } from './write-json.ts'

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // The path of a link holds its secret.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

const plainHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** Routes without a key: the handler checks a signature or a link to find out whose call it is. */
export function addOpenRoute(server: FastifyInstance, ctx: Ctx, route: OpenRoute): void {
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimitBytes,
    config: { rawBody: true },
    handler: async (request, reply) => {
      const params = request.params as Record<string, string>
      if (!Object.values(params).every(isStorableText)) throw new ApiError('route_not_found')
      const now = ctx.clock()
      const result = await route.handler({ ctx, now, params, request: toRawRequest(ctx, request) })
      if (result instanceof PlainReply) {
        return reply.headers({ 'content-type': `${result.type}; charset=utf-8`, ...plainHeaders }).send(result.body)
      }
      if (result instanceof PageReply) {
        const where = result.location === null ? {} : { location: result.location }
        return reply
          .code(result.status)
          .headers({ ...pageHeaders, ...where })
          .send(result.html)
      }
      if (!route.response) return reply.headers(pageHeaders).send(String(result))
      return reply.header('content-type', jsonType).send(serialize(reply, result, route.response))
    },
  })
}

function toRawRequest(ctx: Ctx, request: FastifyRequest): RawRequest {
  const headers = Object.entries(request.headers).map(([name, value = '']) => [name, [value].flat().join(', ')])
  const base = ctx.config.publicUrl ?? `${request.protocol}://${request.headers.host ?? ''}`
  return {
    headers: Object.fromEntries(headers),
    body: typeof request.body === 'string' ? request.body : '',
    url: base + request.url,
  }
}
