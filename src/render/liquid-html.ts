import { type Context, type FilterImplOptions, filters, type Liquid } from 'liquidjs'
import { stripScripts } from './strip-scripts.ts'

/** What Liquid does differently where values become part of HTML. */

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>

/** Of a render: texts that were captured. What is in them is escaped already. */
const captured = new WeakMap<Context, Set<string>>()
const usedRaw = new WeakSet<Context>()

export function rememberCaptured(text: string, context: Context): void {
  captured.set(context, (captured.get(context) ?? new Set()).add(text))
}

/** What `raw` let through may not run. */
export function finishHtml(html: string, context: Context): string {
  return usedRaw.has(context) ? stripScripts(html) : html
}

const [escapeText, escapeOnce, newlineToBr] = [
  stockFilter('escape'),
  stockFilter('escape_once'),
  stockFilter('newline_to_br'),
]

/** The last filter of every value that does not end with one of those below. */
export const escapeValue: Handler = function (value: unknown) {
  if (typeof value === 'string' && captured.get(this.context)?.has(value)) return value
  return escapeText.call(this, value)
}

/** The filters whose result is HTML (`raw: true`): those that escape do not escape twice. */
export function registerHtmlFilters(liquid: Liquid): void {
  liquid.registerFilter('escape', { handler: escapeText, raw: true })
  liquid.registerFilter('xml_escape', { handler: escapeText, raw: true })
  liquid.registerFilter('escape_once', { handler: escapeOnce, raw: true })
  liquid.registerFilter('newline_to_br', {
    handler(value: unknown) {
      return newlineToBr.call(this, escapeOnce.call(this, value))
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

function stockFilter(name: string): Handler {
  const filter = filters[name]
  if (!filter) throw new Error(`liquidjs has no filter ${name}`)
  return typeof filter === 'function' ? filter : filter.handler
}
