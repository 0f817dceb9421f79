import { isDate } from 'node:util/types'
import { cutText } from '../../lib/one-line.ts'
import { operatorWords } from './operator-words.ts'
import type { StepFilter } from './step-filter.ts'

/**
 * Whether filters (spec 2.6) let a step run or an integration be chosen. The filter's type says how its children compare:
 *
 * | type                  | EQUAL, *IN                  | LARGER…, BETWEEN                                       |
 * |-----------------------|-----------------------------|--------------------------------------------------------|
 * | TEXT STATEMENT GROUP  | as text                     | as numbers if both sides are, else text by code point  |
 * | NUMBER                | as numbers, 5 = "5.0"       | as numbers                                             |
 * | DATE                  | by instant                  | by instant; ISO without offset is UTC; digits are ms   |
 * | BOOLEAN               | true or false               | never: no order                                        |
 * | LIST MULTI_LIST       | as a set of texts           | never: no order                                        |
 *
 * - IN and ANY_IN: the field has any of the listed values; ALL_IN: it has all of them. An array has its elements, and for
 *   the LIST types a text is a comma-separated list; anything else has itself. LIKE: a substring of any of these.
 * - Lists are comma-separated and trimmed, empty entries left out. BETWEEN takes two bounds, low first, both included.
 * - A field that is missing, null, or not readable as its type equals nothing and has no order: every operator is false.
 * - NOT_X is always the opposite of X, so it is true for such a field; `isNegated` is the opposite of the whole filter.
 */
export type ConditionScope = { subscriber: Record<string, unknown>; payload: Record<string, unknown> }

type FilterType = StepFilter['type']
type Part = StepFilter['children'][number]
type Key = string | number | boolean

/** An array passes when any one of its filters passes; an empty array passes. */
export function conditionsPass(
  filters: readonly StepFilter[],
  scope: ConditionScope,
): { passes: true } | { passes: false; why: string } {
  let why: string | undefined
  for (const filter of filters) {
    const refusal = refusalOf(filter, scope)
    if (refusal === undefined) return { passes: true }
    why ??= refusal
  }
  if (budgetOf(scope).left <= 0) why = tooLong
  return why === undefined ? { passes: true } : { passes: false, why }
}

function refusalOf({ type, value, children, isNegated }: StepFilter, scope: ConditionScope): string | undefined {
  const budget = budgetOf(scope)
  const results = children.map((part) => ({
    part,
    isMet: spend(budget, type, part, scope) && isMet(type, part, scope),
  }))
  if (budget.left <= 0) return tooLong
  const areMet =
    value === 'AND' || results.length === 0 ? results.every((one) => one.isMet) : results.some((one) => one.isMet)
  if (areMet !== isNegated) return undefined
  const first = results.find((one) => one.isMet === isNegated)
  if (!first) return 'A negated filter without conditions never passes.'
  const words = `${nameOf(first.part)} ${operatorWords[first.part.operator]}`
  return `${isNegated ? 'Negated condition met' : 'Condition not met'}: ${words}.`
}

/** Never shows the field's value: more people read execution details than payloads. */
function nameOf({ on, field }: Part): string {
  const name = field.startsWith(`${on}.`) ? field : `${on}.${field}`
  return name.length > 100 ? `${cutText(name, 100)}…` : name
}

// What all conditions of one person's steps may cost, in units of 5 ns: some 50 ms, in which nobody else is answered.
const mostCost = 10_000_000
const tooLong = 'The conditions take too long for a payload of this size.'
type Budget = { left: number }
const budgets = new WeakMap<ConditionScope, Budget>()

function budgetOf(scope: ConditionScope): Budget {
  const budget = budgets.get(scope) ?? { left: mostCost }
  budgets.set(scope, budget)
  return budget
}

/** False: there is nothing left for this condition. */
function spend(budget: Budget, type: FilterType, part: Part, scope: ConditionScope): boolean {
  if (budget.left > 0) budget.left -= 16 + part.field.length * 8
  if (budget.left > 0) budget.left -= weighWanted(type, part) + weighActual(type, part, fieldValue(part, scope))
  return budget.left > 0
}

// A list is split, and each entry trimmed and read: an entry may have one character. A date takes microseconds, and ten
// times that until the code has warmed up.
const costOfListed = (type: FilterType) => (type === 'DATE' ? 160 : 64)
const readsList: readonly Part['operator'][] = ['IN', 'ANY_IN', 'NOT_IN', 'ALL_IN', 'BETWEEN', 'NOT_BETWEEN']
const isListType = (type: FilterType) => type === 'LIST' || type === 'MULTI_LIST'

function weighWanted(type: FilterType, { operator, value }: Part): number {
  return value.length * (readsList.includes(operator) || isListType(type) ? costOfListed(type) : 1)
}

function weighActual(type: FilterType, { operator }: Part, actual: unknown): number {
  if (typeof actual === 'string') return actual.length * (isListType(type) ? costOfListed(type) : 1)
  if (!Array.isArray(actual)) return 0
  // `keysOf` reads a list only once; LIKE looks at all of it each time.
  if (operator !== 'LIKE' && operator !== 'NOT_LIKE' && keysOfLists.has(actual)) return 0
  const each = type === 'DATE' ? 80 : 4
  let cost = 0
  for (const item of actual) cost += (typeof item === 'string' ? 16 + item.length : 16) * each
  return cost
}

function isMet(type: FilterType, part: Part, scope: ConditionScope): boolean {
  const [actual, wanted] = [fieldValue(part, scope), part.value]
  switch (part.operator) {
    case 'EQUAL':
      return equals(type, actual, wanted)
    case 'NOT_EQUAL':
      return !equals(type, actual, wanted)
    case 'LARGER':
      return order(type, actual, wanted) > 0
    case 'SMALLER':
      return order(type, actual, wanted) < 0
    case 'LARGER_EQUAL':
      return order(type, actual, wanted) >= 0
    case 'SMALLER_EQUAL':
      return order(type, actual, wanted) <= 0
    case 'BETWEEN':
      return isBetween(type, actual, wanted)
    case 'NOT_BETWEEN':
      return !isBetween(type, actual, wanted)
    case 'IN':
    case 'ANY_IN':
      return hasAny(type, actual, wanted)
    case 'NOT_IN':
      return !hasAny(type, actual, wanted)
    case 'ALL_IN':
      return hasAll(type, actual, wanted)
    case 'LIKE':
      return isLike(type, actual, wanted)
    case 'NOT_LIKE':
      return !isLike(type, actual, wanted)
  }
}

/** A subscriber's `data.plan` may also be written `subscriber.data.plan`, unless there is a property of that name. */
function fieldValue({ on, field }: Part, scope: ConditionScope): unknown {
  const path = field.split('.')
  const isFull = path[0] === on && !Object.hasOwn(scope[on], on)
  let value: unknown = scope[on]
  for (const key of isFull ? path.slice(1) : path) {
    if (typeof value !== 'object' || value === null) return undefined
    // Own properties without getters: a field can reach only data.
    value = Object.getOwnPropertyDescriptor(value, key)?.value
  }
  return value
}

function equals(type: FilterType, actual: unknown, wanted: string): boolean {
  if (isListType(type)) {
    const [has, wants] = [keysOf(type, actual), new Set<Key | undefined>(commaList(wanted))]
    return has.size === wants.size && [...has].every((key) => wants.has(key))
  }
  const key = readers[type](actual)
  return key !== undefined && key === readers[type](wanted)
}

function hasAny(type: FilterType, actual: unknown, wanted: string): boolean {
  const keys = keysOf(type, actual)
  return commaList(wanted)
    .map(readers[type])
    .some((key) => key !== undefined && keys.has(key))
}

function hasAll(type: FilterType, actual: unknown, wanted: string): boolean {
  const keys = keysOf(type, actual)
  const wants = commaList(wanted).map(readers[type])
  return wants.length > 0 && wants.every((key) => key !== undefined && keys.has(key))
}

function isLike(type: FilterType, actual: unknown, wanted: string): boolean {
  return itemsOf(type, actual).some((item) => toText(item)?.includes(wanted) ?? false)
}

function isBetween(type: FilterType, actual: unknown, wanted: string): boolean {
  const [low, high, ...more] = commaList(wanted)
  if (low === undefined || high === undefined || more.length > 0) return false
  return order(type, actual, low) >= 0 && order(type, actual, high) <= 0
}

/** Below, at or above zero; NaN if there is no order, because every comparison with NaN is false. */
function order(type: FilterType, actual: unknown, wanted: string): number {
  switch (type) {
    case 'NUMBER':
      return difference(toNumber(actual), toNumber(wanted))
    case 'DATE':
      return difference(toInstant(actual), toInstant(wanted))
    case 'TEXT':
    case 'STATEMENT':
    case 'GROUP': {
      const numeric = difference(toNumber(actual), toNumber(wanted))
      const text = toText(actual)
      return Number.isNaN(numeric) && text !== undefined ? byCodePoint(text, wanted) : numeric
    }
    case 'BOOLEAN':
    case 'LIST':
    case 'MULTI_LIST':
      return Number.NaN
  }
}

function difference(a: number | undefined, b: number | undefined): number {
  return a === undefined || b === undefined ? Number.NaN : a - b
}

function byCodePoint(a: string, b: string): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const [unitA, unitB] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (unitA !== unitB) return rank(unitA) - rank(unitB)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above U+FFFF, so they must sort after U+E000 to U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

const keysOfLists = new WeakMap<object, Map<FilterType, Set<Key | undefined>>>()

/** Kept for lists: many conditions, for many people, may ask about the same one. */
function keysOf(type: FilterType, actual: unknown): Set<Key | undefined> {
  if (!Array.isArray(actual)) return new Set(itemsOf(type, actual).map(readers[type]))
  const known = keysOfLists.get(actual) ?? new Map<FilterType, Set<Key | undefined>>()
  keysOfLists.set(actual, known)
  const keys = known.get(type) ?? new Set(actual.map(readers[type]))
  known.set(type, keys)
  return keys
}

function itemsOf(type: FilterType, actual: unknown): unknown[] {
  if (Array.isArray(actual)) return actual
  return isListType(type) && typeof actual === 'string' ? commaList(actual) : [actual]
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** The value to compare by; undefined if it is not of the type. */
const readers: Record<FilterType, (value: unknown) => Key | undefined> = {
  TEXT: toText,
  STATEMENT: toText,
  GROUP: toText,
  LIST: toText,
  MULTI_LIST: toText,
  NUMBER: toNumber,
  DATE: toInstant,
  BOOLEAN: toBoolean,
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (isDate(value)) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** Stricter than Number(), for which '' is 0 and '0x10' is 16. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && decimal.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.trim() : ''
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}

/** Date.parse alone would read 'room 7' as July 2001. */
const isoTime = /^(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/
/** Four digits may be a year or the first seconds of 1970: so neither is accepted. */
const epochMs = /^-?\d{5,16}$/

function toInstant(value: unknown): number | undefined {
  const instant = typeof value === 'string' ? parseTime(value.trim()) : isDate(value) ? value.getTime() : value
  // Date refuses what is outside its range.
  const ms = typeof instant === 'number' ? new Date(instant).getTime() : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

function parseTime(text: string): number {
  if (epochMs.test(text)) return Number(text)
  const [, day, time = 'T00:00', offset = 'Z'] = isoTime.exec(text) ?? []
  // A day that does not exist would roll over into the next month.
  const midnight = Date.parse(`${day}T00:00Z`)
  if (day === undefined || Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day))
    return Number.NaN
  return Date.parse(day + time + offset)
}
