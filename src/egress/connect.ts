import { isIP, isIPv6, connect as netConnect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls'
import type { Fault } from '../lib/outbound.ts'
import type { TlsOptionName } from '../lib/tls-options.ts'
import { type Guard, refusedAddress } from './address-guard.ts'
import { createLookup, type Lookup } from './resolve.ts'

/** `tls`: options of the handshake, none of which can point the connection elsewhere. */
export type ConnectTarget = {
  host: string
  port: number
  tls?: TlsShape
  /** If earlier than our own limits. */
  deadline?: number
}
export type TlsShape = Pick<ConnectionOptions, TlsOptionName | 'ALPNProtocols'>

export type Connect = (target: ConnectTarget) => Promise<{ kind: 'open'; socket: Socket } | Fault>

export type ConnectOptions = {
  /** Another resolver, for tests. */
  lookup?: Lookup
  /** The only trusted authority, for tests; operators have NODE_EXTRA_CA_CERTS. */
  ca?: string
  /** To find the addresses and reach one of them. */
  connectMs?: number
  /** For the TLS handshake after that. */
  handshakeMs?: number
}

// No provider's name has more addresses than this. All are checked, the first of them tried.
const maxTried = 6
// RFC 8305: how long one address may take before the next is tried too.
const nextAddressMs = 250

/**
 * The only place that opens sockets. A name is resolved once, every address is checked, and the socket goes to one of
 * them, so a later DNS answer cannot redirect it. When this fails, no byte of a request has left.
 */
export function createConnect(guard: Guard, options: ConnectOptions = {}): Connect {
  const { connectMs = 3_000, handshakeMs = 5_000, ca } = options
  const lookup = options.lookup ?? createLookup(connectMs)

  return async ({ host, port, tls, deadline = Number.POSITIVE_INFINITY }) => {
    const refusal = guard.refuseHost(host) ?? guard.refusePort(port)
    if (refusal) return refuse(refusal)
    const name = toHostname(host)
    const leftMs = timeLeft(Math.min(deadline, Date.now() + connectMs))
    const addresses = isIP(name) ? [name] : await lookUpAddresses(lookup, name, leftMs())
    if (typeof addresses === 'string') return notSent(describe(addresses, name))
    if (!addresses.every(guard.allowsAddress)) return refuse(refusedAddress)
    const socket = await connectToFirst(alternateFamilies(addresses).slice(0, maxTried), port, leftMs())
    if (typeof socket === 'string') return notSent(describe(socket, name))
    // No address: it is already closed.
    if (socket.remoteAddress === undefined) return notSent(describe('ECONNRESET', name))
    if (!guard.allowsAddress(socket.remoteAddress)) {
      socket.destroy()
      return refuse(refusedAddress)
    }
    if (!tls) return { kind: 'open', socket }
    const shape = { ...(ca !== undefined && { ca }), ...tls }
    return secure(socket, name, shape, timeLeft(Math.min(deadline, Date.now() + handshakeMs))())
  }
}

/** At least a millisecond: for some timers zero means no limit. */
export function timeLeft(deadline: number): () => number {
  return () => Math.max(1, deadline - Date.now())
}

export function refuse(reason: string): Fault {
  return { kind: 'fault', sent: false, reason, refused: true }
}

export function noneFree({ hostname }: URL): string {
  return `no connection to ${hostname} became free in time`
}

export function notSent(reason: string): Fault {
  return { kind: 'fault', sent: false, reason }
}

/** One sentence about a failed connection. It holds only the host's name. */
export function describe(code: string, host: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `${host} refused the connection`
    case 'ETIMEDOUT':
    case 'ETIMEOUT':
      return `${host} did not answer in time`
    case 'ENOTFOUND':
    case 'ENODATA':
      return `the name ${host} was not found`
    case 'EAI_AGAIN':
    case 'ESERVFAIL':
      return `the name ${host} could not be looked up`
    case 'ECONNRESET':
    case 'EPIPE':
      return `${host} closed the connection`
    default:
      return `no connection to ${host} (${code})`
  }
}

/**
 * One sentence about a TLS handshake that failed for a usual reason, with the setting that would help. `says`: the
 * error's code and message, because libraries put their own codes over OpenSSL's.
 */
export function describeTls(says: string, host: string): string | null {
  if (/SELF_SIGNED|self[- ]signed/i.test(says)) {
    return `${host} shows a certificate that it signed itself; ${trustIt}`
  }
  if (/UNABLE_TO_|unable to (verify|get)/i.test(says)) {
    return `${host} shows a certificate of an authority that is not known here; ${trustIt}`
  }
  if (/CERT_HAS_EXPIRED|certificate has expired/i.test(says)) return `the certificate of ${host} has expired`
  if (/ALTNAME|altnames/i.test(says)) {
    return `the certificate of ${host} is for another name; use that name as the host, or for SMTP as tlsOptions.servername`
  }
  if (/EPROTO|WRONG_VERSION|wrong version number/i.test(says)) {
    return `${host} does not speak TLS on this port; for SMTP switch secure off, or use port 465`
  }
  return null
}

const trustIt = 'to trust it, put it into the file of NODE_EXTRA_CA_CERTS, or for SMTP into tlsOptions.ca'

export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'unexpected error'
}

/** As the guard reads it: decimal, hex and Unicode spellings in their normal form. */
export function toHostname(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare)) return bare
  const hostname = URL.parse(`http://${host}/`)?.hostname ?? host
  return hostname.replace(/\.$/, '')
}

async function lookUpAddresses(lookup: Lookup, name: string, timeoutMs: number): Promise<readonly string[] | string> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'ETIMEDOUT')
  })
  const answer = lookup(name).then((addresses) => (addresses.length > 0 ? addresses : 'ENOTFOUND'), codeOf)
  const found = await Promise.race([answer, timeout])
  clearTimeout(timer)
  return found
}

/** IPv6 and IPv4 in turns, so that a broken one of the two costs one step. */
function alternateFamilies(addresses: readonly string[]): string[] {
  const six = addresses.filter((address) => isIPv6(address))
  const four = addresses.filter((address) => !isIPv6(address))
  const longest = Math.max(six.length, four.length)
  return Array.from({ length: longest }, (_, turn) => [six[turn], four[turn]])
    .flat()
    .filter((address) => address !== undefined)
}

/** The first address that answers wins; otherwise the code of the last error. */
function connectToFirst(waiting: string[], port: number, timeoutMs: number): Promise<Socket | string> {
  return new Promise((resolve) => {
    const trying = new Set<Socket>()
    let isOver = false
    let next: NodeJS.Timeout | undefined
    const finish = (result: Socket | string) => {
      isOver = true
      clearTimeout(next)
      clearTimeout(last)
      for (const socket of trying) if (socket !== result) socket.destroy()
      resolve(result)
    }
    const last = setTimeout(finish, timeoutMs, 'ETIMEDOUT')
    const tryNext = (failed: string) => {
      clearTimeout(next)
      const address = waiting.shift()
      if (address === undefined) {
        if (trying.size === 0) finish(failed)
        return
      }
      const socket = netConnect({ host: address, port, noDelay: true, keepAlive: true })
      trying.add(socket)
      socket.once('connect', () => isOver || finish(socket))
      // Stays on the socket for good, so that an error before its user listens is not uncaught.
      socket.on('error', (error) => {
        trying.delete(socket)
        if (!isOver) tryNext(codeOf(error))
      })
      if (waiting.length > 0) next = setTimeout(tryNext, nextAddressMs, 'ETIMEDOUT')
    }
    tryNext('ENOTFOUND')
  })
}

function secure(plain: Socket, name: string, shape: TlsShape, timeoutMs: number): ReturnType<Connect> {
  return new Promise((resolve) => {
    const fail = (fault: Fault) => {
      clearTimeout(timer)
      plain.destroy()
      resolve(fault)
    }
    const timer = setTimeout(() => fail(notSent(describe('ETIMEDOUT', name))), timeoutMs)
    plain.once('close', () => fail(notSent(`${name} closed the connection during the TLS handshake`)))
    try {
      // An IP cannot be a server name, but `host` still tells what the certificate must be for.
      const servername = shape.servername ?? (isIP(name) ? '' : name)
      const socket = tlsConnect({ ...shape, socket: plain, host: name, servername })
      socket.on('error', (error) => {
        const usual = describeTls(`${codeOf(error)} ${error.message}`, name)
        fail(notSent(usual ?? `the TLS handshake with ${name} failed (${codeOf(error)})`))
      })
      socket.once('secureConnect', () => {
        clearTimeout(timer)
        resolve({ kind: 'open', socket })
      })
    } catch {
      // node throws on settings it cannot read: keys, ciphers, versions.
      fail(refuse('The TLS options cannot be used; check certificate, key, ciphers and versions.'))
    }
  })
}
