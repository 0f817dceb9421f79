import { describe, expect, test } from 'vitest'
import { conditionsPass } from '../../core/workflows/conditions.ts'
import { carryCondition } from './carry-conditions.ts'

const v = (path: string) => ({ var: path })
const [a, b] = [v('payload.a'), v('payload.b')]

/** JSON Logic as it is defined: what the operators of JavaScript make of the values. */
function judge(rule: unknown, data: unknown): unknown {
  if (Array.isArray(rule)) return rule.map((it) => judge(it, data))
  if (typeof rule !== 'object' || rule === null) return rule
  const [[name, given] = ['', null]] = Object.entries(rule)
  const args = Array.isArray(given) ? given : [given]
  const each = () => args.map((it) => judge(it, data))
  const isTrue = (it: unknown) => (Array.isArray(it) ? it.length > 0 : Boolean(it))
  if (name === 'var') {
    let found: unknown = data
    for (const part of String(args[0]).split('.')) found = Object(found)[part] ?? null
    return found
  }
  const [left, right] = each()
  switch (name) {
    case '==':
      // biome-ignore lint/suspicious/noDoubleEquals: it is what the operator means.
      return left == right
    case '!=':
      // biome-ignore lint/suspicious/noDoubleEquals: it is what the operator means.
      return left != right
    case '===':
      return left === right
    case '!==':
      return left !== right
    case 'in':
      return typeof right === 'string'
        ? right.includes(String(left))
        : Array.isArray(right) && right.indexOf(left) !== -1
    case 'contains':
      return typeof left === 'string' && left.includes(String(right))
    case '!':
      return !isTrue(left)
    case 'and':
      return args.length > 0 && each().every(isTrue)
    case 'or':
      return each().some(isTrue)
    default:
      throw new Error(`the test does not know ${name}`)
  }
}

const texts = ['x', 'y', 'X', ' x', 'x ', 'xy', 'x,y', '', ' ', 'abcd', '0', '1', '5', '5.0', ' 5', '0x5', '1e3', '-0']
const words = ['true', 'false', 'null', 'NaN', 'Infinity', '2026-01-01', 'undefined', '[object Object]', 'de', 'en']
const others = [0, -0, 1, 5, 5.5, -5, 1000, 1e21, Number.POSITIVE_INFINITY, true, false, null, undefined]
// JavaScript takes a list of one for what is in it, and an object for a text: see below.
const structures = [[], {}, ['y', 'z'], ['x', 'y'], { a: 'x' }, [null, 'x']]
const values = [...texts, ...words, ...others, ...structures]

const rules: [what: string, rule: object][] = [
  ['equal', { '==': [a, 'x'] }],
  ['a text with a space', { '==': [a, ' x'] }],
  ['the sides changed', { '==': ['x', a] }],
  ['a number as text', { '==': [a, '5'] }],
  ['a fraction as text', { '==': [a, '5.5'] }],
  ['a negative number as text', { '==': [a, '-5'] }],
  ['not a number', { '==': [a, 'NaN'] }],
  ['without an end', { '==': [a, 'Infinity'] }],
  ['a time', { '==': [a, '2026-01-01'] }],
  ['the word null', { '==': [a, 'null'] }],
  ['not equal', { '!=': [a, 'x'] }],
  ['strictly equal', { '===': [a, 'x'] }],
  ['strictly equal to nothing in it', { '===': [a, ''] }],
  ['strictly equal to an odd number', { '===': [a, '5.0'] }],
  ['strictly not equal', { '!==': [a, 'x'] }],
  ['one of a list', { in: [a, ['x', 'y']] }],
  ['one of a list with commas and spaces', { in: [a, ['x,y', ' x', '']] }],
  ['none of a list', { '!': { in: [a, ['x', 'y']] } }],
  ['not', { '!': [{ '==': [a, 'x'] }] }],
  ['not not', { '!': { '!': { '!=': [a, 'x'] } } }],
  ['and', { and: [{ '==': [a, 'x'] }, { '!=': [b, 'y'] }] }],
  ['or', { or: [{ '==': [a, 'x'] }, { '==': [b, 'y'] }] }],
  ['or within and', { and: [{ or: [{ '==': [a, 'x'] }, { '==': [a, 'y'] }] }, { '==': [b, 'y'] }] }],
  ['a negated or', { '!': { or: [{ '==': [a, 'x'] }, { in: [b, ['y', 'z']] }] } }],
  ['a negated and', { '!': { and: [{ '==': [a, 'x'] }, { '!': { in: [b, ['y', 'z']] } }] } }],
  ['many in a list', { in: [a, Array.from({ length: 100 }, (_, n) => `v${n}`).with(50, 'x')] }],
]

function filtersOf(rule: object) {
  const filters = carryCondition(rule)
  if (typeof filters === 'string') throw new Error(filters)
  return filters
}

describe('a condition decides here as it does there, whatever the value', () => {
  test.each(rules)('%s', (_what, rule) => {
    const filters = filtersOf(rule)
    let count = 0
    for (const one of values) {
      for (const other of [one, ...['x', 'y', null]]) {
        const payload = { ...(one !== undefined && { a: one }), ...(other !== undefined && { b: other }) }
        const here = conditionsPass(filters, { subscriber: {}, payload }).passes
        expect([payload, here]).toEqual([payload, Boolean(judge(rule, { payload }))])
        count += 1
      }
    }
    expect(count).toBeGreaterThan(100)
  })

  test.each([
    ['part of a text', { in: ['b', v('subscriber.firstName')] }],
    ['contains', { contains: [v('subscriber.firstName'), 'x'] }],
    ['does not contain', { '!': { in: ['x', v('subscriber.firstName')] } }],
    ['one of a list', { in: [v('subscriber.locale'), ['de', 'en']] }],
  ])('of the profile: %s', (_what, rule) => {
    const filters = filtersOf(rule)
    for (const one of [...texts, ...words, null]) {
      const subscriber = { firstName: one, locale: one }
      expect([one, conditionsPass(filters, { subscriber, payload: {} }).passes]).toEqual([
        one,
        Boolean(judge(rule, { subscriber })),
      ])
    }
  })

  test('the one exception is told in docs/moving.md: a list of one is what is in it there, and not here', () => {
    const [rule, payload] = [{ '==': [a, 'x'] }, { a: ['x'] }]
    expect(judge(rule, { payload })).toBe(true)
    expect(conditionsPass(filtersOf(rule), { subscriber: {}, payload }).passes).toBe(false)
  })

  test('no rule is no condition; data of a subscriber', () => {
    for (const none of [undefined, null, {}]) expect(carryCondition(none)).toEqual([])
    const children = [{ on: 'subscriber', field: 'data.plan', operator: 'EQUAL', value: 'pro' }]
    const group = { isNegated: false, type: 'GROUP', value: 'AND', children }
    expect(carryCondition({ '==': [v('subscriber.data.plan'), 'pro'] })).toEqual([group])
  })
})

test.each([
  ['an earlier step', { '==': [v('steps.mail.read'), 'x'] }, 'asks for "steps.mail.read"'],
  ['null', { '==': [a, null] }, 'no text'],
  ['an operator that is not known', { startsWith: [a, 'x'] }, 'uses "startsWith"'],
  ['larger: nothing counts as 0 there', { '>': [a, 5] }, 'uses ">"'],
  ['smaller', { '<': [a, 5] }, 'uses "<"'],
  ['between', { '<=': [1, a, 3] }, 'uses "<="'],
  ['between, by its name', { between: [a, ['1,2', 5]] }, 'uses "between"'],
  ['a number: "0x5" counts there', { '==': [a, 5] }, 'no text'],
  ['strictly a number', { '===': [a, 5] }, 'no text'],
  ['strictly its text', { '===': [a, '5'] }, 'a text or a number'],
  ['true', { '==': [a, true] }, 'no text'],
  ['the word true', { '==': [a, 'true'] }, 'something else there'],
  ['a text that true equals', { '==': [a, '1'] }, 'something else there'],
  ['nothing in it', { '==': [a, ''] }, 'something else there'],
  ['an odd number', { '==': [a, '5.0'] }, 'something else there'],
  ['numbers in a list', { in: [a, [5]] }, 'no text'],
  ['numbers as text in a list', { in: [a, ['x', '5']] }, 'a text or a number'],
  ['an empty list', { in: [a, []] }, 'empty list'],
  ['within a text', { in: [a, 'abc'] }, 'within a text'],
  ['within a text, by its name', { contains: ['abc', a] }, 'within a text'],
  ['a part of what may be a list', { in: ['x', a] }, 'may be a list'],
  ['a value for what is missing', { '==': [{ var: ['payload.plan', 'free'] }, 'free'] }, 'field that is missing'],
  ['nothing to choose of', { or: [] }, 'empty "or"'],
  ['nothing that must hold', { and: [] }, 'empty "and"'],
  ['nonsense', { a: 1, b: 2 }, 'no rule'],
  ['nonsense of another type', 'x', 'no rule'],
  ['two fields', { '==': [a, b] }, 'compares two fields'],
  ['three values', { '==': [a, 'x', 'y'] }, 'of 3 values'],
  ['a variable in a text', { '==': [a, '{{payload.b}}'] }, 'variable in a text'],
  ['the length of a text', { '==': [v('payload.a.length'), '5'] }, 'something else here'],
  ['a letter of a text', { '==': [v('payload.a.0'), 'x'] }, 'something else here'],
  ['a payload within the payload', { '==': [v('payload.payload.a'), 'x'] }, 'something else here'],
  [
    'too many branches',
    { and: Array.from({ length: 9 }, () => ({ or: [{ '==': [a, 'x'] }, { '==': [b, 'x'] }] })) },
    'branches',
  ],
  ['too many in a list', { in: [a, Array.from({ length: 101 }, (_, n) => `v${n}`)] }, 'branches'],
])('what filters cannot say is said: %s', (_what, rule, expected) => {
  expect(carryCondition(rule)).toContain(expected)
})

test('a rule that is nested without end ends', () => {
  let rule: object = { '==': [a, 'x'] }
  for (let depth = 0; depth < 5_000; depth++) rule = { '!': rule }
  expect(carryCondition(rule)).toContain('nested too deep')
})
