import { type Context, type FilterImplOptions, filters, type Liquid } from 'liquidjs'
import { stripScripts } from './strip-scripts.ts'
import type { Place } from './value-place.ts'

/** What Liquid does differently where values become part of HTML. */

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>

/** Of a render: texts that were captured. What is in them is escaped already. */
const captured = new WeakMap<Context, Set<string>>()
const usedRaw = new WeakSet<Context>()

export function rememberCaptured(text: string, context: Context): void {
  captured.set(context, (captured.get(context) ?? new Set()).add(text))
}

/** What `raw` let through, or what a value became inside a tag, may not run. */
export function finishHtml(html: string, context: Context, place: Place): string {
  return place !== 'text' || usedRaw.has(context) ? stripScripts(html) : html
}

const [escapeText, escapeOnce, newlineToBr] = [
  stockFilter('escape'),
  stockFilter('escape_once'),
  stockFilter('newline_to_br'),
]

/** `isHard`: values must also stay whole in an attribute without quotes, and in the place of its name. */
type Hardness = { isHard: boolean }

/** The last filter of every value that does not end with one of those below. */
export function escapeValue({ isHard }: Hardness): Handler {
  return function (value: unknown) {
    if (typeof value === 'string' && captured.get(this.context)?.has(value)) return value
    return harden(escapeText.call(this, value), isHard)
  }
}

/** The filters whose result is HTML (`raw: true`): those that escape do not escape twice. */
export function registerHtmlFilters(liquid: Liquid, { isHard }: Hardness): void {
  const hard = (filter: Handler): Handler =>
    function (value: unknown) {
      return harden(filter.call(this, value), isHard)
    }
  liquid.registerFilter('escape', { handler: hard(escapeText), raw: true })
  liquid.registerFilter('xml_escape', { handler: hard(escapeText), raw: true })
  liquid.registerFilter('escape_once', { handler: hard(escapeOnce), raw: true })
  liquid.registerFilter('newline_to_br', {
    handler(value: unknown) {
      const lines = String(newlineToBr.call(this, escapeOnce.call(this, value))).split('<br />')
      return lines.map((line) => harden(line, isHard)).join('<br />')
    },
    raw: true,
  })
  liquid.registerFilter('raw', {
    handler(value: unknown) {
      usedRaw.add(this.context)
      return value
    },
    raw: true,
  })
}

/** Written as a reference, a character ends nothing. */
function harden(html: unknown, isHard: boolean): unknown {
  if (!isHard || typeof html !== 'string') return html
  return html.replace(/[\t\n\f\r =`]/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

function stockFilter(name: string): Handler {
  const filter = filters[name]
  if (!filter) throw new Error(`liquidjs has no filter ${name}`)
  return typeof filter === 'function' ? filter : filter.handler
}
