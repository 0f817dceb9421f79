import type { FastifyInstance } from 'fastify'

const place = '/v1/inbox/'

const allowed = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  // What the published clients send, version by version.
  'access-control-allow-headers':
    'authorization, content-type, user-agent, novu-api-version, novu-client-version, novu-application-identifier, last-event-id',
  // A day: a preflight is kept for each address, and each notification has its own.
  'access-control-max-age': '86400',
}

/** Pages of any origin may call the inbox: a token is all that counts there, and no cookie is ever read. */
export function allowOtherOrigins(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith(place)) return
    reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after, x-request-id' })
  })
  server.options(`${place}*`, async (_request, reply) => reply.code(204).headers(allowed).send())
}

/** Clients 2.6.4 to 2.6.6 end every address with a slash. */
export function withoutTrailingSlash(url: string): string {
  return url.startsWith(place) ? url.replace(/\/(?=\?|$)/, '') : url
}
