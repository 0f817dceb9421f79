import { BlockList, isIP, isIPv6 } from 'node:net'

export type EgressPolicy = {
  /** CIDRs such as 127.0.0.0/8 or ::1/128 that are allowed although they are not public */
  allowedRanges: readonly string[]
  /** ports besides the usual ones, for HTTP and SMTP alike */
  allowedPorts: readonly number[] | 'any'
}

/** `refuse…` returns null when it is allowed, otherwise one sentence that says what to do. */
export type Guard = {
  /** an IP as node gives it: v4, v6, mapped v6, with or without a zone id; anything else is refused */
  allowsAddress(ip: string): boolean
  refuseUrl(url: string): string | null
  /** a bare host name or IP (SMTP, Kannel); v6 with or without brackets */
  refuseHost(host: string): string | null
  refusePort(port: number): string | null
}

/** The same for every refused target, at save and at connect: it must not tell which of our networks was hit. */
export const refusedAddress =
  'The host points to an address this service does not connect to; an operator may allow it with EGRESS_ALLOWED_RANGES.'

const refusedScheme = 'The URL must start with http:// or https://.'
const refusedUserinfo = 'The URL must not contain a user name or password; put them into the credential fields.'
const malformedUrl =
  'The URL is not valid; write it like https://example.com/path, without spaces or backslashes, in at most 2048 characters.'
const malformedHost = 'The host is not valid; write only a name such as smtp.example.com or an IP address.'
const malformedPort = 'The port must be a whole number from 1 to 65535.'

const httpPorts = [80, 443, 8080, 8443]
const allPorts = [25, 465, 587, 2525, 13013, ...httpPorts] // 13013 is Kannel's sendsms port
const maxUrlLength = 2048

const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

// What may be public at all. An allow list, so that an address that BlockList cannot read is refused.
const unicast = new BlockList()
unicast.addRange('1.0.0.0', '223.255.255.255', 'ipv4')
unicast.addSubnet('2000::', 3, 'ipv6')

// The IANA special-purpose registries, as far as they lie inside `unicast`. Entries that IANA calls globally reachable
// (AS112, AMT, 192.0.0.9) are infrastructure too: no provider is there.
const special = toBlockList(
  [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '168.63.129.16/32', // not IANA's: Azure's host agent, reachable only from inside a machine there
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '2001::/23', // Teredo, ORCHID, benchmarking
    '2001:db8::/32',
    '2002::/16', // 6to4 embeds any IPv4 address
    '2620:4f:8000::/48',
    '3fff::/20',
  ].map(getRange),
)
const loopback = toBlockList(['127.0.0.0/8', '::1/128'].map(getRange))

// Names with a fixed address, then names that only private resolvers know (RFC 6762 appendix G, RFC 8375). The address
// decides when we connect; these lists only tell the user early, at save.
const knownNames: readonly { name: string; addresses: readonly string[] }[] = [
  { name: 'localhost', addresses: ['127.0.0.1', '::1'] },
  { name: 'metadata.google.internal', addresses: ['169.254.169.254'] },
  { name: 'metadata.goog', addresses: ['169.254.169.254'] },
]
const privateNames = ['local', 'localdomain', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa']

export function addressGuard(policy: EgressPolicy): Guard {
  const ranges = policy.allowedRanges.map(getRange)
  const allowed4 = toBlockList(ranges.filter((range) => range.family === 'ipv4'))
  const allowed6 = toBlockList(ranges.filter((range) => range.family === 'ipv6'))
  const knowsPrivateNames = ranges.some((range) => !isLoopbackOnly(range))

  function allowsAddress(ip: string): boolean {
    const family = familyOf(ip)
    if (!family) return false
    const [address = ''] = ip.split('%')
    if (unicast.check(address, family) && !special.check(address, family)) return true
    // BlockList treats ::ffff:a.b.c.d as a.b.c.d: allowing ::/64 must not allow all of IPv4.
    const plain6 = family === 'ipv6' && !mapped.check(address, family)
    return plain6 ? allowed6.check(address, family) : allowed4.check(address, family)
  }

  function allowsName(name: string): boolean {
    const known = knownNames.find((entry) => isWithin(name, entry.name))
    if (known) return known.addresses.some(allowsAddress)
    return knowsPrivateNames || (name.includes('.') && !privateNames.some((suffix) => isWithin(name, suffix)))
  }

  /** `hostname` as the WHATWG parser left it. */
  function refuseHostname(hostname: string): string | null {
    const host = withoutBrackets(hostname)
    if (isIP(host)) return allowsAddress(host) ? null : refusedAddress
    const name = host.replace(/\.$/, '')
    if (!isDnsName(name)) return malformedHost
    return allowsName(name) ? null : refusedAddress
  }

  return {
    allowsAddress,

    refuseUrl(text) {
      const url = text.length <= maxUrlLength && !hasForbiddenCharacter(text) ? URL.parse(text) : null
      if (!url) return malformedUrl
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return refusedScheme
      // The parser repairs http:x and http:///x, and drops an empty userinfo; other parsers of the same text do not.
      const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? []
      if (!authority) return malformedUrl
      if (authority.includes('@')) return refusedUserinfo
      if (url.port !== '') return refuseHostname(url.hostname) ?? refuseFrom(httpPorts, Number(url.port))
      return refuseHostname(url.hostname)
    },

    refuseHost(host) {
      const bare = withoutBrackets(host)
      if (isIPv6(bare)) return refuseHostname(bare)
      if (hasForbiddenCharacter(host) || /[/?#@:%[\]]/.test(host)) return malformedHost
      const url = URL.parse(`http://${host}/`)
      return url ? refuseHostname(url.hostname) : malformedHost
    },

    refusePort: (port) => refuseFrom(allPorts, port),
  }

  function refuseFrom(usual: readonly number[], port: number): string | null {
    if (!Number.isInteger(port) || port < 1 || port > 65535) return malformedPort
    if (policy.allowedPorts === 'any' || usual.includes(port) || policy.allowedPorts.includes(port)) return null
    return `This service does not connect to port ${port}; use one of ${usual.join(', ')}, or an operator may allow it with EGRESS_ALLOWED_PORTS.`
  }
}

type Family = 'ipv4' | 'ipv6'
type Range = { base: string; prefix: number; family: Family }

export function isCidr(text: string): boolean {
  return findRange(text) !== null
}

export function isAddressOrCidr(text: string): boolean {
  return isIP(text) !== 0 || isCidr(text)
}

const ownNetworks = toBlockList(
  [
    '127.0.0.0/8',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '169.254.0.0/16',
    '100.64.0.0/10',
    '::1/128',
    'fc00::/7',
    'fe80::/10',
  ].map(getRange),
)

/** Of this machine or a network of one's own; an IP as node gives it. */
export function isPrivateAddress(ip: string): boolean {
  const address = ip.replace(/%.*$/s, '')
  const family = familyOf(address)
  return family !== null && ownNetworks.check(address, family)
}

/** Refuses an IPv4 range written as mapped IPv6: written as IPv4 it covers both forms. */
function findRange(text: string): Range | null {
  const [, base = '', digits = ''] = /^([\da-f.:]+)\/(0|[1-9]\d{0,2})$/i.exec(text) ?? []
  const family = familyOf(base)
  const prefix = Number(digits)
  if (!family || prefix > (family === 'ipv4' ? 32 : 128)) return null
  if (family === 'ipv6' && mapped.check(base, family)) return null
  return { base, prefix, family }
}

function getRange(text: string): Range {
  const range = findRange(text)
  if (!range) throw new Error(`"${text}" is not a CIDR`)
  return range
}

function toBlockList(ranges: readonly Range[]): BlockList {
  const list = new BlockList()
  for (const { base, prefix, family } of ranges) list.addSubnet(base, prefix, family)
  return list
}

function isLoopbackOnly({ base, prefix, family }: Range): boolean {
  return loopback.check(base, family) && prefix >= (family === 'ipv4' ? 8 : 128)
}

/** Always ask this before BlockList, which returns false for text it cannot read and reads text that isIP refuses. */
function familyOf(ip: string): Family | null {
  const version = isIP(ip)
  if (version === 0) return null
  return version === 4 ? 'ipv4' : 'ipv6'
}

function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}

function hasForbiddenCharacter(text: string): boolean {
  return /[\s\\\p{Cc}]/u.test(text)
}

function isDnsName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[a-z\d_-]{1,63}$/.test(label))
}

function isWithin(name: string, suffix: string): boolean {
  return name === suffix || name.endsWith(`.${suffix}`)
}
