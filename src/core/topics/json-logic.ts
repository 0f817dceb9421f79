import { isPlainObject } from '../../lib/canonical-json.ts'
import { cutText } from '../../lib/one-line.ts'

/**
 * JSON Logic, as subscriptions to topics use it: `{"==": [{"var": "payload.status"}, "done"]}`. The operators are those of
 * jsonlogic.com without `log`. Two things differ: a list or an object is never taken for a text or a number, where others
 * compare and add up what JavaScript makes of it; and what a rule may cost is bounded, because anybody who has an inbox can
 * write one.
 */
export type Rule = unknown

const mostText = 4096
const mostDepth = 20
/** In units of some 50 ns: a millisecond for one person and one rule. */
const mostCost = 20_000

/** What is wrong with a rule; null if nothing is. */
export function faultOfRule(rule: Rule): string | null {
  if (JSON.stringify(rule).length > mostText) return `must have at most ${mostText} characters`
  return faultAt(rule, 0)
}

function faultAt(rule: Rule, depth: number): string | null {
  if (typeof rule !== 'object' || rule === null) return null
  if (depth > mostDepth) return `must be at most ${mostDepth} levels deep`
  if (!Array.isArray(rule)) {
    const names = Object.keys(rule)
    if (names.length !== 1) return 'must be JSON Logic: each object has one operator'
    const [name = ''] = names
    if (!isOperator(name)) return `must be JSON Logic: there is no operator "${cutText(name, 30)}"`
  }
  for (const part of Object.values(rule)) {
    const fault = faultAt(part, depth + 1)
    if (fault) return fault
  }
  return null
}

/** `too long`: the rule cost more than it may. */
export function judgeRule(rule: Rule, data: unknown): boolean | 'too long' {
  const run = createRun()
  try {
    return isTruthy(run(rule, data))
  } catch (error) {
    if (error instanceof TooLong) return 'too long'
    throw error
  }
}

class TooLong extends Error {}

type Run = (rule: Rule, data: unknown) => unknown

function createRun(): Run {
  let left = mostCost
  const spend = (cost: number) => {
    left -= cost
    if (left < 0) throw new TooLong()
  }
  const run: Run = (rule, data) => {
    spend(1)
    if (typeof rule === 'string') spend(rule.length / 16)
    if (Array.isArray(rule)) return rule.map((part) => run(part, data))
    if (!isPlainObject(rule)) return rule
    const [[name, given] = ['', null]] = Object.entries(rule)
    const parts: unknown[] = Array.isArray(given) ? given : [given]
    const inOrder = inTurn.get(name)
    if (inOrder) return inOrder(parts, data, run)
    const plain = operators.get(name)
    // Only checked rules are stored; a later version may know more than this one.
    if (!plain) return null
    const values = parts.map((part) => run(part, data))
    for (const value of values) spendOn(value, spend)
    return plain(values, data, spend)
  }
  return run
}

type Spend = (cost: number) => void

/** What an operator may have to read of a value, and of the values in a list. */
function spendOn(value: unknown, spend: Spend): void {
  if (typeof value === 'string') spend(value.length / 16)
  if (!Array.isArray(value)) return
  for (const item of value) spend(typeof item === 'string' ? 1 + item.length / 16 : 1)
}

/** As JSON Logic has it: an empty list is false. */
function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

type Primitive = string | number | boolean | null | undefined

/** Lists and objects equal only themselves. */
function looselyEqual(a: unknown, b: unknown): boolean {
  if (isObject(a) || isObject(b)) return a === b
  // biome-ignore lint/suspicious/noDoubleEquals: "5" and 5 are equal in JSON Logic.
  return (a as Primitive) == (b as Primitive)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function toNumber(value: unknown): number {
  return isObject(value) ? Number.NaN : Number(value)
}

/** As `+` and `*` read it: "3 apples" are 3, and nothing is no number. */
function readNumber(value: unknown): number {
  return isObject(value) ? Number.NaN : Number.parseFloat(String(value))
}

function toText(value: unknown): string {
  return isObject(value) || value === null || value === undefined ? '' : String(value)
}

const longestPath = 500

/** Own properties only: a path reaches nothing but data. */
function valueAt(data: unknown, path: unknown, spend: Spend): unknown {
  if (path === '' || path === null || path === undefined) return data
  const text = toText(path)
  spend(1 + text.length)
  if (text.length > longestPath) return undefined
  let value = data
  for (const key of text.split('.')) {
    if (typeof value === 'string' && key === 'length') value = value.length
    else if (isObject(value)) value = Object.getOwnPropertyDescriptor(value, key)?.value
    else return undefined
  }
  return value
}

function valueOr(value: unknown, fallback: unknown): unknown {
  return value === undefined ? fallback : value
}

function isMissing(data: unknown, path: unknown, spend: Spend): boolean {
  const value = valueAt(data, path, spend)
  return value === undefined || value === null || value === ''
}

// V8 skips ahead by what the last 250 characters of a text tell it; longer ones may be compared anew at every place.
const longestQuick = 250

function hasText(whole: string, part: string, spend: Spend): boolean {
  if (part.length > longestQuick) spend((part.length * whole.length) / 16)
  return whole.includes(part)
}

function inAscending(values: readonly unknown[], fits: (a: Comparable, b: Comparable) => boolean): boolean {
  const pairs = values.slice(1, 3).map((value, index) => [values[index], value] as const)
  return pairs.length > 0 && pairs.every(([a, b]) => !isObject(a) && !isObject(b) && fits(a as never, b as never))
}

type Comparable = number
type Operator = (values: readonly unknown[], data: unknown, spend: Spend) => unknown

/** Operators whose parts are worked out first. */
const operators = new Map<string, Operator>([
  ['var', ([path, fallback = null], data, spend) => valueOr(valueAt(data, path, spend), fallback)],
  ['missing', (paths, data, spend) => paths.flat().filter((path) => isMissing(data, path, spend))],
  [
    'missing_some',
    ([needed, paths], data, spend) => {
      const list = Array.isArray(paths) ? paths : [paths]
      const missing = list.filter((path) => isMissing(data, path, spend))
      return list.length - missing.length >= toNumber(needed) ? [] : missing
    },
  ],
  ['==', ([a, b]) => looselyEqual(a, b)],
  ['!=', ([a, b]) => !looselyEqual(a, b)],
  ['===', ([a, b]) => a === b],
  ['!==', ([a, b]) => a !== b],
  ['!', ([value]) => !isTruthy(value)],
  ['!!', ([value]) => isTruthy(value)],
  ['<', (values) => inAscending(values, (a, b) => a < b)],
  ['<=', (values) => inAscending(values, (a, b) => a <= b)],
  ['>', (values) => inAscending(values.slice(0, 2), (a, b) => a > b)],
  ['>=', (values) => inAscending(values.slice(0, 2), (a, b) => a >= b)],
  [
    'min',
    (values) => values.reduce<number>((least, value) => Math.min(least, toNumber(value)), Number.POSITIVE_INFINITY),
  ],
  [
    'max',
    (values) => values.reduce<number>((most, value) => Math.max(most, toNumber(value)), Number.NEGATIVE_INFINITY),
  ],
  ['+', (values) => values.reduce<number>((sum, value) => sum + readNumber(value), 0)],
  ['*', (values) => values.reduce<number>((product, value) => product * readNumber(value), 1)],
  ['-', ([a, b]) => (b === undefined ? -toNumber(a) : toNumber(a) - toNumber(b))],
  ['/', ([a, b]) => toNumber(a) / toNumber(b)],
  ['%', ([a, b]) => toNumber(a) % toNumber(b)],
  ['cat', (values) => values.map(toText).join('')],
  ['merge', (values) => values.flat()],
  [
    'in',
    ([part, whole], _data, spend) => {
      if (Array.isArray(whole)) return whole.includes(part)
      return typeof whole === 'string' && hasText(whole, toText(part), spend)
    },
  ],
  [
    'substr',
    ([text, from, length]) => {
      const tail = toText(text).slice(toNumber(from))
      return length === undefined ? tail : tail.slice(0, toNumber(length))
    },
  ],
])

type InTurn = (parts: readonly unknown[], data: unknown, run: Run) => unknown

/** Operators that work out a part only if they need it, or once for each entry of a list. */
const inTurn = new Map<string, InTurn>([
  ['if', choose],
  ['?:', choose],
  ['and', (parts, data, run) => untilOne(parts, data, run, (value) => !isTruthy(value))],
  ['or', (parts, data, run) => untilOne(parts, data, run, isTruthy)],
  ['map', (parts, data, run) => entries(parts, data, run).map((entry) => run(parts[1], entry))],
  ['filter', (parts, data, run) => entries(parts, data, run).filter((entry) => isTruthy(run(parts[1], entry)))],
  ['some', (parts, data, run) => entries(parts, data, run).some((entry) => isTruthy(run(parts[1], entry)))],
  ['none', (parts, data, run) => !entries(parts, data, run).some((entry) => isTruthy(run(parts[1], entry)))],
  [
    'all',
    (parts, data, run) => {
      const list = entries(parts, data, run)
      return list.length > 0 && list.every((entry) => isTruthy(run(parts[1], entry)))
    },
  ],
  [
    'reduce',
    (parts, data, run) =>
      entries(parts, data, run).reduce<unknown>(
        (accumulator, current) => run(parts[1], { current, accumulator }),
        run(parts[2] ?? null, data),
      ),
  ],
])

function isOperator(name: string): boolean {
  return operators.has(name) || inTurn.has(name)
}

function choose(parts: readonly unknown[], data: unknown, run: Run): unknown {
  for (let at = 0; at + 1 < parts.length; at += 2) {
    if (isTruthy(run(parts[at], data))) return run(parts[at + 1], data)
  }
  return parts.length % 2 === 1 ? run(parts.at(-1), data) : null
}

function untilOne(parts: readonly unknown[], data: unknown, run: Run, ends: (value: unknown) => boolean): unknown {
  let value: unknown = null
  for (const part of parts) {
    value = run(part, data)
    if (ends(value)) return value
  }
  return value
}

function entries(parts: readonly unknown[], data: unknown, run: Run): unknown[] {
  const list = run(parts[0], data)
  return Array.isArray(list) ? list : []
}
