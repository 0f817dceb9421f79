import { existsSync, readFileSync } from 'node:fs'

const clockTickMs = 10

/** What the host of a virtual machine took from it: `steal` in the first line of /proc/stat, of all cores together; always 0 where there is no such file. */
export function stolenMs(): number {
  if (!existsSync('/proc/stat')) return 0
  const [, , , , , , , , steal = '0'] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/) ?? []
  return Number(steal) * clockTickMs
}
