import { isPlainObject } from '../../lib/canonical-json.ts'

/** A place where two texts differ. `lines` begin with " ", "-" or "+", as everybody reads them. */
export type Hunk = { before: number; after: number; lines: string[] }

const contextLines = 2
// More than a person reads; the rest is only counted.
const mostLines = 120
const longestLine = 300
// What is longer, or differs in more places, is shown as replaced: the search takes as long as both multiplied.
const mostSearched = 20_000
const mostEdits = 400

/** The lines that differ, with two around them. `more`: how many changed lines are not shown. */
export function diffLines(before: string, after: string): { hunks: Hunk[]; more: number } {
  const [a, b] = [toLines(before), toLines(after)]
  const edits = findEdits(a, b)
  const hunks: Hunk[] = []
  let shown = 0
  let more = 0
  for (const group of groupEdits(edits)) {
    const changed = group.reduce((sum, it) => sum + it.removed + it.added, 0)
    if (shown >= mostLines) {
      more += changed
      continue
    }
    const hunk = toHunk(a, b, group, mostLines - shown)
    hunks.push(hunk.hunk)
    shown += hunk.hunk.lines.length
    more += hunk.more
  }
  return { hunks, more }
}

/** A document of blocks is one line of JSON: nobody could read what differs in it. */
function toLines(text: string): string[] {
  return indented(text).replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')
}

function indented(text: string): string {
  if (!text.startsWith('{') || !text.endsWith('}')) return text
  try {
    const value: unknown = JSON.parse(text)
    return isPlainObject(value) ? JSON.stringify(value, null, 1) : text
  } catch {
    return text
  }
}

/** At these lines, so many are removed and added. */
type Edit = { a: number; b: number; removed: number; added: number }

function findEdits(a: readonly string[], b: readonly string[]): Edit[] {
  let from = 0
  while (from < a.length && from < b.length && a[from] === b[from]) from += 1
  let end = 0
  while (end < a.length - from && end < b.length - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const [m, n] = [a.length - from - end, b.length - from - end]
  if (m === 0 && n === 0) return []
  const isSmall = m > 0 && n > 0 && m + n <= mostSearched
  const path = isSmall ? shortestPath(a.slice(from, from + m), b.slice(from, from + n)) : null
  if (!path) return [{ a: from, b: from, removed: m, added: n }]
  return path.map((it) => ({ ...it, a: it.a + from, b: it.b + from }))
}

/** Myers' search for the fewest edits. Null: there are too many. */
function shortestPath(a: readonly string[], b: readonly string[]): Edit[] | null {
  const most = Math.min(a.length + b.length, mostEdits)
  const reach = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let d = 0; d <= most; d++) {
    trace.push(reach.slice())
    for (let k = -d; k <= d; k += 2) {
      const at = k + most + 1
      const isDown = k === -d || (k !== d && (reach[at - 1] ?? 0) < (reach[at + 1] ?? 0))
      let x = isDown ? (reach[at + 1] ?? 0) : (reach[at - 1] ?? 0) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1
      reach[at] = x
      if (x >= a.length && x - k >= b.length) return walkBack(trace, { x: a.length, y: b.length, most })
    }
  }
  return null
}

function walkBack(
  trace: readonly Int32Array[],
  { x: atX, y: atY, most }: { x: number; y: number; most: number },
): Edit[] {
  const edits: Edit[] = []
  let [x, y] = [atX, atY]
  for (let d = trace.length - 1; d > 0; d--) {
    const reach = trace[d] ?? new Int32Array()
    const k = x - y
    const at = k + most + 1
    const isDown = k === -d || (k !== d && (reach[at - 1] ?? 0) < (reach[at + 1] ?? 0))
    const formerX = (isDown ? reach[at + 1] : reach[at - 1]) ?? 0
    const formerY = formerX - (isDown ? k + 1 : k - 1)
    edits.push({ a: formerX, b: formerY, removed: isDown ? 0 : 1, added: isDown ? 1 : 0 })
    ;[x, y] = [formerX, formerY]
  }
  return joined(edits.reverse())
}

/** What is changed at one place is one edit. */
function joined(edits: readonly Edit[]): Edit[] {
  const all: Edit[] = []
  for (const it of edits) {
    const last = all.at(-1)
    if (last && last.a + last.removed === it.a && last.b + last.added === it.b) {
      last.removed += it.removed
      last.added += it.added
    } else all.push({ ...it })
  }
  return all
}

/** Those so near to each other that the lines between them are shown. */
function groupEdits(edits: readonly Edit[]): Edit[][] {
  const groups: Edit[][] = []
  for (const it of edits) {
    const last = groups.at(-1)?.at(-1)
    if (last && it.a - (last.a + last.removed) <= 2 * contextLines) groups.at(-1)?.push(it)
    else groups.push([it])
  }
  return groups
}

function toHunk(
  a: readonly string[],
  b: readonly string[],
  group: readonly Edit[],
  most: number,
): { hunk: Hunk; more: number } {
  const [first, last] = [group[0], group.at(-1)]
  if (!first || !last) throw new Error('a group has edits')
  const from = Math.max(first.a - contextLines, 0)
  const lines: string[] = []
  let more = 0
  let at = from
  const context = (to: number) => {
    for (const line of a.slice(at, to)) lines.push(` ${clipped(line, 0)}`)
  }
  for (const it of group) {
    context(it.a)
    const room = Math.max(Math.ceil((most - lines.length) / 2), 1)
    const [gone, come] = [
      a.slice(it.a, it.a + Math.min(it.removed, room)),
      b.slice(it.b, it.b + Math.min(it.added, room)),
    ]
    lines.push(...gone.map((line, index) => `-${clipped(line, differsAt(line, come[index]))}`))
    lines.push(...come.map((line, index) => `+${clipped(line, differsAt(line, gone[index]))}`))
    more += it.removed - gone.length + it.added - come.length
    at = it.a + it.removed
  }
  context(Math.min(at + contextLines, a.length))
  return { hunk: { before: from + 1, after: first.b - (first.a - from) + 1, lines }, more }
}

function differsAt(line: string, other: string | undefined): number {
  if (other === undefined) return 0
  let at = 0
  while (at < line.length && line[at] === other[at]) at += 1
  return at
}

/** Of a long line, the part around the first character that differs. */
function clipped(line: string, at: number): string {
  if (line.length <= longestLine) return line
  const from = at < longestLine - 60 ? 0 : at - 60
  const to = from + longestLine
  // Half of a pair of surrogates is no text.
  return `${from > 0 ? '…' : ''}${line.slice(from, to).toWellFormed()}${to < line.length ? '…' : ''}`
}
