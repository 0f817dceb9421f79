import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conditionsPass } from './conditions.ts'
import type { StepFilter } from './step-filter.ts'

// The meaning of each type and operator is tested in conditions-operators.test.ts.
type Part = StepFilter['children'][number]
type Operator = Part['operator']

const filter = (children: Part[], more: Partial<StepFilter> = {}): StepFilter => {
  return { isNegated: false, type: 'TEXT', value: 'AND', children, ...more }
}
const part = (field: string, value = 'yes', operator: Operator = 'EQUAL', on: Part['on'] = 'payload'): Part => {
  return { field, value, operator, on }
}
const judge = (
  filters: StepFilter[],
  payload: Record<string, unknown> = {},
  subscriber: Record<string, unknown> = {},
) => conditionsPass(filters, { payload, subscriber })
const passes = (...args: Parameters<typeof judge>) => judge(...args).passes
const payload = { good: 'yes', bad: 'no' }
const [good, bad] = [part('good'), part('bad')]

describe('combining', () => {
  test.each<[string, StepFilter[], boolean]>([
    ['no filters', [], true],
    ['no conditions, AND', [filter([])], true],
    ['no conditions, OR', [filter([], { value: 'OR' })], true],
    ['no conditions, negated', [filter([], { isNegated: true })], false],
    ['AND, all met', [filter([good, good])], true],
    ['AND, one not met', [filter([good, bad])], false],
    ['AND, one not met, negated', [filter([good, bad], { isNegated: true })], true],
    ['OR, one met', [filter([bad, good], { value: 'OR' })], true],
    ['OR, none met', [filter([bad, bad], { value: 'OR' })], false],
    ['OR, one met, negated', [filter([bad, good], { value: 'OR', isNegated: true })], false],
    ['OR, none met, negated', [filter([bad, bad], { value: 'OR', isNegated: true })], true],
    ['two filters, the second passes', [filter([bad]), filter([good])], true],
    ['two filters, neither passes', [filter([bad]), filter([good, bad])], false],
    ['two filters, one empty', [filter([bad]), filter([])], true],
  ])('%s', (_name, filters, expected) => {
    expect(passes(filters, payload)).toBe(expected)
  })
})

describe('why', () => {
  const long = part('x'.repeat(91) + '😀'.repeat(99))
  test.each<[string, StepFilter[], string]>([
    [
      'AND names the first not met',
      [filter([good, bad, part('c')])],
      'Condition not met: payload.bad equals the value asked for.',
    ],
    [
      'OR names the first',
      [filter([part('a'), bad], { value: 'OR' })],
      'Condition not met: payload.a equals the value asked for.',
    ],
    [
      'the first filter counts',
      [filter([bad]), filter([part('c')])],
      'Condition not met: payload.bad equals the value asked for.',
    ],
    [
      'negated',
      [filter([good], { isNegated: true })],
      'Negated condition met: payload.good equals the value asked for.',
    ],
    [
      'negated OR names the one that was met',
      [filter([bad, good], { value: 'OR', isNegated: true })],
      'Negated condition met: payload.good equals the value asked for.',
    ],
    ['negated, empty', [filter([], { isNegated: true })], 'A negated filter without conditions never passes.'],
    ['a full path', [filter([part('payload.bad')])], 'Condition not met: payload.bad equals the value asked for.'],
    [
      'long names are cut, half a character is not left over',
      [filter([long])],
      `Condition not met: payload.${'x'.repeat(91)}\ufffd… equals the value asked for.`,
    ],
  ])('%s', (_name, filters, why) => {
    expect(judge(filters, payload)).toEqual({ passes: false, why })
  })

  test('never shows a value', () => {
    expect(judge([filter([part('token', 'guess')])], { token: 'secret' })).toEqual({
      passes: false,
      why: 'Condition not met: payload.token equals the value asked for.',
    })
  })
})

describe('field paths', () => {
  const deep = { a: { b: [{ c: 'yes' }, 'text'] }, tags: ['x', 'y'], name: 'four', '': { '': 'yes' } }
  const own = JSON.parse('{"constructor": "yes", "__proto__": "yes"}')
  test.each<[string, Record<string, unknown>, string, boolean]>([
    ['a.b.0.c', deep, 'yes', true],
    ['payload.a.b.0.c', deep, 'yes', true],
    ['a.b.1', deep, 'text', true],
    ['.', deep, 'yes', true],
    ['tags.length', deep, '2', true],
    ['a.b.2.c', deep, 'yes', false],
    ['a.b.-1', deep, 'text', false],
    ['a.b.00.c', deep, 'yes', false],
    ['a.b[0].c', deep, 'yes', false],
    ['', deep, 'yes', false],
    ['payload', deep, '[object Object]', false],
    ['name.length', deep, '4', false],
    ['name.0', deep, 'f', false],
    ['constructor.name', deep, 'Object', false],
    ['__proto__.constructor.name', deep, 'Object', false],
    ['tags.__proto__.constructor.name', deep, 'Array', false],
    ['tags.constructor.name', deep, 'Array', false],
    ['inherited', Object.create({ inherited: 'yes' }), 'yes', false],
    ['constructor', own, 'yes', true],
    ['__proto__', own, 'yes', true],
    ['payload.x', { payload: { x: 'inner' }, x: 'outer' }, 'inner', true],
    ['payload.x', { payload: null, x: 'outer' }, 'outer', false],
    ['x', Object.defineProperty({}, 'x', { get: () => expect.unreachable() }), 'yes', false],
  ])('%s of %j is %s: %s', (field, values, value, expected) => {
    expect(passes([filter([part(field, value)])], values)).toBe(expected)
  })

  test('subscriber and payload are apart; custom data is under data', () => {
    const subscriber = { email: 'a@b.c', data: { plan: 'pro' } }
    for (const field of ['data.plan', 'subscriber.data.plan']) {
      expect(passes([filter([part(field, 'pro', 'EQUAL', 'subscriber')])], {}, subscriber)).toBe(true)
      expect(passes([filter([part(field, 'pro')])], {}, subscriber)).toBe(false)
    }
    expect(passes([filter([part('plan', 'pro', 'EQUAL', 'subscriber')])], {}, subscriber)).toBe(false)
  })
})

describe('for whatever comes', () => {
  const strings = fc.oneof(
    fc.constantFrom(
      '',
      'a',
      'a.b',
      'a.0',
      '__proto__',
      'constructor',
      'payload.a',
      '1',
      '1,2',
      'true',
      'x,y',
      '2024-02-30',
    ),
    fc.string({ unit: 'binary' }),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  )
  const filterTypes: StepFilter['type'][] = [
    'BOOLEAN',
    'TEXT',
    'DATE',
    'NUMBER',
    'STATEMENT',
    'LIST',
    'MULTI_LIST',
    'GROUP',
  ]
  const types = fc.constantFrom(...filterTypes)
  const plain: Operator[] = ['LARGER', 'SMALLER', 'LARGER_EQUAL', 'SMALLER_EQUAL', 'ALL_IN', 'ANY_IN']
  const pairs: [Operator, Operator][] = [
    ['EQUAL', 'NOT_EQUAL'],
    ['IN', 'NOT_IN'],
    ['BETWEEN', 'NOT_BETWEEN'],
    ['LIKE', 'NOT_LIKE'],
  ]
  const parts = fc.record<Part>({
    field: strings,
    value: strings,
    operator: fc.constantFrom(...plain, ...pairs.flat()),
    on: fc.constantFrom('subscriber', 'payload'),
  })
  const filters = fc.record<StepFilter>({
    isNegated: fc.boolean(),
    type: types,
    value: fc.constantFrom('AND', 'OR'),
    children: fc.array(parts, { maxLength: 4 }),
  })
  const values = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
  })
  const anyValues = fc.oneof(values, strings, fc.array(strings), fc.double(), fc.date())
  const scopes = fc.record({
    subscriber: fc.dictionary(strings, anyValues),
    payload: fc.dictionary(fc.constantFrom('a', '1', ''), anyValues),
  })

  test('it never throws, gives a short sentence, and isNegated is the exact inverse', () => {
    fc.assert(
      fc.property(filters, scopes, (one, scope) => {
        const verdict = conditionsPass([one], scope)
        const inverse = conditionsPass([{ ...one, isNegated: !one.isNegated }], scope)
        expect(verdict.passes).toBe(!inverse.passes)
        if (!verdict.passes)
          expect(verdict.why).toMatch(/^(Condition not met|Negated condition met|A negated filter).{5,160}\.$/su)
      }),
      { numRuns: 2000 },
    )
  })

  test('an array passes exactly when it is empty or one of its filters passes', () => {
    fc.assert(
      fc.property(fc.array(filters, { maxLength: 4 }), scopes, (many, scope) => {
        const any = many.length === 0 || many.some((one) => conditionsPass([one], scope).passes)
        expect(conditionsPass(many, scope).passes).toBe(any)
      }),
    )
  })

  const holds = (type: StepFilter['type'], operator: Operator, a: unknown, value: string) =>
    passes([filter([part('a', value, operator)], { type })], { a })

  test('NOT_X is the inverse of X', () => {
    fc.assert(
      fc.property(types, fc.constantFrom(...pairs), anyValues, strings, (type, [operator, opposite], a, value) => {
        expect(holds(type, operator, a, value)).toBe(!holds(type, opposite, a, value))
      }),
      { numRuns: 2000 },
    )
  })

  test('two values of one kind are in exactly one order, and BETWEEN is both of its bounds', () => {
    const numbers = fc.double({ noDefaultInfinity: true, noNaN: true }).map(String)
    const dates = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    const kind = (type: StepFilter['type'], texts: fc.Arbitrary<string>) => fc.tuple(fc.constant(type), texts, texts)
    const kinds = fc.oneof(
      kind('NUMBER', numbers),
      kind(
        'DATE',
        dates.map((date) => date.toISOString()),
      ),
      kind('TEXT', fc.string({ unit: 'binary' })),
    )
    fc.assert(
      fc.property(kinds, ([type, a, b]) => {
        const [larger, smaller] = [holds(type, 'LARGER', a, b), holds(type, 'SMALLER', a, b)]
        const orEqual = [holds(type, 'LARGER_EQUAL', a, b), holds(type, 'SMALLER_EQUAL', a, b)]
        expect(orEqual).toEqual([!smaller, !larger])
        expect(larger && smaller).toBe(false)
        const isSimple = ![a, b].some((text) => text.includes(',') || text.trim() !== text || text === '')
        if (isSimple) expect(holds(type, 'BETWEEN', a, `${b},${b}`)).toBe(!larger && !smaller)
      }),
      { numRuns: 2000 },
    )
  })

  test('text is ordered by code point', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'é', '\ud7ff', '\ue000', '\uffff', '𐀀', '😀', '\u{10ffff}'),
    })
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        expect(holds('TEXT', 'LARGER', a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0)
      }),
    )
  })
})
