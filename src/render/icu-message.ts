import { IntlMessageFormat } from 'intl-messageformat'
import { LRUCache } from 'lru-cache'
import { cutText } from '../lib/one-line.ts'

// The one of before render-worker.ts, which keeps all that are ever made.
const { DateTimeFormat } = Intl

/** A message in ICU syntax, as far as we use it. */
export type IcuNode =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: string }
  | { kind: 'number'; name: string; options: NumberOptions }
  | { kind: 'date'; name: string; options: Intl.DateTimeFormatOptions }
  | { kind: 'select'; name: string; branches: Branches }
  | { kind: 'plural'; name: string; branches: Branches; offset: number; type: 'cardinal' | 'ordinal' }
  | { kind: 'pound' }
type Branches = ReadonlyMap<string, readonly IcuNode[]>
export type NumberOptions = Intl.NumberFormatOptions & { scale?: number }

export const maxMessageChars = 8 * 1024
const maxDepth = 10
// The parser takes a millisecond for each, in which nobody else is answered.
const maxBraces = 200

type Read = { nodes: readonly IcuNode[] } | { fault: string }
const remembered = new LRUCache<string, Read>({ max: 500 })

/** `fault`: one sentence for its author. */
export function readIcu(text: string): Read {
  if (text.length > maxMessageChars) return { fault: 'is longer than 8 KB' }
  const large = sizeFault(text)
  if (large !== null) return { fault: large }
  const known = remembered.get(text)
  if (known) return known
  const made = parse(text)
  remembered.set(text, made)
  return made
}

/** Judged before it is parsed. Each level of branches is two braces deep. */
function sizeFault(text: string): string | null {
  let [depth, deepest, count] = [0, 0, 0]
  for (const char of text) {
    if (char === '{') count += 1
    depth = char === '{' ? depth + 1 : char === '}' ? Math.max(0, depth - 1) : depth
    deepest = Math.max(deepest, depth)
  }
  if (count > maxBraces) return `has more than ${maxBraces} braces`
  return deepest > maxDepth * 2 + 1 ? `has branches more than ${maxDepth} deep` : null
}

class Refused extends Error {}

function parse(text: string): Read {
  try {
    const ast = new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst()
    // The parser's own types are not exported to us.
    return { nodes: toNodes(ast as unknown as Parsed[], 1) }
  } catch (error) {
    if (error instanceof Refused) return { fault: error.message }
    return { fault: `is not a message: ${wordsOf(error)}` }
  }
}

const knownFaults: Record<string, string> = {
  EXPECT_ARGUMENT_CLOSING_BRACE: 'a closing brace is missing',
  EMPTY_ARGUMENT: 'there is no name between the braces',
  MALFORMED_ARGUMENT: 'what stands between the braces is no name',
  INVALID_ARGUMENT_TYPE: 'it is none of number, date, time, plural, selectordinal, select',
  MISSING_OTHER_CLAUSE: 'the branch "other" is missing',
  UNMATCHED_CLOSING_TAG: 'a tag is not closed',
  UNCLOSED_QUOTE_IN_ARGUMENT_STYLE: 'a quote is not closed',
  DUPLICATE_PLURAL_ARGUMENT_SELECTOR: 'a branch is there twice',
  DUPLICATE_SELECT_ARGUMENT_SELECTOR: 'a branch is there twice',
}

function wordsOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return knownFaults[line] ?? cutText(line.toLowerCase().replaceAll('_', ' '), 200)
}

type Parsed = {
  type: number
  value: string
  style?: string | { parsedOptions?: object } | null
  options?: Record<string, { value: Parsed[] }>
  offset?: number
  pluralType?: string
}

function toNodes(parsed: readonly Parsed[], depth: number): IcuNode[] {
  if (depth > maxDepth) throw new Refused(`has branches more than ${maxDepth} deep`)
  return parsed.map((node) => toNode(node, depth))
}

/** The numbers are those of the parser. */
function toNode(node: Parsed, depth: number): IcuNode {
  const { type, value: name } = node
  if (type === 0) return { kind: 'text', text: name }
  if (type === 1) return { kind: 'value', name }
  if (type === 2) return { kind: 'number', name, options: checkedNumber(numberOptions(node.style)) }
  if (type === 3 || type === 4) return { kind: 'date', name, options: checkedDate(dateOptions(type, node.style)) }
  if (type === 7) return { kind: 'pound' }
  if (type !== 5 && type !== 6) throw new Refused('has something that is not known here')
  const branches: Branches = new Map(
    Object.entries(node.options ?? {}).map(([word, { value }]) => [word, toNodes(value, depth + 1)]),
  )
  if (type === 5) return { kind: 'select', name, branches }
  const rules = node.pluralType === 'ordinal' ? 'ordinal' : 'cardinal'
  return { kind: 'plural', name, branches, offset: node.offset ?? 0, type: rules }
}

function numberOptions(style: Parsed['style']): NumberOptions {
  if (style && typeof style === 'object') return { ...style.parsedOptions }
  if (style === 'percent') return { style: 'percent' }
  return style === 'integer' ? { maximumFractionDigits: 0 } : {}
}

const styles = ['short', 'medium', 'long', 'full'] as const

function dateOptions(type: 3 | 4, style: Parsed['style']): Intl.DateTimeFormatOptions {
  if (style && typeof style === 'object') return { ...style.parsedOptions }
  const word = styles.find((it) => it === style)
  return type === 3 ? { dateStyle: word ?? 'medium' } : { timeStyle: word ?? 'short' }
}

/** What Intl refuses is told to the author, not when it is sent. */
function checkedNumber(options: NumberOptions): NumberOptions {
  new Intl.NumberFormat('en', options)
  return options
}

function checkedDate(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormatOptions {
  new DateTimeFormat('en', options)
  return options
}
