import { Tokenizer, type TopLevelToken, TypeGuards } from 'liquidjs'
import { LRUCache } from 'lru-cache'
import { cutText } from '../lib/one-line.ts'
import { isDynamic } from './liquid.ts'
import { tokensOf } from './template-pieces.ts'

/** Where a template asks for translations: `{{ t.key }}`, `{{ t["a b"] | upcase }}`, `{% assign a = t.key %}`. */
export type WordsUse = {
  begin: number
  end: number
  trimLeft: boolean
  trimRight: boolean
  /** Null: an output. */
  assignsTo: string | null
  path: readonly string[]
  filters: readonly { name: string; text: string; args: readonly { name: string; value: string }[] }[]
}
/** `odd`: what asks for translations in a way that is not understood. */
export type TemplateWords = { uses: readonly WordsUse[]; odd: readonly string[] }

const none: TemplateWords = { uses: [], odd: [] }
const mayUse = /(?:^|[^\w.\-"'])t\s*[.[]/
const remembered = new LRUCache<string, TemplateWords>({ max: 2_000, maxSize: 16 * 1024 * 1024 })

/** A template that cannot be read has none. */
export function wordsIn(source: string): TemplateWords {
  if (!isDynamic(source) || !mayUse.test(source)) return none
  const known = remembered.get(source)
  if (known) return known
  const found = read(source)
  remembered.set(source, found, { size: source.length + 1 })
  return found
}

const binding = new Set(['for', 'tablerow', 'assign', 'capture', 'increment', 'decrement', 'liquid'])

function read(source: string): TemplateWords {
  try {
    const tokens = outsideComments(tokensOf(source))
    // Somebody's own variable.
    if (tokens.some(bindsT)) return none
    const uses: WordsUse[] = []
    const odd: string[] = []
    for (const token of tokens) {
      if (TypeGuards.isHTMLToken(token)) continue
      const use = readUse(token)
      if (use) uses.push(use)
      else if (mayUse.test(withoutTexts(token.getText()))) odd.push(cutText(token.getText(), 100))
    }
    return { uses, odd }
  } catch {
    return none
  }
}

/** Raw blocks are texts already. */
function outsideComments(tokens: readonly TopLevelToken[]): TopLevelToken[] {
  let depth = 0
  return tokens.filter((token) => {
    const name = TypeGuards.isTagToken(token) ? token.name : ''
    if (name === 'comment') depth += 1
    if (name === 'endcomment') depth = Math.max(0, depth - 1)
    return depth === 0 && name !== 'endcomment' && name !== '#'
  })
}

function bindsT(token: TopLevelToken): boolean {
  if (!TypeGuards.isTagToken(token) || !binding.has(token.name)) return false
  if (token.name !== 'liquid') return /^\s*t(?![\w.[-])/.test(token.args)
  return /^[ \t]*(?:for|tablerow|assign|capture|increment|decrement)[ \t]+t(?![\w.[-])/m.test(token.args)
}

function withoutTexts(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'/g, '""')
}

function readUse(token: TopLevelToken): WordsUse | null {
  if (!TypeGuards.isTagToken(token)) {
    const { contentRange } = token as unknown as Delimited
    return readValue(token, null, contentRange[0])
  }
  if (token.name !== 'assign') return null
  const [head = '', name = ''] = /^\s*([\w-]+)\s*=/.exec(token.args) ?? []
  if (head === '') return null
  const at = token.input.indexOf(token.args, token.contentRange[0])
  return readValue(token, name, at + head.length)
}

type Delimited = Pick<TopLevelToken, 'input' | 'begin' | 'end'> & {
  contentRange: [number, number]
  trimLeft: boolean
  trimRight: boolean
}

function readValue(token: TopLevelToken, assignsTo: string | null, from: number): WordsUse | null {
  const { input, begin, end, contentRange, trimLeft, trimRight } = token as unknown as Delimited
  const value = new Tokenizer(input, undefined, undefined, [from, contentRange[1]]).readFilteredValue()
  const [first, ...more] = value.initial.postfix
  if (!first || more.length > 0 || !TypeGuards.isPropertyAccessToken(first) || first.variable) return null
  const words = first.props.map((prop) => {
    if (TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop) || TypeGuards.isNumberToken(prop)) {
      return String(prop.content)
    }
    return null
  })
  const path = words.slice(1).flatMap((word) => word ?? [])
  if (words[0] !== 't' || path.length === 0 || path.length < words.length - 1) return null
  const filters = value.filters.map((filter) => ({
    name: filter.name,
    text: filter.getText().trim(),
    args: filter.args.flatMap((arg) =>
      Array.isArray(arg) && arg[0] && arg[1] ? [{ name: arg[0], value: arg[1].getText() }] : [],
    ),
  }))
  return { begin, end, trimLeft, trimRight, assignsTo, path, filters }
}
