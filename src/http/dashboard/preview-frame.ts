import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { refuseForeignOrigin } from './cross-site.ts'
import { readSessionCookie } from './session-cookie.ts'
import { type Sessions, toEnv } from './sessions.ts'

// An e-mail is at most 512 KB of characters.
const bodyLimitBytes = 2 * 1024 * 1024
// The form is sent as plain text: `html=` and what is in the field. Decoding other forms may take seconds.
const fieldStart = 'html='

const frameHeaders = {
  // No script, no form, no working link, an origin of its own, and nothing loaded from elsewhere.
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/**
 * Shows the HTML it is sent, as a mail program would: the dashboard posts a form into a frame. A frame made in the page
 * (`srcdoc`, `blob:`) would inherit the page's policy and lose the e-mail's inline styles. Only for people who are signed
 * in, or strangers could show their pages under our address.
 */
export function addPreviewFrame(server: FastifyInstance, ctx: Ctx, sessions: Sessions): void {
  server.route({
    method: 'POST',
    url: '/preview-frame',
    bodyLimit: bodyLimitBytes,
    config: { rawBody: true },
    // Before the body is read.
    onRequest: async (request) => {
      refuseForeignOrigin(ctx.config, request)
      const session = await sessions.find(readSessionCookie(request))
      if (!session) throw new ApiError('unauthorized')
      if ('person' in session && session.mustSetUp) throw new ApiError('second_factor_to_set_up')
      request.env = toEnv(session)
    },
    handler: async (request, reply) => {
      const body = typeof request.body === 'string' ? request.body : ''
      const html = body.startsWith(fieldStart) ? body.slice(fieldStart.length) : ''
      return reply.headers(frameHeaders).type('text/html; charset=utf-8').send(html)
    },
  })
}
