import { isIPv6 } from 'node:net'

/** Whom an address belongs to: whoever has one of IPv6 has a whole network of them, the first 64 bits. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? plain
  const [head = '', tail] = plain.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  // Only the last group can be written as an IPv4 address, and counts as two.
  const count = (part: string) => groups(part).reduce((sum, group) => sum + (group.includes('.') ? 2 : 1), 0)
  const zeros = tail === undefined ? 0 : 8 - count(head) - count(tail)
  const all = [...groups(head), ...Array<string>(zeros).fill('0'), ...groups(tail ?? '')]
  const first = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${first.join(':')}::/64`
}
