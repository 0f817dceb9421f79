import { LRUCache } from 'lru-cache'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { type Format, maxComposedBytes } from '../../render/liquid.ts'
import { piecesOf } from '../../render/template-pieces.ts'
import { type WordsUse, wordsIn } from '../../render/template-words.ts'
import { type Place, placeOfValues } from '../../render/value-place.ts'
import { type Message, outputName, type Piece, readMessage } from './read-message.ts'

/** The words of one workflow or layout for one reader, the best language first. */
export type Words = readonly { locale: string; content: Record<string, unknown> }[]

/**
 * The template with `{{t.key}}` replaced by the words of this key; where there are none, by the key itself. What is plain
 * text stays plain, so that it costs no more than a template without translations.
 */
export function translate(template: string, words: Words, format: Format): string {
  const { uses } = wordsIn(template)
  if (uses.length === 0) return template
  const place = format === 'html' ? placeOf(template) : 'text'
  const inline = place === 'anywhere' ? null : replaceUses(template, uses, { words, format, isInline: true })
  // Words in an attribute are cleaned like values. As part of the template, they would no longer be.
  const isJudgedAlike = inline !== null && (place === 'text' || placeOf(inline) === place)
  return isJudgedAlike ? inline : replaceUses(template, uses, { words, format, isInline: false })
}

/** Of the templates: each key once. */
export function keysIn(templates: Iterable<string>): string[] {
  const keys = new Set<string>()
  for (const template of templates) for (const { path } of wordsIn(template).uses) keys.add(path.join('.'))
  return [...keys]
}

/** The keys among them that none of the languages has. */
export function missingKeys(templates: Iterable<string>, words: Words): string[] {
  return keysIn(templates).filter((key) => findWords(words, key.split('.')) === null)
}

export function usesWords(templates: Iterable<string>): boolean {
  for (const template of templates) if (wordsIn(template).uses.length > 0) return true
  return false
}

type Found = { locale: string; text: string }

/** Nested (`{ "a": { "b": … } }`) or not (`{ "a.b": … }`). */
export function findWords(words: Words, path: readonly string[]): Found | null {
  for (const { locale, content } of words) {
    const nested = path.reduce<unknown>(ownOf, content)
    const text = typeof nested === 'string' ? nested : ownOf(content, path.join('.'))
    if (typeof text === 'string') return { locale, text }
  }
  return null
}

function ownOf(from: unknown, key: string): unknown {
  return isPlainObject(from) && Object.hasOwn(from, key) ? from[key] : undefined
}

function placeOf(template: string): Place {
  try {
    return placeOfValues(piecesOf(template))
  } catch {
    return 'anywhere'
  }
}

type How = { words: Words; format: Format; isInline: boolean }

function replaceUses(template: string, uses: readonly WordsUse[], how: How): string {
  let out = ''
  let from = 0
  for (const use of uses) {
    out += template.slice(from, use.begin)
    const made = toTemplate(use, how)
    out += `${use.trimLeft ? '{{- "" }}' : ''}${made}${use.trimRight ? '{{ "" -}}' : ''}`
    from = use.end
    // Refused when it is rendered; what 5,000 keys of 8 KB would make is not built.
    if (out.length > maxComposedBytes) return `${out}{{ "" }}`
  }
  return out + template.slice(from)
}

function toTemplate(use: WordsUse, { words, format, isInline }: How): string {
  const found = findWords(words, use.path)
  const message = found ? readRemembered(found.text) : { kind: 'text' as const, pieces: [use.path.join('.')] }
  const filters = use.filters.filter(({ name }) => name !== 'with')
  if (message.kind === 'text' && filters.length === 0 && use.assignsTo === null) {
    return message.pieces.map((piece) => toPiece(piece, format, isInline)).join('')
  }
  // `raw` says that the words are HTML: then the values in them still are none.
  const escapes = format === 'html' && filters.at(-1)?.name === 'raw'
  const outputs = message.kind === 'icu' ? message.outputs : message.pieces.flatMap(outputOf)
  const assigned = outputs.map(
    (output, index) => `{% assign ${outputName(index)} = ${output}${escapes ? ' | escape' : ''} %}`,
  )
  const value =
    message.kind === 'icu'
      ? toMessageCall(message, use, { locale: found?.locale ?? 'en', escapes })
      : toAppended(message.pieces)
  const expression = [value, ...filters.map(({ text }) => text)].join(' | ')
  const last = use.assignsTo === null ? `{{ ${expression} }}` : `{% assign ${use.assignsTo} = ${expression} %}`
  return assigned.join('') + last
}

function outputOf(piece: Piece): string[] {
  return typeof piece === 'string' ? [] : [piece.output]
}

function toPiece(piece: Piece, format: Format, isInline: boolean): string {
  if (typeof piece !== 'string') return `{{ ${piece.output} }}`
  // A brace could begin an output together with what stands beside it.
  if (!isInline || piece.includes('{')) return `{{ ${quoted(piece)} }}`
  return format === 'html' ? escapeHtml(piece) : piece
}

function toAppended(pieces: readonly Piece[]): string {
  let index = 0
  const values = pieces.map((piece) => (typeof piece === 'string' ? quoted(piece) : outputName(index++)))
  return [quoted(''), ...values.map((value) => `append: ${value}`)].join(' | ')
}

function toMessageCall(
  { text, outputs }: Extract<Message, { kind: 'icu' }>,
  { filters }: WordsUse,
  { locale, escapes }: { locale: string; escapes: boolean },
): string {
  const given = filters.filter(({ name }) => name === 'with').flatMap(({ args }) => args)
  const values = [
    ...given.map(({ name, value }) => `${name}: ${value}`),
    ...outputs.map((_, index) => `${outputName(index)}: ${outputName(index)}`),
  ]
  const name = escapes ? 'message_html' : 'message'
  return `${quoted(text)} | ${name}: ${[quoted(locale), ...values].join(', ')}`
}

const unsafe = /["'\\{}%\n\r]/g

/** As a text of Liquid in which nothing can end it or begin a tag. */
function quoted(text: string): string {
  return `"${text.replace(unsafe, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark)
}

const remembered = new LRUCache<string, Message>({ max: 2_000, maxSize: 8 * 1024 * 1024 })

/** It was judged when it was saved; one that cannot be read all the same is text. */
function readRemembered(text: string): Message {
  const known = remembered.get(text)
  if (known) return known
  const read = readMessage(text)
  const message = 'fault' in read ? { kind: 'text' as const, pieces: [text] } : read
  remembered.set(text, message, { size: text.length + 1 })
  return message
}
