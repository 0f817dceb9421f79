/** What HTML takes for blanks, and the marks of a tag, as bits. JavaScript's `\s` has more blanks. */
export const [blank, slash, greater, equals] = [1, 2, 4, 8] as const
const kinds = new Uint8Array(128)
for (const character of '\t\n\f\r ') kinds[character.charCodeAt(0)] = blank
kinds['/'.charCodeAt(0)] = slash
kinds['>'.charCodeAt(0)] = greater
kinds['='.charCodeAt(0)] = equals

export function skipWhile(html: string, at: number, wanted: number): number {
  while (at < html.length && kindAt(html, at) & wanted) at++
  return at
}

export function skipUntil(html: string, at: number, unwanted: number): number {
  while (at < html.length && !(kindAt(html, at) & unwanted)) at++
  return at
}

function kindAt(html: string, at: number): number {
  return kinds[html.charCodeAt(at)] ?? 0
}
