import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/**
 * Where people reach us, for links that they are sent: PUBLIC_URL. Who asks may write any host into a request, so one is
 * believed on a developer's machine alone, and only if it is this machine: a link that leads elsewhere gives its secret
 * away there.
 */
export function ownAddress(
  { publicUrl, production }: Config,
  { headers, protocol, socket }: FastifyRequest,
): string | null {
  if (publicUrl !== undefined || production) return publicUrl ?? null
  const host = headers.host?.toLowerCase() ?? ''
  const asked = URL.parse(`${protocol}://${host}`)
  if (!asked || !/^[\w.:[\]-]+$/.test(host)) return null
  const name = asked.hostname.replace(/^\[|\]$/g, '')
  const isHere =
    /^(localhost|.+\.localhost|127(\.\d+){3}|::1)$/.test(name) || name === plainAddress(socket.localAddress)
  return isHere ? asked.origin : null
}

function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
