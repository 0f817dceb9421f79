import type { Context, FilterImplOptions, Liquid } from 'liquidjs'
import { type IcuNode, readIcu } from './icu-message.ts'
import { formatter, type Reader, readerOf, toAmount, toLocale, toMs } from './locale-filters.ts'

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>

export function registerMessageFilters(liquid: Liquid): void {
  liquid.registerFilter('message', message)
  liquid.registerFilter('message_html', messageHtml)
  // `{{ t.key | with: count: 3 }}` is taken out when the template is composed; elsewhere it does nothing.
  liquid.registerFilter('with', (value: unknown) => value)
}

// Of a render: what reading one costs more than its characters.
const readingCost = 500

/**
 * `{{ "{count, plural, one {# order} other {# orders}}" | message: "en", count: payload.orders }}`: how a translation with
 * ICU syntax is composed. Values that are not given are those of the payload, or of the digest. Plurals follow the
 * language of the text; numbers and times the reader's region where it is of the same language.
 */
const message: Handler = function (text: unknown, language?: unknown, ...given: unknown[]) {
  return format(this.context, text, language, given, (value) => value)
}

/** The same where the text is HTML: values are not. */
const messageHtml: Handler = function (text: unknown, language?: unknown, ...given: unknown[]) {
  return format(this.context, text, language, given, escapeHtml)
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark)
}

function format(
  context: Context,
  text: unknown,
  language: unknown,
  given: readonly unknown[],
  finish: (value: string) => string,
): unknown {
  if (typeof text !== 'string') return text
  context.memoryLimit.use(text.length + readingCost)
  const read = readIcu(text)
  if ('fault' in read) return text
  const reader = readerOf(context)
  const own = typeof language === 'string' ? toLocale(language) : reader.locale
  const isSame = own.split('-', 1)[0] === reader.locale.split('-', 1)[0]
  const named = new Map(given.flatMap((it): [string, unknown][] => (isPair(it) ? [[it[0], it[1]]] : [])))
  const writer: Writer = {
    context,
    reader: { ...reader, locale: isSame ? reader.locale : own },
    own,
    valueOf: (name) => (named.has(name) ? named.get(name) : ofEvent(context, name)),
    finish,
    out: '',
  }
  writeAll(writer, read.nodes, null)
  return writer.out
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string'
}

const ofDigest = ['eventCount', 'total_count']

function ofEvent(context: Context, name: string): unknown {
  const { payload, step } = context.environments as { payload?: unknown; step?: unknown }
  const found = own(payload, name)
  return found === undefined && ofDigest.includes(name) ? own(step, name) : found
}

function own(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null && Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined
}

type Writer = {
  context: Context
  reader: Reader
  /** The language of the text. */
  own: string
  valueOf(name: string): unknown
  finish(value: string): string
  out: string
}

/** `counted`: what `#` stands for. */
function writeAll(writer: Writer, nodes: readonly IcuNode[], counted: number | null): void {
  for (const node of nodes) writeNode(writer, node, counted)
}

function write(writer: Writer, text: string): void {
  writer.context.memoryLimit.use(text.length)
  writer.out += text
}

function writeNode(writer: Writer, node: IcuNode, counted: number | null): void {
  switch (node.kind) {
    case 'select':
      writeAll(writer, branch(node.branches, textOf(writer.valueOf(node.name))), counted)
      break
    case 'plural':
      writePlural(writer, node)
      break
    default:
      write(writer, simpleText(writer, node, counted))
  }
}

type Simple = Exclude<IcuNode, { kind: 'select' | 'plural' }>

function simpleText({ context, reader, ...writer }: Writer, node: Simple, counted: number | null): string {
  if (node.kind === 'text') return node.text
  if (node.kind === 'pound') return counted === null ? '#' : numbers(context, reader, {}).format(counted)
  const value = writer.valueOf(node.name)
  const asItIs = () => writer.finish(textOf(value))
  if (node.kind === 'value') return asItIs()
  if (node.kind === 'date') {
    const ms = toMs(value, context)
    return ms === null ? asItIs() : dates(context, reader, { timeZone: reader.zone, ...node.options }).format(ms)
  }
  const amount = toAmount(value)
  const { scale = 1, ...options } = node.options
  if (amount === null) return asItIs()
  return numbers(context, reader, options).format(scale === 1 ? amount : Number(amount) * scale)
}

function writePlural(writer: Writer, node: Extract<IcuNode, { kind: 'plural' }>): void {
  const amount = Number(toAmount(writer.valueOf(node.name)) ?? 0)
  const options = { type: node.type }
  const rules = formatter(writer.context, 'plural', writer.own, options, (at) => new Intl.PluralRules(at, options))
  const counted = amount - node.offset
  const chosen = node.branches.get(`=${amount}`) ?? branch(node.branches, rules.select(counted))
  writeAll(writer, chosen, counted)
}

function branch(branches: ReadonlyMap<string, readonly IcuNode[]>, word: string): readonly IcuNode[] {
  return branches.get(word) ?? branches.get('other') ?? []
}

function numbers(context: Context, { locale }: Reader, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return formatter(context, 'number', locale, options, (at) => new Intl.NumberFormat(at, options))
}

// The one of before render-worker.ts, as in locale-filters.ts.
const { DateTimeFormat } = Intl

function dates(context: Context, { locale }: Reader, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return formatter(context, 'date', locale, options, (at) => new DateTimeFormat(at, options))
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
