import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { ApiError } from '../../errors.ts'

/**
 * Browsers send our cookie with requests of other sites too, so a request with a cookie must come from our own pages. A
 * read must not come from another site. A write needs a header that only our own scripts can add, and an origin that is
 * ours.
 */
export function refuseCrossSite(config: Config, request: FastifyRequest): void {
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (request.method === 'GET') {
    // `none`: the person typed the address or opened a bookmark.
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new ApiError('cross_site_refused')
    return
  }
  if (headers['x-tidings-session'] !== '1') throw new ApiError('cross_site_refused')
  refuseForeignOrigin(config, request)
}

/** For forms, which cannot add a header: only the origin that the browser names is left to check. */
export function refuseForeignOrigin(config: Config, { headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new ApiError('cross_site_refused')
  const own = [headers.host, config.publicUrl && new URL(config.publicUrl).host]
  if (headers.origin !== undefined && !own.includes(hostOf(headers.origin))) throw new ApiError('cross_site_refused')
}

function hostOf(origin: string): string {
  return URL.parse(origin)?.host || 'nobody'
}
