/**
 * What a document may ask for: a path into what templates see, with filters. It is read by a grammar of our own and
 * written anew, so nothing of a document becomes template code that we did not write.
 */
export type Expression = { path: readonly string[]; filters: readonly Filter[] }
type Filter = { name: string; args: readonly Argument[] }
type Argument = { key?: string; value: { text: string } | { path: readonly string[] } | { word: string } }

/** A `repeat` around the place: its list, and what an item of it is called in the template. */
export type Loop = { each: readonly string[]; name: string; isDigest: boolean }

const maxChars = 500
const maxWords = 20
const maxFilters = 10
const word = String.raw`[\p{L}_][\p{L}\p{N}_-]*`
const pathPattern = new RegExp(String.raw`${word}(?:\.[\p{L}\p{N}_][\p{L}\p{N}_-]*|\[\d{1,6}\])*`, 'uy')
const filterName = /\s*\|\s*([A-Za-z_][A-Za-z0-9_]{0,39})/y
const argumentStart = /\s*[:,]\s*(?:([A-Za-z_]{1,40})\s*:\s*)?/y
const textPattern = /"([^"]*)"|'([^']*)'/y
const wordPattern = /-?\d{1,15}(?:\.\d{1,15})?(?![\w.])|(?:true|false|nil)(?![\w.-])/y

/** Null: it is no path, or no filter follows it. Braces around it, as some documents have them, are left out. */
export function readExpression(given: string): Expression | null {
  const text = given
    .trim()
    .replace(/^\{\{(.*)\}\}$/s, '$1')
    .trim()
  if (text === '' || text.length > maxChars) return null
  const reader = { text, at: 0 }
  const path = readPath(reader)
  if (!path) return null
  const filters: Filter[] = []
  for (let found = take(reader, filterName); found; found = take(reader, filterName)) {
    const args = readArguments(reader)
    if (!args || filters.length >= maxFilters) return null
    filters.push({ name: found[1] ?? '', args })
  }
  return reader.at === text.length ? { path, filters } : null
}

type Reader = { text: string; at: number }

function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)
  if (found) reader.at = pattern.lastIndex
  return found
}

function readPath(reader: Reader): string[] | null {
  const found = take(reader, pathPattern)
  const words = found?.[0].split(/[.[\]]+/).filter((it) => it !== '')
  return words && words.length <= maxWords ? words : null
}

/** Of one filter. Null: what follows the colon is no value. */
function readArguments(reader: Reader): Argument[] | null {
  const args: Argument[] = []
  for (let found = take(reader, argumentStart); found; found = take(reader, argumentStart)) {
    const value = readValue(reader)
    if (!value) return null
    args.push({ ...(found[1] !== undefined && { key: found[1] }), value })
  }
  return args
}

function readValue(reader: Reader): Argument['value'] | null {
  const text = take(reader, textPattern)
  if (text) return { text: text[1] ?? text[2] ?? '' }
  const found = take(reader, wordPattern)
  if (found) return { word: found[0] }
  const path = readPath(reader)
  return path && { path }
}

// As docs/workflows.md lists them; `t` are translations.
const roots = new Set(['subscriber', 'payload', 'actor', 'tenant', 'context', 'env', 'step', 't'])
const ofDigest = new Set(['events', 'eventCount', 'digest', 'total_count'])

/** The same path as the template says it. `unknown`: nothing of this name will ever be there. */
export function resolvePath(path: readonly string[], loops: readonly Loop[]): { source: string; unknown?: true } {
  const [first = '', ...rest] = path
  const inner = loops.at(-1)
  if (first === 'current' && inner) return { source: write([inner.name, ...itemPath(rest, inner)]) }
  for (const loop of loops.toReversed()) {
    if (!startsWith(path, loop.each)) continue
    const within = path.slice(loop.each.length)
    // With a number it is a certain item, or with nothing the whole list.
    if (within.length > 0 && !/^\d/.test(within[0] ?? '')) {
      return { source: write([loop.name, ...itemPath(within, loop)]) }
    }
  }
  if (first === 'steps' && rest.length >= 2) {
    const [, ...ofStep] = rest
    return { source: write(['step', ...ofStep]), ...(!ofDigest.has(ofStep[0] ?? '') && { unknown: true }) }
  }
  if (roots.has(first)) return { source: write(path) }
  const source = write(['payload', ...path])
  // A document may mean a field of the item, or else one of the payload, by its bare name.
  if (inner) return { source: `${write([inner.name, ...path])} | default: ${source}` }
  return { source, ...(['workflow', 'current'].includes(first) && { unknown: true }) }
}

/** The known editor's digest has the payload of each event as `payload`; ours are the payloads. */
function itemPath(path: readonly string[], { isDigest }: Loop): readonly string[] {
  return isDigest && path[0] === 'payload' ? path.slice(1) : path
}

export function isDigestList(path: readonly string[]): boolean {
  return path.length === 3 && path[0] === 'steps' && path[2] === 'events'
}

function startsWith(path: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((name, index) => path[index] === name)
}

function write([first = '', ...rest]: readonly string[]): string {
  return first + rest.map(writeStep).join('')
}

function writeStep(name: string): string {
  if (/^\d+$/.test(name)) return `[${name}]`
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `.${name}` : `[${writeText(name)}]`
}

/** A text of the template language without any character that means something in it, or in HTML. */
export function writeText(text: string): string {
  const plain = text.toWellFormed().replaceAll('\0', '')
  return `"${plain.replace(/[^A-Za-z0-9 .,;_-]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}

/** `path | filters`, without the marks around it. */
export function writeExpression({ path, filters }: Expression, loops: readonly Loop[]): string {
  const written = filters.map(({ name, args }) => {
    const list = args.map(({ key, value }) => (key === undefined ? '' : `${key}: `) + writeValue(value, loops))
    return list.length > 0 ? ` | ${name}: ${list.join(', ')}` : ` | ${name}`
  })
  return resolvePath(path, loops).source + written.join('')
}

function writeValue(value: Argument['value'], loops: readonly Loop[]): string {
  if ('text' in value) return writeText(value.text)
  if ('word' in value) return value.word
  // An argument has no filters of its own.
  return resolvePath(value.path, loops).source.split(' | ')[0] ?? ''
}
