import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressGuard, isCidr, refusedAddress } from './address-guard.ts'

const words = (text: string) => text.trim().split(/\s+/)
const forbidden = [' ', '\t', '\n', '\r', '\0', '\x7f', '\u0085', '\u00a0', '\u2028', '\ufeff', '\\']
const guard = addressGuard({ allowedRanges: [], allowedPorts: [] })
const allowing = (...allowedRanges: string[]) => addressGuard({ allowedRanges, allowedPorts: [] })
const bracketed = (ip: string) => (ip.includes(':') ? `[${ip}]` : ip)
/** all of them get this verdict; a failure lists those that do not */
const expectAll = <T>(items: readonly T[], judge: (item: T) => unknown, verdict: unknown) =>
  expect(items.filter((item) => judge(item) !== verdict)).toEqual([])

// first and last address of every refused range
const refusedAddresses = words(`
  0.0.0.0 0.255.255.255          10.0.0.0 10.255.255.255        100.64.0.0 100.127.255.255    127.0.0.0 127.255.255.255
  168.63.129.16 169.254.169.254  169.254.0.0 169.254.255.255    172.16.0.0 172.31.255.255     192.0.0.0 192.0.0.255
  192.0.2.0 192.0.2.255          192.31.196.0 192.31.196.255    192.52.193.0 192.52.193.255   192.88.99.0 192.88.99.255
  192.168.0.0 192.168.255.255    192.175.48.0 192.175.48.255    198.18.0.0 198.19.255.255     198.51.100.0 198.51.100.255
  203.0.113.0 203.0.113.255      224.0.0.0 239.255.255.255      240.0.0.0 255.255.255.255     100.100.100.200

  :: ::1 0:0:0:0:0:0:0:1 ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::ffff:0:808:808 64:ff9b::808:808 64:ff9b::ffff:ffff
  64:ff9b:1:: 64:ff9b:1:ffff::1 100::1 100:0:0:1::1 1fff:ffff:: 2001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1
  2001:10::1 2001:20::1 2001:1ff:ffff:: 2001:db8::1 2001:db8:ffff:: 2002:: 2002:7f00:1:: 2002:ffff:ffff::
  2620:4f:8000:: 2620:4f:8000:ffff:: 3fff:: 3fff:fff:ffff:: 4000:: 5f00::1 fc00:: fd00:ec2::254 fdff:ffff:: fe80::1 febf:: fec0::1
  feff:: ff02::1 ff0e::1 ffff:: ::ffff:10.0.0.1 ::ffff:7f00:1 0:0:0:0:0:FFFF:127.0.0.1 0::ffff:a9fe:a9fe ::FFFF:169.254.169.254`)

// the neighbours of those ranges
const allowedAddresses = words(`
  1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15 168.63.129.17
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.31.195.255
  192.31.197.0 192.52.192.255 192.52.194.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 192.175.47.255 192.175.49.0
  198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 8.8.8.8 1.1.1.1

  2000:: 2000:ffff:: 2001:200:: 2001:db7:ffff:: 2001:db9:: 2001:ffff:: 2003:: 2606:4700:4700::1111 2620:4f:7fff:: 2620:4f:8001::
  2A00:1450:4001:82A::200E 3ffe:ffff:: 3fff:1000:: ::ffff:8.8.8.8 ::ffff:808:808 0:0:0:0:0:ffff:11.0.0.0`)

describe('addresses', () => {
  const judgeEverywhere = (ip: string) => [
    guard.allowsAddress(ip),
    ...[guard.refuseUrl(`https://${bracketed(ip)}/hook`), guard.refuseHost(ip), guard.refuseHost(bracketed(ip))],
  ]
  test.each(refusedAddresses)('%s is refused as peer, in a URL and as host', (ip) =>
    expect(judgeEverywhere(ip)).toEqual([false, refusedAddress, refusedAddress, refusedAddress]),
  )
  test.each(allowedAddresses)('%s is allowed as peer, in a URL and as host', (ip) =>
    expect(judgeEverywhere(ip)).toEqual([true, null, null, null]),
  )

  test('an address node would never report is refused', () => {
    const texts = words('example.com 8.8.8 0x8.8.8.8 08.8.8.8 8.8.8.8%lo [2606:4700::1]')
    expectAll([...texts, '', ' 8.8.8.8', '2606:4700::1\0'], guard.allowsAddress, false)
  })

  test('a zone id changes nothing', () => {
    const local = ['fe80::1%eth0', '::1%lo', '::ffff:127.0.0.1%lo']
    expectAll(local, guard.allowsAddress, false)
    expectAll(local, guard.refuseHost, refusedAddress)
    expectAll(local, (ip) => guard.refuseUrl(`http://[${ip}]/`) === null, false) // WHATWG URLs have no zone ids
    expect(allowing('fe80::/10').allowsAddress('fe80::1%eth0')).toBe(true)
  })

  const seeds = refusedAddresses.concat(allowedAddresses).filter((ip) => !ip.includes(':'))
  const edge = fc.tuple(fc.constantFrom(...seeds), fc.integer({ min: -2, max: 2 }))
  const anyV4 = fc.oneof(
    fc.integer({ min: 0, max: 0xffffffff }),
    edge.map(([ip, step]) => (ip.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0) + step) >>> 0),
  )
  const expectOneVerdict = (value: number) => {
    const bytes = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
    const dotted = bytes.join('.')
    const verdict = guard.refuseHost(dotted)
    expect(guard.allowsAddress(dotted)).toBe(verdict === null)
    const spellings = [
      `${value}`,
      `0x${value.toString(16)}`,
      `0${value.toString(8)}`,
      bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
      bytes.map((byte) => `0X${byte.toString(16).padStart(4, '0')}`).join('.'),
      `${bytes[0]}.${value & 0xffffff}`,
      `${bytes[0]}.${bytes[1]}.${value & 0xffff}`,
      `${dotted}.`,
      dotted.replaceAll('.', '。'),
      dotted.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ]
    const hex = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`
    const mapped = [`::ffff:${dotted}`, `::ffff:${hex}`, `0:0:0:0:0:FFFF:${hex}`]
    expectAll([...spellings, ...mapped], guard.refuseHost, verdict)
    expectAll(mapped, guard.allowsAddress, verdict === null)
    const percent = dotted.replace(/\d/g, (digit) => `%3${digit}`)
    const hosts = [...spellings, ...mapped.map(bracketed), percent]
    expectAll(hosts, (host) => guard.refuseUrl(`http://${host}/x`), verdict)
  }
  test('every spelling of an IPv4 address gets the verdict of its dotted form', () =>
    fc.assert(fc.property(anyV4, expectOneVerdict), { numRuns: 1000 }))
})

describe('names', () => {
  const refused = words(`
    localhost LOCALHOST localhost. api.localhost ⓛocalhost ｌｏｃａｌｈｏｓｔ printer.local x.internal METADATA.google.internal
    metadata.google.internal. metadata.goog router.home.arpa nas.lan localhost.localdomain wiki.corp host.docker.internal
    kubernetes.default.svc.cluster.local kannel db 2130706433 0177.0.0.1 0x7f.1 0x7F000001 017700000001 127.1 127.0.1 0 0x
    10.1 192.168.257 ①②⑦.⓪.⓪.① １２７．０．０．１ 127。0｡0．1 127.0.0.1. 3232235777 0xA9.0xFE.0xA9.0xFE 2852039166`)
  const allowed = words(`
    example.com EXAMPLE.com. a-b.example.co.uk hooks.slack.com münchen.de xn--mnchen-3ya.de 例え.テスト _x.example.com
    local.example.com localhost.example.com mylocalhost.com internal.io thelan.net home.arpa.example.org 1.2.3.4.example.com
    134744072 0x8.0x8.0x8.0x8 010.8.8.8 8.8.2056`)
  const malformed = words(`
    a..b .com example.com.. * *.example.com a%00.com 256.1.1.1 1.2.3.4.5 a.0x7f 127.0.0.1:80 [::1 ::1] [127.0.0.1] ::g a?b a#b
    http://example.com example.com/x user@example.com a<b.com a／b.com a：80 %65xample.com ::ffff:0177.0.0.1
    ${'a'.repeat(64)}.com ${'a.'.repeat(127)}com`)

  test.each(refused)('%s is refused', (name) => {
    expect(guard.refuseHost(name)).toBe(refusedAddress)
    expect(guard.refuseUrl(`http://${name}:8080/x?y#z`)).toBe(refusedAddress)
  })
  test.each(allowed)('%s is allowed', (name) => {
    expect(guard.refuseHost(name)).toBeNull()
    expect(guard.refuseUrl(`https://${name}:8443/x?y#z`)).toBeNull()
  })
  const broken = forbidden.flatMap((c) => [`${c}x.com`, `x${c}y.com`, `x.com${c}`])
  test.each(['', ...malformed, ...broken])('%j is no host', (host) =>
    expect(guard.refuseHost(host)).toContain('The host is not valid'),
  )
  test('a URL may hide the host behind percent signs', () => {
    const hosts = words('%6c%6f%63%61%6c%68%6f%73%74 %31%32%37.0.0.1 127%2e0%2e0%2e1 %EF%BC%9127.0.0.1')
    expectAll(hosts, (host) => guard.refuseUrl(`http://${host}/`), refusedAddress)
  })
})

describe('URLs and ports', () => {
  const schemes = words(`
    ftp://example.com/ file:///etc/passwd gopher://example.com/ javascript:alert(1) data:,x ws://example.com/
    localhost:8080/x unix:/var/run/docker.sock view-source:http://example.com/ httpx://example.com`)
  test.each(schemes)('%s has a refused scheme', (url) => expect(guard.refuseUrl(url)).toContain('must start with http'))

  test.each(words('//u:p@ //u@ //@ //:@ //8.8.8.8:80@ //%75@ //a@b@'))('http:%sexample.com carries userinfo', (start) =>
    expect(guard.refuseUrl(`http:${start}example.com/`)).toContain('user name or password'),
  )

  const malformed = words(`
    example.com/x /x //example.com/ http:// http:///x http:example.com http:/example.com http://?x http://[::1
    http://example.com\\@127.0.0.1/ http:\\\\example.com http://example.com:99999/ http://:80/
    https://example.com/${'a'.repeat(2029)}`)
  const broken = forbidden.flatMap((c) => [`${c}http://x.de`, `ht${c}tp://x.de`, `http://x${c}y/`, `http://x.de/${c}`])
  test.each(['', ...malformed, ...broken])('%j is malformed', (url) =>
    expect(guard.refuseUrl(url)).toContain('The URL is not valid'),
  )

  test('ordinary URLs pass, up to 2048 characters and with @ outside the authority', () => {
    const urls = words('HTTPS://Example.com http://example.com/@x?a=b@c#@ https://example.com:443 http://example.com:')
    expectAll([...urls, `https://example.com/${'a'.repeat(2028)}`], guard.refuseUrl, null)
  })

  test('a URL uses web ports only, a host may also use mail and SMS gateway ports', () => {
    const inUrl = (port: number) => guard.refuseUrl(`https://example.com:${port}/`)
    expectAll([80, 443, 8080, 8443], inUrl, null)
    expectAll([0, 22, 25, 587, 5432, 13013], (port) => inUrl(port)?.includes(' port '), true)
    expectAll([25, 465, 587, 2525, 80, 443, 8080, 8443, 13013], guard.refusePort, null)
    expectAll([22, 6379, 65535], (port) => guard.refusePort(port)?.includes('EGRESS_ALLOWED_PORTS'), true)
    expectAll([0, -1, 65536, 25.5, NaN, Infinity], (port) => guard.refusePort(port)?.includes('whole number'), true)
    const open = addressGuard({ allowedRanges: [], allowedPorts: [4000] })
    expect([open.refuseUrl('http://example.com:4000/'), open.refusePort(4000)]).toEqual([null, null])
  })
})

describe('policy', () => {
  test('an allowed IPv4 range opens its literals, every spelling and the mapped form, and nothing beside', () => {
    const local = allowing('127.0.0.0/8')
    const inside = words('127.0.0.1 127.1 2130706433 ::ffff:127.0.0.1 [::ffff:7f00:1] localhost api.localhost.')
    const beside = words('::1 ::127.0.0.1 2002:7f00:1:: 10.0.0.1 x.local kannel metadata.goog 169.254.169.254')
    expectAll(inside, local.refuseHost, null)
    expectAll(beside, local.refuseHost, refusedAddress)
  })

  test('an IPv6 range never opens IPv4, however wide', () => {
    for (const wide of ['::/0', '::/64', '::1/80']) {
      expect(allowing(wide).allowsAddress('::1')).toBe(true)
      expect(['127.0.0.1', '::ffff:127.0.0.1'].some(allowing(wide).allowsAddress)).toBe(false)
    }
    expect(allowing('0.0.0.0/0').allowsAddress('::1')).toBe(false)
    expect(allowing('::1/128').refuseUrl('http://localhost:8080/')).toBeNull()
  })

  test('private names pass once a range beyond loopback is open, the metadata name only with its own address', () => {
    const office = allowing('10.0.0.0/8')
    expectAll(words('kannel smtp.corp.internal nas.lan 10.1.2.3'), office.refuseHost, null)
    expectAll(words('localhost metadata.google.internal 192.168.0.1'), office.refuseHost, refusedAddress)
    expect(allowing('169.254.169.254/32').refuseHost('metadata.google.internal')).toBeNull()
  })

  test('a CIDR is an address, a slash and a prefix that fits', () => {
    expectAll(words('127.0.0.0/8 0.0.0.0/0 10.1.2.3/32 ::1/128 ::/0 FD00::/8'), isCidr, true)
    const faults = words('10.0.0.0 10.0.0.0/33 ::1/129 10/8 10.0.0.0/08 10.0.0.0/-1 a/8 ::ffff:a00:0/104 fe80::%lo/64')
    expectAll([...faults, '', '/8', ' ::1/128'], isCidr, false)
    expect(() => allowing('10.0.0.0/33')).toThrow('10.0.0.0/33')
  })
})
