import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { RawRequest } from '../lib/raw-request.ts'
import { isStorableText } from '../lib/read-json.ts'
import type { OpenRoute } from './define-route.ts'

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // The path is the secret of a link.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** Calls without a key. They are nobody's until the handler has judged what they bring. */
export function addOpenRoute(server: FastifyInstance, ctx: Ctx, route: OpenRoute): void {
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimitBytes,
    config: { takesRaw: true },
    schema: route.response ? { response: { [route.status]: route.response } } : {},
    handler: async (request, reply) => {
      const params = request.params as Record<string, string>
      if (!Object.values(params).every(isStorableText)) throw new ApiError('route_not_found')
      const now = ctx.clock()
      const result = await route.handler({ ctx, now, params, request: toRawRequest(ctx, request) })
      if (!route.response) return reply.headers(pageHeaders).send(String(result))
      const body = reply.serializeInput(Object(result), String(route.status))
      return reply.header('content-type', 'application/json; charset=utf-8').send(body)
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
