import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { ApiError } from '../../errors.ts'

/**
 * A cookie goes wherever the browser sends it, so a request that lives by one must come from our own pages. Reads: not
 * from another site. Writes: with a header that only a script of our origin can add, and whatever the browser says about
 * where the request began must name us.
 */
export function refuseCrossSite(config: Config, request: FastifyRequest): void {
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (request.method === 'GET') {
    // `none`: typed or bookmarked by the person.
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new ApiError('cross_site_refused')
    return
  }
  if (headers['x-tidings-session'] !== '1') throw new ApiError('cross_site_refused')
  refuseForeignOrigin(config, request)
}

/** For a form, which can add no header: what the browser says of its origin is all there is. */
export function refuseForeignOrigin(config: Config, { headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new ApiError('cross_site_refused')
  const own = [headers.host, config.publicUrl && new URL(config.publicUrl).host]
  if (headers.origin !== undefined && !own.includes(hostOf(headers.origin))) throw new ApiError('cross_site_refused')
}

function hostOf(origin: string): string {
  return URL.parse(origin)?.host || 'nobody'
}
