import { LRUCache } from 'lru-cache'
import { isStorableText } from '../lib/read-json.ts'
import type { Format } from './liquid.ts'
import { stripScripts } from './strip-scripts.ts'
import { type Place, placeOfValues } from './value-place.ts'

/**
 * Most templates are text with names: `Hello {{subscriber.firstName}}`. They cannot loop or grow, so they need no
 * thread that can be killed, and sending them to one costs more than rendering them. Anything else, in the source or in
 * a value, is left to Liquid (null).
 */
type PlainPart = { text: string; path: readonly string[] }
type PlainTemplate = { parts: PlainPart[]; end: string; place: Place }

const name = '[A-Za-z_][A-Za-z0-9_]*'
const output = new RegExp(`\\{\\{\\s*(${name}(?:\\.${name})*)\\s*\\}\\}`, 'g')
// In Liquid these are keywords, or properties of a value.
const notPlain = new Set([
  'nil',
  'null',
  'true',
  'false',
  'empty',
  'blank',
  'size',
  'first',
  'last',
  'and',
  'or',
  'not',
])
const maxSourceChars = 16 * 1024
const maxNames = 200
const maxCleanedChars = 64 * 1024 // a millisecond
const remembered = new LRUCache<string, { plain: PlainTemplate | null }>({ max: 1_000 })

/** `too_large`: longer than allowed; it is not built any further. */
export function renderPlain(
  source: string,
  scope: Record<string, unknown>,
  format: Format,
  maxChars: number,
): { text: string } | 'too_large' | null {
  const plain = parseRemembered(source)
  if (!plain) return null
  const place = format === 'html' ? plain.place : 'text'
  if (place === 'anywhere') return null
  let out = ''
  let isTooLarge = false
  for (const { text, path } of plain.parts) {
    const value = read(scope, path)
    if (value === null) return null
    if (!isTooLarge) out += text + (format === 'html' && value.length <= maxChars ? escapeHtml(value) : value)
    isTooLarge ||= out.length > maxChars
  }
  out += plain.end
  if (isTooLarge || out.length > maxChars) return 'too_large'
  if (place === 'quoted') {
    if (out.length > maxCleanedChars) return null
    out = stripScripts(out)
    if (out.length > maxChars) return 'too_large'
  }
  return isStorableText(out) ? { text: out } : null
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark)
}

function parseRemembered(source: string): PlainTemplate | null {
  if (source.length > maxSourceChars) return null
  const known = remembered.get(source)
  if (known) return known.plain
  const plain = parse(source)
  remembered.set(source, { plain })
  return plain
}

function parse(source: string): PlainTemplate | null {
  const parts: PlainPart[] = []
  let from = 0
  for (const found of source.matchAll(output)) {
    const path = (found[1] ?? '').split('.')
    if (path.some((word) => notPlain.has(word))) return null
    parts.push({ text: source.slice(from, found.index), path })
    from = found.index + found[0].length
  }
  const end = source.slice(from)
  // `{` is added because a brace at the end of a text joins the two that follow it.
  const isPlain = parts.length <= maxNames && !parts.some(({ text }) => hasMark(`${text}{`)) && !hasMark(end)
  if (!isPlain) return null
  const place = placeOfValues([...parts.flatMap(({ text }) => [text, { tag: 'output' }]), end])
  return { parts, end, place }
}

function hasMark(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}

/** The text of a value, empty when it is missing. Null: a value that Liquid prints in its own way. */
function read(scope: Record<string, unknown>, path: readonly string[]): string | null {
  let at: unknown = scope
  for (const key of path) {
    if (at === null || at === undefined) return ''
    if (typeof at !== 'object' || Array.isArray(at)) return null
    at = Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined
  }
  if (typeof at === 'string') return at
  if (at === null || at === undefined) return ''
  return typeof at === 'number' || typeof at === 'boolean' ? String(at) : null
}
