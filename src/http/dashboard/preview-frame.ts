import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { refuseForeignOrigin } from './cross-site.ts'
import { readSessionCookie, type Sessions, toEnv } from './sessions.ts'

// An e-mail is 512 KB at most, and a form may need three bytes for one.
const bodyLimitBytes = 4 * 1024 * 1024

const frameHeaders = {
  // No script, no form, no link that leads anywhere, an origin of its own, and nothing fetched from anywhere.
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/**
 * Shows the HTML it is sent, as a mail program would. A frame made by the page itself (`srcdoc`, `blob:`) inherits the
 * page's policy, under which an e-mail loses its inline styles; a reply has a policy of its own. A form of the dashboard
 * posts into a frame: only for who is signed in, or strangers could show their pages under our address.
 */
export function addPreviewFrame(server: FastifyInstance, ctx: Ctx, sessions: Sessions): void {
  server.route({
    method: 'POST',
    url: '/preview-frame',
    bodyLimit: bodyLimitBytes,
    config: { takesRaw: true },
    // Before the body is read.
    onRequest: async (request) => {
      refuseForeignOrigin(ctx.config, request)
      const session = await sessions.find(readSessionCookie(request))
      if (!session) throw new ApiError('unauthorized')
      request.env = toEnv(session)
    },
    handler: async (request, reply) => {
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
      return reply
        .headers(frameHeaders)
        .type('text/html; charset=utf-8')
        .send(form.get('html') ?? '')
    },
  })
}
