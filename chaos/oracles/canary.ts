import type { Random } from '../lib/random.ts'

/** A secret we planted. Its last characters may be shown (a mask ends with them); the rest may be found nowhere. */
export type Canary = { place: string; text: string }

const alphabet = [...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789']

export function newCanary(random: Random, place: string): Canary {
  return { place, text: `cnry${Array.from({ length: 28 }, () => random.pick(alphabet)).join('')}` }
}

/** The first of them that stands in the text, as it is or encoded as hex or base64. */
export function findCanary(text: string, canaries: readonly Canary[]): Canary | undefined {
  return canaries.find((canary) => needles(canary.text).some((needle) => text.includes(needle)))
}

function needles(text: string): string[] {
  const core = text.slice(0, -4)
  const shifted = [0, 1, 2].map((shift) =>
    Buffer.from('x'.repeat(shift) + core)
      .toString('base64')
      .slice(4, -4),
  )
  return [
    core,
    Buffer.from(core).toString('hex'),
    ...shifted,
    ...shifted.map((it) => it.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}
