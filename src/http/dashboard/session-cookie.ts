import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

export const sessionCookie = 'tidings_session'

/** By which a browser is known again that went to an issuer. */
export const flowCookie = 'tidings_sign_in'

/** Empty when there is none. */
export function readSessionCookie(request: FastifyRequest, cookie = sessionCookie): string {
  for (const part of request.headers.cookie?.split(';') ?? []) {
    const [name, value] = part.trim().split('=', 2)
    if (name === cookie) return value ?? ''
  }
  return ''
}

/** The `set-cookie` header. No token and no seconds take the cookie away. */
export function toSetCookie(
  config: Config,
  request: FastifyRequest,
  token = '',
  seconds = 0,
  { name, path } = { name: sessionCookie, path: '/' },
): string {
  // A caller who invents the header only makes the cookie stricter.
  const byHttps = request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'
  const secure = byHttps || config.publicUrl?.startsWith('https:') ? '; Secure' : ''
  return `${name}=${token}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}
