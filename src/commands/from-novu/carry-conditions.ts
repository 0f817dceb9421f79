import type { StepFilter } from '../../core/workflows/step-filter.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'

type Part = StepFilter['children'][number]
type Place = Pick<Part, 'field' | 'on'> & { isProfile: boolean }

/** A rule that filters cannot say. */
class Unsayable extends Error {}

// All of them must hold / one of them must.
type All = Part[]
type Any = All[]

const [mostFilters, mostParts] = [20, 100]

/**
 * The condition of a step there is a rule in JSON Logic, in a field that is called `skip`; the step runs if it is true.
 * Here it is a list of filters, one of which must pass. A text says why the rule cannot be said so: only what decides the
 * same for every text, number, boolean and nothing is carried.
 */
export function carryCondition(rule: unknown): StepFilter[] | string {
  if (rule === undefined || rule === null || (isPlainObject(rule) && Object.keys(rule).length === 0)) return []
  try {
    return toFilters(toAny(rule, false, 0))
  } catch (error) {
    if (error instanceof Unsayable) return `its condition ${error.message}`
    throw error
  }
}

function toFilters(any: Any): StepFilter[] {
  const group = (value: 'AND' | 'OR', children: Part[]): StepFilter => ({
    isNegated: false,
    type: 'GROUP',
    value,
    children,
  })
  if (any.length > 1 && any.every((all) => all.length === 1)) return [group('OR', any.flat())]
  if (any.length > mostFilters) throw new Unsayable('has too many branches')
  return any.map((children) => group('AND', children))
}

function toAny(rule: unknown, negated: boolean, depth: number): Any {
  const [operator, args] = entryOf(rule)
  if (depth > 10) throw new Unsayable('is nested too deep')
  if (operator === '!') {
    if (args.length !== 1) throw new Unsayable('negates several things')
    return toAny(args[0], !negated, depth + 1)
  }
  if (operator === 'and' || operator === 'or') {
    // There such a rule is never true.
    if (args.length === 0) throw new Unsayable(`has an empty "${operator}"`)
    const parts = args.map((it) => toAny(it, negated, depth + 1))
    return join(parts, (operator === 'and') !== negated)
  }
  const parts = toParts(operator, args)
  return join(
    parts.map((part) => [[negated ? opposite(part) : part]]),
    negated,
  )
}

function join(parts: readonly Any[], areAllNeeded: boolean): Any {
  return bounded(areAllNeeded ? parts.reduce(together, [[]]) : parts.flat())
}

/** (a or b) and (c or d): ac, ad, bc or bd. */
function together(left: Any, right: Any): Any {
  return bounded(left.flatMap((one) => right.map((other) => [...one, ...other])))
}

function bounded(any: Any): Any {
  if (any.length > mostParts || any.some((all) => all.length > mostParts)) throw new Unsayable('has too many branches')
  return any
}

function entryOf(rule: unknown): [string, unknown[]] {
  const [entry, ...more] = isPlainObject(rule) ? Object.entries(rule) : []
  if (!entry || more.length > 0) throw new Unsayable('is no rule in JSON Logic')
  return [entry[0], Array.isArray(entry[1]) ? entry[1] : [entry[1]]]
}

function opposite(part: Part): Part {
  const operator = part.operator === 'EQUAL' ? 'NOT_EQUAL' : part.operator === 'NOT_EQUAL' ? 'EQUAL' : 'NOT_LIKE'
  return { ...part, operator }
}

/** One of them must hold. */
function toParts(name: string, args: readonly unknown[]): Part[] {
  const [first, second] = args
  const sides = () => {
    if (args.length !== 2) throw new Unsayable(`has "${name}" of ${args.length} values`)
    return isVariable(first) ? { place: placeOf(first), value: second } : { place: placeOf(second), value: first }
  }
  switch (name) {
    case '==':
    case '===':
    case '!=':
    case '!==': {
      const { place, value } = sides()
      const operator = name.startsWith('!') ? 'NOT_EQUAL' : 'EQUAL'
      return [toPart(place, operator, name.length === 3 ? strictText(value) : looseText(value))]
    }
    case 'in': {
      const { place, value } = sides()
      return isVariable(first) ? toListed(place, value) : [toPart(asText(place), 'LIKE', textOf(value))]
    }
    case 'contains': {
      // The other way round is another question.
      if (!isVariable(first)) throw new Unsayable('looks for a field within a text')
      const { place, value } = sides()
      return [toPart(asText(place), 'LIKE', textOf(value))]
    }
    default:
      throw new Unsayable(`uses "${name}", which conditions here do not know, or decide otherwise for some values`)
  }
}

function toPart({ on, field }: Place, operator: Part['operator'], value: string): Part {
  return { on, field, operator, value }
}

/** Each by itself: a list of commas would be trimmed, and a field that is a list would be looked into. */
function toListed(place: Place, list: unknown): Part[] {
  // Within a text it would be a part of it.
  if (!Array.isArray(list)) throw new Unsayable('looks for a field within a text')
  if (list.length === 0) throw new Unsayable('looks in an empty list')
  return list.map((value) => toPart(place, 'EQUAL', strictText(value)))
}

/** Of a list there an entry is looked for, and here a part of any entry; so only where there can be none. */
function asText(place: Place): Place {
  if (!place.isProfile) throw new Unsayable(`looks for a part of "${place.on}.${place.field}", which may be a list`)
  return place
}

function isVariable(value: unknown): boolean {
  return isPlainObject(value) && 'var' in value
}

const profile = ['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone']

function placeOf(variable: unknown): Place {
  const given = isPlainObject(variable) && Object.keys(variable).length === 1 ? variable.var : undefined
  const path = Array.isArray(given) && given.length === 1 ? given[0] : given
  if (Array.isArray(path)) throw new Unsayable('has a value for a field that is missing')
  if (typeof path !== 'string') throw new Unsayable('compares something that is no field')
  const [on = '', ...rest] = path.split('.')
  const [first = ''] = rest
  const isProfile = on === 'subscriber' && rest.length === 1 && profile.includes(first)
  const isData = on === 'subscriber' && rest.length > 1 && first === 'data'
  if (!isProfile && !isData && (on !== 'payload' || rest.length === 0)) {
    throw new Unsayable(`asks for "${path}", and conditions here know only the subscriber and the payload`)
  }
  if (first === on || rest.some(isBuiltIn)) throw new Unsayable(`asks for "${path}", which is something else here`)
  return { on: on === 'payload' ? 'payload' : 'subscriber', field: rest.join('.'), isProfile }
}

/** What texts and lists have of themselves there: their length, their first entry. */
function isBuiltIn(name: string): boolean {
  return /^\d+$/.test(name) || [Object(''), [], Object(0), Object(true)].some((it) => name in it)
}

function textOf(value: unknown): string {
  if (isVariable(value)) throw new Unsayable('compares two fields')
  if (typeof value !== 'string') throw new Unsayable('compares with something that is no text')
  if (/\{\{|\{%/.test(value)) throw new Unsayable('has a variable in a text')
  return value
}

/** Conditions here compare as text, so a number would be taken for the text of it. */
function strictText(value: unknown): string {
  const text = textOf(value)
  if (isTextOfOther(text)) throw new Unsayable(`compares with "${text}", which may be a text or a number or a boolean`)
  return text
}

function isTextOfOther(text: string): boolean {
  return text === 'true' || text === 'false' || String(Number(text)) === text
}

/** `==` takes the text "5" for 5 too, as here; but true for "1", nothing in it for 0, and " 5" for 5. */
function looseText(value: unknown): string {
  const text = textOf(value)
  const isOtherwise = ['true', 'false', '0', '1'].includes(text)
  const isOddNumber = !Number.isNaN(Number(text)) && String(Number(text)) !== text
  if (isOtherwise || isOddNumber)
    throw new Unsayable(`compares with "${text}", which is taken for something else there`)
  return text
}
