import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import { about } from './about.ts'
import type { Site, SiteFile } from './site.ts'

/** What can be shown now: the pages, or a notice why there are none. */
export type Dashboard = {
  site: Site | null
  notice: Notice
  /** In development: checks whether the pages were built anew. */
  refresh?(): Promise<void>
}
export type Notice = 'building' | 'absent' | 'failed'

/** Paths of the API: a caller's mistake under these must not be answered with a page. */
const apiPaths = /^\/(v1|v2|health|metrics|openapi\.json|docs|session|preview-frame|assets)(\/|$)/

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  // Previews of e-mails: preview-frame.ts.
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

const pageHeaders = {
  'content-security-policy': policy.join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Serves the built dashboard at `/`. `dashboard` may change while the server runs, so every request reads it. */
export function addDashboard(server: FastifyInstance, dashboard: Readonly<Dashboard>): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? ''
      const file = dashboard.site?.get(path)
      if (file && path !== '/index.html') return sendFile(request, reply, file)
      if (path === '/' && !acceptsPage(request)) return reply.header('vary', 'accept').send(about)
      if (apiPaths.test(path) || !acceptsPage(request)) throw new ApiError('route_not_found')
      await dashboard.refresh?.()
      const page = dashboard.site?.get('/index.html')
      return page ? sendFile(request, reply, page) : sendNotice(reply, dashboard.notice)
    },
  })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: SiteFile): FastifyReply {
  reply
    .headers(pageHeaders)
    .header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && accepts(accepted, name))
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(file.type).send((encoding && file[encoding]) || file.plain)
}

function accepts(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((part) => {
    const [name = '', weight = ''] = part.split(';')
    return name.trim().toLowerCase() === encoding && !/^\s*q=0(\.0*)?\s*$/.test(weight)
  })
}

/** Browsers do; a program is told what answers at `/`, and elsewhere that there is no such route. */
function acceptsPage(request: FastifyRequest): boolean {
  return String(request.headers.accept ?? '').includes('text/html')
}

const notices: Record<Notice, { title: string; text: string }> = {
  building: {
    title: 'The dashboard is being built…',
    text: 'This happens once and takes some seconds. The page reloads by itself.',
  },
  absent: {
    title: 'The dashboard is not built',
    text: 'Build it with <code>npm ci &amp;&amp; npm run build -w dashboard</code>, then start again. The API works without it: <a href="/docs">reference</a>.',
  },
  failed: {
    title: 'The dashboard could not be built',
    text: 'The log says why; <code>npm run build -w dashboard</code> tries again. The API works without it: <a href="/docs">reference</a>.',
  },
}

function sendNotice(reply: FastifyReply, notice: Notice): FastifyReply {
  const { title, text } = notices[notice]
  const reload = notice === 'building' ? '<meta http-equiv="refresh" content="2">' : ''
  return reply
    .headers({
      ...pageHeaders,
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${reload}
<title>${title}</title><style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:20vh auto 0;padding:0 1.5rem}h1{font-size:1.25rem}</style>
<h1>${title}</h1><p>${text}</p></html>`)
}
