import { cutText } from '../../lib/one-line.ts'
import { filterNames } from '../../render/liquid.ts'
import { type BlockNode, DocumentFault } from './document.ts'
import { type Expression, type Loop, readExpression, resolvePath, writeExpression, writeText } from './expressions.ts'

/** What of a document is not sent as it stands there. `variable`: the name that cannot be meant. */
export type BlockWarning = { message: string; variable?: string }

/** The mail that is being made. */
export type Page = {
  warnings: BlockWarning[]
  /** Style sheets out of raw HTML. */
  styles: string[]
  /** Colours of its own stand on no background of its own: on a dark page they might not be read. */
  isLightOnly: boolean
  loopCount: number
  /** Of a layout: how often the place of the body was found. */
  slots?: { count: number }
}

/** Stands where the body goes in a layout. Of characters that no text has: `clean` takes them out. */
export const slotMark = '\ufdd0body\ufdd1'

export const slotHelp = 'put the variable "content" into the layout once, where the body of each e-mail goes'

/** The place of the body. */
export function slot(page: Page, place: Place): string {
  if (place.loops.length > 0) {
    throw new DocumentFault('has the variable "content" in a block that repeats: the body is sent once')
  }
  if (page.slots) page.slots.count += 1
  return slotMark
}

/** Where a node stands. */
export type Place = {
  loops: readonly Loop[]
  /** Inside a block with a background of its own. */
  hasBackground: boolean
}

/** Makes HTML of what is inside a block. `isTight`: the last one leaves no room below it. */
export type Inner = (place: Place, nodes: readonly BlockNode[], isTight?: boolean) => string

// Enough to mend a document; more would only be read by nobody.
const maxWarnings = 20

export function warn({ warnings }: Page, message: string, variable?: string): void {
  if (warnings.length >= maxWarnings || warnings.some((it) => it.message === message)) return
  warnings.push({ message, ...(variable !== undefined && { variable: short(variable) }) })
}

const marks: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '{': '&#123;',
}

/** As a text or in a quoted attribute. A brace is written so that no template is begun. */
export function escapeText(text: string): string {
  return clean(text).replace(/[&<>"'{]/g, (mark) => marks[mark] ?? mark)
}

/** Without what no mail may hold, and PostgreSQL does not store. */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufdd0\ufdd1]/g, '')
}

/** A value of the document as text: numbers, too. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

export type VariableOptions = { fallback?: unknown; aliasFor?: unknown }

/** The output of one variable; where it is none, its name as text. */
export function variable(page: Page, place: Place, id: unknown, options: VariableOptions = {}): string {
  const shown = textOf(id)
  // Which list `current` belongs to, where the document says so.
  const alias = /^\s*current\b/.test(shown) ? textOf(options.aliasFor) : ''
  const output = outputOf(page, place, alias || shown, options.fallback)
  if (output !== null) return output
  if (shown !== '') warn(page, `"${short(shown)}" is no variable, and is sent as text`, shown)
  return escapeText(shown)
}

function outputOf(page: Page, place: Place, text: string, fallback?: unknown): string | null {
  const expression = readKnown(page, text)
  if (!expression) return null
  if (resolvePath(expression.path, place.loops).unknown) {
    warn(page, `nothing is known by the name "${short(text)}": it is empty in each mail`, text)
  }
  const instead = textOf(fallback)
  return `{{${writeExpression(expression, place.loops)}${instead === '' ? '' : ` | default: ${writeText(instead)}`}}}`
}

let names: ReadonlySet<string> | undefined

/** Looked up once: a document may name thousands. */
function knownFilters(): ReadonlySet<string> {
  names ??= new Set(filterNames())
  return names
}

/** Without filters that only others have, which would make the whole mail impossible. `raw` is for HTML alone. */
function readKnown(page: Page, text: string): Expression | null {
  const expression = readExpression(text)
  if (page.slots && expression?.path.join('.') === 'content') {
    throw new DocumentFault(
      'has the variable "content" where the body cannot stand: not in addresses, conditions, lists, HTML or with filters',
    )
  }
  if (!expression || expression.filters.some(({ name }) => name === 'raw')) return null
  const known = expression.filters.filter(({ name }) => {
    const isKnown = knownFilters().has(name)
    if (!isKnown) warn(page, `the filter "${name}" is not known, and is left out`, text)
    return isKnown
  })
  return { ...expression, filters: known }
}

const output = /\{\{([^{}]{1,500})\}\}/g
// As the known editor writes a variable with a fallback where there are only texts.
const withFallback = /^(.*?),\s*fallback=(.*)$/s

/** A text of the document, in which variables may be written by hand: `{{payload.x}}`. */
export function textWithVariables(page: Page, place: Place, text: string): string {
  let html = ''
  let from = 0
  for (const found of text.matchAll(output)) {
    const [, name = found[1] ?? '', fallback] = withFallback.exec(found[1] ?? '') ?? []
    const written = outputOf(page, place, name, fallback)
    if (written === null) {
      warn(page, `"${short(found[0])}" is no variable, and is sent as text`, found[0])
      continue
    }
    html += escapeText(text.slice(from, found.index)) + written
    from = found.index + found[0].length
  }
  return html + escapeText(text.slice(from))
}

/** The list of a `repeat`, or a condition; null when it is none. */
export function expressionOf(
  page: Page,
  place: Place,
  given: unknown,
): { source: string; path: readonly string[] } | null {
  const expression = readKnown(page, textOf(given))
  return expression && { source: writeExpression(expression, place.loops), path: expression.path }
}

export function short(text: string): string {
  const plain = clean(text)
  return plain.length > 60 ? `${cutText(plain, 60)}…` : plain
}
