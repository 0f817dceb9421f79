import {
  CaptureTag,
  Context,
  defaultOperators,
  type Emitter,
  type FilterImplOptions,
  Liquid,
  LiquidError,
  type Operators,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  toValue,
  toValueSync,
} from 'liquidjs'
import { cutText } from '../lib/one-line.ts'
import { isStorableText } from '../lib/read-json.ts'
import { TooLarge, withRoom } from './bounded-tokenizer.ts'
import { escapeValue, finishHtml, registerHtmlFilters, rememberCaptured } from './liquid-html.ts'
import { registerLocaleFilters, rememberMoment } from './locale-filters.ts'
import { registerMessageFilters } from './message-filter.ts'
import { piecesOf } from './template-pieces.ts'
import { type Place, placeOfValues } from './value-place.ts'

/**
 * Liquid as tenants may write it. Missing values come out as nothing, dates in UTC unless the filter names a zone. As
 * text, values come out as they are; as HTML they are escaped unless the filter `raw` comes last, and what was put in by
 * `raw`, or stands inside a tag, cannot run.
 *
 * Why so many limits, when the thread is killed anyway: V8 can only kill a thread whose memory grows in small steps.
 * One allocation of more than 16 MB beyond the thread's limit aborts the whole process, and a native string search is
 * not interrupted at all. So nothing below may build a large value or search long in one call.
 */

export const maxSourceBytes = 64 * 1024
// A body inside a layout, each of which was saved within the bound above, and some room for words of translations.
export const maxComposedBytes = 160 * 1024
const maxChars = 512 * 1024 // of one value: url_encode makes 9 times that, still a small allocation
const maxWeight = 2_000_000 // of one array: characters it would have as text
const maxMemory = 2_000_000 // liquidjs's own count per field: characters and elements that filters make
const maxSearch = 50_000_000 // text length × pattern length: V8's worst case, about 100 ms

export type TemplateFault = {
  reason: 'template_error' | 'template_timeout' | 'output_too_large' | 'template_memory'
  message: string
}
/** `nowMs`: for how long ago something is. */
export type FieldLimits = { timeoutMs: number; maxChars: number; nowMs: number }

class OutputTooLarge extends Error {}

type OperatorHandler = Operators[string]

const refusedTags = ['include', 'render', 'layout', 'block'] // they read files, or are useless without files
// They evaluate a string as an expression, and that string may come from a payload: values are never parsed.
const refusedFilters = ['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp']
const searchFilters = ['split', 'replace', 'replace_first', 'replace_last', 'remove', 'remove_first', 'remove_last']
const compactFilters = ['json', 'jsonify', 'inspect'] // their indentation is not counted by maxMemory, so it is left out

/** Whether the source has anything to render; otherwise it is sent as it is. */
export function isDynamic(source: string): boolean {
  return source.includes('{{') || source.includes('{%')
}

/** One sentence for the author of a template that cannot be parsed, or null. Safe on the main thread. */
export function templateFault(source: string): string | null {
  if (Buffer.byteLength(source) > maxSourceBytes) return 'the template is larger than 64 KB'
  try {
    if (isDynamic(source)) engines.html.parse(source)
    return null
  } catch (error) {
    return toFault(error).message
  }
}

/** Those that a template may use. */
export function filterNames(): string[] {
  return Object.keys(engines.html.filters)
}

export type Format = 'text' | 'html'

/** Of what is sent: a saved template, or one that is composed of several. */
export function parseTemplate(source: string, format: Format): Template[] {
  if (Buffer.byteLength(source) > maxComposedBytes) throw new Error('the template is larger than 160 KB')
  return withRoom(() => parseComposed(source, format))
}

function parseComposed(source: string, format: Format): Template[] {
  if (format === 'text') return engines.text.parse(source)
  const place = placeOfValues(piecesOf(source))
  const template = engineOf(format, place).parse(source)
  places.set(template, place)
  return template
}

/** Of templates of HTML. */
const places = new WeakMap<Template[], Place>()

function engineOf(format: Format, place: Place): Liquid {
  return place === 'anywhere' ? engines.hardHtml : engines[format]
}

/** `format`: the one it was parsed for. */
export function renderTemplate(
  template: Template[],
  scope: Record<string, unknown>,
  format: Format,
  limits: FieldLimits,
): string {
  const place = places.get(template) ?? 'text'
  const engine = engineOf(format, place)
  // A copy without prototype: `increment` writes into it, and the next field must not see that.
  const environment = Object.assign(Object.create(null), scope)
  const options = { sync: true, memoryLimit: maxMemory, renderLimit: limits.timeoutMs }
  const context = new Context(environment, engine.options, options, { liquid: engine })
  rememberMoment(context, limits.nowMs)
  const emitter = boundedEmitter(limits.maxChars)
  toValueSync(engine.renderer.renderTemplates(template, context, emitter))
  const text = format === 'html' ? finishHtml(emitter.buffer, context, place) : emitter.buffer
  if (text.length > limits.maxChars) refuseOutput()
  return storable(text)
}

export function refuseOutput(): never {
  throw new OutputTooLarge('the rendered text is larger than allowed')
}

export function toFault(error: unknown): TemplateFault {
  const cause = LiquidError.is(error) && error.originalError ? error.originalError : error
  const text = error instanceof Error ? error.message : String(error)
  const message = cutText(text, 300)
  if (cause instanceof OutputTooLarge) return { reason: 'output_too_large', message }
  if (cause instanceof TooLarge || text.startsWith('memory alloc limit')) return { reason: 'template_memory', message }
  if (text.startsWith('template render limit'))
    return { reason: 'template_timeout', message: 'the template took too long to render' }
  if (cause instanceof RangeError && /call stack/.test(cause.message))
    return { reason: 'template_error', message: 'the template is nested too deeply' }
  return { reason: 'template_error', message }
}

function createEngine(format: Format, isHard = false): Liquid {
  const liquid = new Liquid({
    ...(format === 'html' && { outputEscape: escapeValue({ isHard }) }),
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    templates: {}, // no file system, should a tag ever ask for a file
    timezoneOffset: 0,
    locale: 'en-US',
    operators: { ...defaultOperators, contains: containsWithin },
  })
  for (const name of refusedTags) liquid.registerTag(name, RefusedTag)
  liquid.registerTag('capture', BoundedCapture)
  liquid.registerTag('#', InlineComment)
  for (const name of refusedFilters) liquid.unregisterFilter(name)
  if (format === 'html') registerHtmlFilters(liquid, { isHard })
  registerLocaleFilters(liquid)
  registerMessageFilters(liquid)
  for (const [name, filter] of Object.entries(liquid.filters)) liquid.registerFilter(name, bounded(name, filter))
  return liquid
}

/** PostgreSQL would refuse the whole page for a NUL or half a character in one text. */
function storable(text: string): string {
  return isStorableText(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd')
}

function boundedEmitter(limit: number): Emitter {
  const emitter = {
    buffer: '',
    write(value: unknown) {
      const plain: unknown = toValue(value)
      if (Array.isArray(plain)) return plain.forEach(emitter.write)
      emitter.buffer += plain === null || plain === undefined ? '' : String(plain)
      if (emitter.buffer.length > limit) refuseOutput()
    },
  }
  return emitter
}

/** The filter with limits on the length of its texts, of its search and of the array it makes. */
function bounded(name: string, filter: FilterImplOptions): FilterImplOptions {
  const handler = typeof filter === 'function' ? filter : filter.handler
  const takesArguments = !compactFilters.includes(name)
  const searches = searchFilters.includes(name)
  const within: typeof handler = function* (value: unknown, ...given: unknown[]): Generator<unknown, unknown> {
    const args = takesArguments ? given : []
    refuseLong(value)
    args.forEach(refuseLong)
    if (searches) refuseSearch(value, args[0])
    return refuseHeavy(yield handler.apply(this, [value, ...args]))
  }
  return typeof filter === 'function' ? within : { ...filter, handler: within }
}

function refuseLong(value: unknown): void {
  if (typeof value === 'string' && value.length > maxChars) throw new TooLarge('a text is too long for a filter')
}

function refuseSearch(text: unknown, pattern: unknown): void {
  if (weigh(text) * weigh(pattern) > maxSearch) throw new TooLarge('the text to search is too long for this pattern')
}

/** Arrays may hold the same array many times; as text or as a sort key, such an array fills the memory. */
function refuseHeavy(value: unknown): unknown {
  if (Array.isArray(value) && weigh(value) > maxWeight) throw new TooLarge('a list is too large')
  return value
}

const weights = new WeakMap<readonly unknown[], number>() // no filter changes an array in place

function weigh(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (!Array.isArray(value)) return 16
  const known = weights.get(value)
  if (known !== undefined) return known
  let weight = 0
  for (const element of value) weight += weigh(element) + 1
  weights.set(value, weight)
  return weight
}

const containsWithin: OperatorHandler = (text: unknown, pattern: unknown, context: Context) => {
  const plain: unknown = toValue(text)
  if (typeof plain === 'string') refuseSearch(plain, toValue(pattern))
  return defaultOperators.contains?.(text, pattern, context) ?? false
}

// Tags are classes because liquidjs makes them with `new`.

class RefusedTag extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid)
    throw new Error(`the tag "${token.name}" is not available here`)
  }
  override render() {}
}

/** The stock tag has no limit: 30 lines that print a variable twice into itself make a gigabyte. */
class BoundedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const emitter = boundedEmitter(maxChars)
    yield this.liquid.renderer.renderTemplates(this.templates, context, emitter)
    Object.assign(context.bottom(), { [this.variable]: emitter.buffer })
    if (this.liquid.options.outputEscape) rememberCaptured(emitter.buffer, context)
  }
}

/** The stock tag finds unmarked lines in quadratic time, and parsing cannot be killed. */
class InlineComment extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid)
    const [, ...lines] = token.args.split('\n')
    const isMarked = (line: string) => line.trim() === '' || line.trimStart().startsWith('#')
    if (!lines.every(isMarked)) throw new Error("every line of an inline comment must start with a '#' character")
  }
  override render() {}
}

// Last, because the classes above exist only from here on.
const engines = { text: createEngine('text'), html: createEngine('html'), hardHtml: createEngine('html', true) }
