import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'expect',
])
// Who may say these is decided by TRUST_PROXY. A cell believes the gateway, so it must not pass on what anybody says.
const saidByProxies = new Set([
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'forwarded',
])
// Said by us. Trailers of requests are not passed on.
const written = new Set([
  'content-length',
  'trailer',
  'x-request-id',
  'tidings-gateway',
  'x-forwarded-for',
  'x-forwarded-proto',
])

export type IsTrusted = (address: string) => boolean

export function trustedProxies(ranges: readonly string[]): IsTrusted {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Node writes IPv4 addresses of clients in IPv6 form when it listens on both. */
export function addressOf({ socket }: IncomingMessage): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
}

/** For a cell, as flat pairs: what the client sent, without what concerns only its connection to us. */
export function toCellHeaders(request: IncomingMessage, id: string, isTrusted: IsTrusted): string[] {
  const { rawHeaders, headers } = request
  const dropped = namesIn(headers.connection)
  const from = addressOf(request)
  const byProxy = isTrusted(from)
  const passed: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    if (hopByHop.has(name) || written.has(name) || (name !== 'host' && dropped?.has(name))) continue
    if (!byProxy && saidByProxies.has(name)) continue
    passed.push(name, rawHeaders[at + 1] ?? '')
  }
  const chain = byProxy ? headers['x-forwarded-for'] : undefined
  const proto = byProxy ? headers['x-forwarded-proto'] : undefined
  passed.push('x-forwarded-for', chain === undefined ? from : `${[chain].flat().join(', ')}, ${from}`)
  passed.push('x-forwarded-proto', typeof proto === 'string' ? proto : 'http')
  passed.push('x-request-id', id, 'tidings-gateway', '1')
  return passed
}

/** For the client: without what concerns only the cell's connection to us, and what is between the cell and us. */
export function toClientHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string | string[]> {
  const dropped = namesIn(typeof headers.connection === 'string' ? headers.connection : undefined)
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || name === 'tidings-environment' || dropped?.has(name)) continue
    passed[name] = value
  }
  return passed
}

function namesIn(connection: string | undefined): Set<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}
