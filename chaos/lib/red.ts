/** A promise of the service that did not hold. Anything else that is thrown is a fault of the test itself. */
export class Red extends Error {}

export function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Red(otherwise)
}

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [seen, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (seen !== wanted)
    throw new Red(`${what}: ${shorten(seen ?? 'undefined')} instead of ${shorten(wanted ?? 'undefined')}`)
}

/** "Never vacuous": a row that did too little proves nothing. */
export function expectAtLeast(actual: number, least: number, what: string): void {
  if (actual < least) throw new Red(`only ${actual} ${what}; at least ${least} are needed to prove anything`)
}

export type Faults = { add(text: string): void; count(): number; end(): void }

/** For rows that look at thousands of replies: all are looked at, the first few are told. */
export function collectFaults(): Faults {
  const texts: string[] = []
  return {
    add: (text) => texts.push(shorten(text, 600)),
    count: () => texts.length,
    end() {
      if (texts.length === 0) return
      // A 5xx first: it is the worst that can be said.
      const isGrave = (text: string) => / → 5\d\d /.test(text)
      const told = [...new Set(texts)].sort((a, b) => Number(isGrave(b)) - Number(isGrave(a))).slice(0, 8)
      throw new Red(`${texts.length} faults:\n${told.map((text) => `    - ${text}`).join('\n')}`)
    },
  }
}

export function shorten(text: string, most = 240): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`
}
