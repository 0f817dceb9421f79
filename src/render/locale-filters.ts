import type { Context, FilterImplOptions, Liquid } from 'liquidjs'
import { LRUCache } from 'lru-cache'
import { toLocal, zoneOrUtc } from '../lib/zoned-time.ts'

/** Numbers, amounts and times as the reader writes them: by the `locale` and the `timezone` of the subscriber. */

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>
export type Reader = { locale: string; zone: string }

const otherLocale = 'en-US'

// The one of before render-worker.ts keeps all that are ever made: locales and zones come from outside.
const { DateTimeFormat } = Intl
/** Of this thread. Each has 10 to 30 KB outside the heap, where no limit applies. */
const kept = new LRUCache<string, object>({ max: 100 })
// Of what a field may use: 500 of them take 10 MB.
const formatterCost = 4000

/** When a template is rendered. */
const moments = new WeakMap<Context, number>()

export function rememberMoment(context: Context, nowMs: number): void {
  moments.set(context, nowMs)
}

export function registerLocaleFilters(liquid: Liquid): void {
  liquid.registerFilter('number', number)
  liquid.registerFilter('currency', currency)
  liquid.registerFilter('relative', relative)
  liquid.registerFilter('date', dateOr(stockHandler(liquid, 'date')))
}

const number: Handler = function (value: unknown, digits?: unknown) {
  const amount = toAmount(value)
  if (amount === null) return value
  const places = Number.isInteger(digits) ? Math.min(Math.max(Number(digits), 0), 20) : null
  const options = places === null ? {} : { minimumFractionDigits: places, maximumFractionDigits: places }
  return numbers(this.context, options).format(amount)
}

const currency: Handler = function (value: unknown, code?: unknown) {
  const amount = toAmount(value)
  if (amount === null) return value
  const known = typeof code === 'string' && /^[a-z]{3}$/i.test(code) ? code.toUpperCase() : null
  if (known) return numbers(this.context, { style: 'currency', currency: known }).format(amount)
  const shown = numbers(this.context, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount)
  return typeof code === 'string' ? `${shown} ${code}` : shown
}

/** As text it keeps all its digits. */
type Amount = number | Intl.StringNumericLiteral

export function toAmount(value: unknown): Amount | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  const isAmount = typeof value === 'string' && value.length <= 100 && /^\s*-?\d+(\.\d+)?\s*$/.test(value)
  return isAmount ? (value.trim() as Intl.StringNumericLiteral) : null
}

function numbers(context: Context, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return formatter(
    context,
    'number',
    readerOf(context).locale,
    options,
    (locale) => new Intl.NumberFormat(locale, options),
  )
}

const styles = ['short', 'medium', 'long', 'full'] as const
const styled = new RegExp(`^(?:(${styles.join('|')})( time)?|time)$`)

/** `{{ at | date: "long time" }}` is the reader's; any other format is Liquid's own, in UTC or the zone that it names. */
function dateOr(stock: Handler): Handler {
  return function (value: unknown, format?: unknown, zone?: unknown) {
    const found = typeof format === 'string' ? styled.exec(format) : null
    if (!found) {
      if (zone) this.context.memoryLimit.use(formatterCost)
      return stock.apply(this, [value, ...[format, zone].slice(0, zone === undefined ? 1 : 2)])
    }
    const ms = toMs(value, this.context)
    if (ms === null) return value
    const dateStyle = found[1] as (typeof styles)[number] | undefined
    const hasTime = dateStyle === undefined || found[2] !== undefined
    const options = { ...(dateStyle && { dateStyle }), ...(hasTime && { timeStyle: 'short' as const }) }
    return dates(this.context, options, zone).format(ms)
  }
}

function dates(context: Context, options: Intl.DateTimeFormatOptions, named: unknown): Intl.DateTimeFormat {
  const timeZone = named === undefined ? readerOf(context).zone : zoneOrUtc(named)
  const all = { ...options, timeZone }
  return formatter(context, 'date', readerOf(context).locale, all, (locale) => new DateTimeFormat(locale, all))
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** "in 3 hours", "yesterday". From a day on, days of the reader's calendar are counted. */
const relative: Handler = function (value: unknown) {
  const ms = toMs(value, this.context)
  if (ms === null) return value
  const nowMs = moments.get(this.context) ?? 0
  const [amount, unit] = distance(ms - nowMs, dayOf(this.context, ms) - dayOf(this.context, nowMs))
  const options = { numeric: 'auto' } as const
  const { locale } = readerOf(this.context)
  const words = formatter(this.context, 'relative', locale, options, (at) => new Intl.RelativeTimeFormat(at, options))
  return words.format(amount, unit)
}

function distance(ms: number, days: number): [number, Intl.RelativeTimeFormatUnit] {
  const far = Math.abs(ms)
  if (far < minuteMs) return [Math.trunc(ms / 1000), 'second']
  if (far < hourMs) return [Math.trunc(ms / minuteMs), 'minute']
  if (far < dayMs) return [Math.trunc(ms / hourMs), 'hour']
  if (Math.abs(days) < 14) return [days, 'day']
  if (Math.abs(days) < 60) return [Math.trunc(days / 7), 'week']
  if (Math.abs(days) < 730) return [Math.trunc(days / 30.44), 'month']
  return [Math.trunc(days / 365.25), 'year']
}

/** Which day it is where the reader is, counted from any day. */
function dayOf(context: Context, ms: number): number {
  const { year, month, day } = toLocal(new Date(ms), readerOf(context).zone)
  return Date.UTC(year, month - 1, day) / dayMs
}

// What Date can hold.
const mostMs = 8.64e15

/** As Liquid reads a time: a date as text, or seconds since 1970. */
export function toMs(value: unknown, context: Context): number | null {
  if (value === 'now' || value === 'today') return moments.get(context) ?? null
  const seconds = toAmount(value)
  const isText = typeof value === 'string' && value.length <= 100
  const ms = seconds !== null ? Number(seconds) * 1000 : isText ? Date.parse(value) : Number.NaN
  return Math.abs(ms) <= mostMs ? ms : null
}

export function formatter<F extends object>(
  context: Context,
  kind: string,
  locale: string,
  options: object,
  make: (locale: string) => F,
): F {
  const key = JSON.stringify([kind, locale, options])
  const known = kept.get(key)
  if (known) return known as F
  context.memoryLimit.use(formatterCost)
  const made = make(locale)
  kept.set(key, made)
  return made
}

export function readerOf(context: Context): Reader {
  const { subscriber } = context.environments as { subscriber?: { locale?: unknown; timezone?: unknown } | null }
  const { locale, timezone } = subscriber ?? {}
  return {
    locale: typeof locale === 'string' ? toLocale(locale) : otherLocale,
    zone: zoneOrUtc(timezone),
  }
}

export function toLocale(text: string): string {
  if (text.length > 35) return otherLocale
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0] ?? otherLocale
  } catch {
    return otherLocale
  }
}

function stockHandler(liquid: Liquid, name: string): Handler {
  const filter = liquid.filters[name]
  if (!filter) throw new Error(`liquidjs has no filter ${name}`)
  return typeof filter === 'function' ? filter : filter.handler
}
