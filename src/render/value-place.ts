import { blank, equals, greater, skipUntil, skipWhile, slash } from './html-marks.ts'

/** Where the values of an HTML template stand; judged once, when it is parsed. */

/**
 * `text`: between tags, or in a comment, a title or a style, where an escaped value stays what it is. `quoted`: also in
 * quoted attributes or in a script, so what runs is taken out of the finished HTML. `anywhere`: perhaps in a tag without
 * quotes, so values also lose what would end such an attribute.
 */
export type Place = 'text' | 'quoted' | 'anywhere'

/** A template as Liquid cuts it: texts, and in between outputs and tags by name. */
export type Piece = string | { tag: string }

/** These print at most one value, and jump nowhere. */
const inLine = new Set(['output', 'echo', 'liquid', 'cycle', 'assign', 'increment', 'decrement', '#', 'raw', 'endraw'])
const blocks = new Set(['if', 'unless', 'case', 'for', 'tablerow', 'capture'])
const middles = new Set(['else', 'elsif', 'when', 'break', 'continue'])

/**
 * Follows the template from top to bottom. That is the order of the output only if every block begins and ends, and
 * changes its branch, in the same place; where it does not, or where what is captured may come out inside a tag, the
 * answer is `anywhere`.
 */
export function placeOfValues(pieces: readonly Piece[]): Place {
  let state = 'data'
  let place: Place = 'text'
  let captures = false
  let isComment = false
  const open: string[] = []
  for (const piece of pieces) {
    const tag = typeof piece === 'string' ? '' : piece.tag
    if (isComment || tag === 'comment') {
      isComment = tag !== 'endcomment'
      continue
    }
    if (typeof piece === 'string') {
      state = stateAfter(piece, state)
      continue
    }
    captures ||= tag === 'capture'
    const here = placeIn(state)
    if (here === 'anywhere' || !staysInPlace(tag, state, open)) return 'anywhere'
    if (here === 'quoted') place = 'quoted'
    if (captures && state !== 'data') return 'anywhere'
  }
  return place
}

function staysInPlace(tag: string, state: string, open: string[]): boolean {
  if (inLine.has(tag)) return true
  if (blocks.has(tag)) return open.push(state) > 0
  if (middles.has(tag)) return open.every((it) => it === state)
  return tag.startsWith('end') && open.pop() === state
}

/** States: `data`, `comment`, `bogus`, `in style` (any raw text), `" a` (a quoted value of that tag), `tag` (all else). */
function placeIn(state: string): Place {
  if (state === 'tag') return 'anywhere'
  return state === 'in script' || /^["']/.test(state) ? 'quoted' : 'text'
}

const opening = /<(?:!--|[!?]|\/?[a-zA-Z]|\/?$)/g
const rawText = /^(script|style|title|textarea|xmp|iframe|noembed|noframes)$/

/** The state in which a text ends that begins in another. What is cut in the middle of a mark is in a `tag`. */
function stateAfter(text: string, before: string): string {
  let state = before
  let at = 0
  while (at < text.length) {
    const next = step(text, at, state)
    at = next.at
    state = next.state
  }
  return state
}

type Next = { at: number; state: string }

function step(text: string, at: number, state: string): Next {
  if (state === 'tag') return { at: text.length, state }
  if (state === 'data') return fromData(text, at)
  if (state === 'comment') return past(text, at, /--!?>/g, /-{1,2}!?$/, state)
  if (state === 'bogus') return past(text, at, />/g, null, state)
  if (state.startsWith('in ')) {
    const name = state.slice(3)
    const found = search(text, at, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi'))
    if (found) return inTag(text, found.end, '')
    return { at: text.length, state: /<\/?[a-z]*$/i.test(text.slice(at).slice(-12)) ? 'tag' : state }
  }
  const end = text.indexOf(state[0] ?? '"', at)
  return end < 0 ? { at: text.length, state } : inTag(text, end + 1, state.slice(2))
}

function fromData(text: string, from: number): Next {
  const found = search(text, from, opening)
  if (!found) return { at: text.length, state: 'data' }
  const { mark, end } = found
  if (mark === '<!--') {
    if (/^-?$/.test(text.slice(end, end + 2))) return { at: text.length, state: 'tag' }
    const abrupt = /^-?>/.exec(text.slice(end, end + 2))
    return abrupt ? { at: end + abrupt[0].length, state: 'data' } : { at: end, state: 'comment' }
  }
  if (mark === '<!' || mark === '<?') {
    return /^-?$/.test(text.slice(end, end + 2)) ? { at: text.length, state: 'tag' } : { at: end, state: 'bogus' }
  }
  const name = /^[a-zA-Z][^\t\n\f\r />]*/.exec(text.slice(end - 1, end + 100))?.[0].toLowerCase() ?? ''
  if (end - 1 + name.length >= text.length) return { at: text.length, state: 'tag' }
  return inTag(text, end - 1 + name.length, mark.startsWith('</') ? '' : name)
}

/** Behind the name of a tag, or behind one of its attributes. */
function inTag(text: string, from: number, name: string): Next {
  let at = from
  for (;;) {
    at = skipWhile(text, at, blank | slash)
    if (text[at] === '>') return { at: at + 1, state: rawText.test(name) ? `in ${name}` : 'data' }
    const nameEnd = skipUntil(text, at + 1, blank | slash | greater | equals)
    const sign = skipWhile(text, nameEnd, blank)
    at = nameEnd
    if (text[sign] === '=') {
      const value = skipWhile(text, sign + 1, blank)
      const quote = text[value]
      if (quote === '"' || quote === "'") return { at: value + 1, state: `${quote} ${name}` }
      at = skipUntil(text, value, blank | greater)
    }
    if (at >= text.length) return { at: text.length, state: 'tag' }
  }
}

function past(text: string, from: number, end: RegExp, half: RegExp | null, state: string): Next {
  const found = search(text, from, end)
  if (found) return { at: found.end, state: 'data' }
  return { at: text.length, state: half?.test(text.slice(from).slice(-3)) ? 'tag' : state }
}

function search(text: string, from: number, pattern: RegExp): { mark: string; end: number } | null {
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found && { mark: found[0], end: found.index + found[0].length }
}
