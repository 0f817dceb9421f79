import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { fastest } from '../../../test/fastest.ts'
import { faultOfRule, judgeRule } from './json-logic.ts'

const data = {
  payload: {
    status: 'done',
    amount: 12,
    tags: ['a', 'b'],
    empty: [],
    lines: [{ price: 5 }, { price: 9 }],
    nothing: null,
  },
  subscriber: { subscriberId: 'ada', data: { plan: 'pro' } },
}
const of = (path: string) => ({ var: `payload.${path}` })

test.each([
  [{ '==': [of('status'), 'done'] }, true],
  [{ '==': [of('amount'), '12'] }, true],
  [{ '===': [of('amount'), '12'] }, false],
  [{ '!=': [of('status'), 'open'] }, true],
  [{ '!==': [of('amount'), 12] }, false],
  [{ '==': [of('tags'), 'a,b'] }, false],
  [{ '>': [of('amount'), 10] }, true],
  [{ '<': [10, of('amount'), 20] }, true],
  [{ '<=': [12, of('amount'), 11] }, false],
  // What is missing counts as 0, as in JSON Logic elsewhere.
  [{ '>=': [of('unknown'), 0] }, true],
  [{ '>': [of('tags'), 0] }, false],
  [{ and: [{ '>': [of('amount'), 10] }, { in: ['a', of('tags')] }] }, true],
  [{ or: [false, 0, '', []] }, false],
  [{ '!': [of('empty')] }, true],
  [{ '!!': [of('tags')] }, true],
  [{ in: ['don', of('status')] }, true],
  [{ in: ['a', of('unknown')] }, false],
  [{ if: [false, true, { '==': [1, 1] }, 'yes', 'no'] }, true],
  [{ '?:': [false, 1] }, false],
  [{ missing: ['payload.status', 'payload.gone'] }, true],
  [{ missing_some: [1, ['payload.status', 'payload.gone']] }, false],
  [{ some: [of('lines'), { '>': [{ var: 'price' }, 8] }] }, true],
  [{ all: [of('lines'), { '>': [{ var: 'price' }, 8] }] }, false],
  [{ all: [of('empty'), true] }, false],
  [{ none: [of('lines'), { '>': [{ var: 'price' }, 100] }] }, true],
  [{ '==': [{ reduce: [of('lines'), { '+': [{ var: 'current.price' }, { var: 'accumulator' }] }, 0] }, 14] }, true],
  [{ '==': [{ cat: [of('status'), '-', of('amount')] }, 'done-12'] }, true],
  [{ '==': [{ substr: [of('status'), 0, 2] }, 'do'] }, true],
  [{ '==': [{ substr: [of('status'), -2] }, 'ne'] }, true],
  [{ '==': [{ max: [1, of('amount')] }, 12] }, true],
  [{ '==': [{ '%': [of('amount'), 5] }, 2] }, true],
  [{ in: ['b', { merge: [['x'], of('tags')] }] }, true],
  [{ '==': [{ var: ['payload.gone', 'by default'] }, 'by default'] }, true],
  [{ '==': [{ var: ['payload.nothing', 'by default'] }, null] }, true],
  [{ '==': [{ cat: ['a', of('nothing'), of('gone')] }, 'a'] }, true],
  [{ '==': [{ '+': ['3 apples', 4] }, 7] }, true],
  [{ '==': [{ '+': [of('nothing'), 4] }, 4] }, false],
  [{ '==': [of('status.length'), 4] }, true],
  [{ '==': [{ var: 'subscriber.data.plan' }, 'pro'] }, true],
  [{ var: 'payload.constructor' }, false],
  [{ var: '__proto__.toString' }, false],
  [{ '==': [{ var: 'payload.nothing' }, null] }, true],
  [true, true],
  [null, false],
])('%j is %s', (rule, expected) => {
  expect(faultOfRule(rule)).toBeNull()
  expect(judgeRule(rule, data)).toBe(expected)
})

test('a rule that could not be judged is refused with a reason', () => {
  expect(faultOfRule({ log: 'x' })).toContain('no operator "log"')
  expect(faultOfRule({ '==': [1, 1], or: [] })).toContain('one operator')
  expect(faultOfRule({})).toContain('one operator')
  expect(faultOfRule({ '==': ['x'.repeat(5000), 1] })).toContain('4096')
  let deep: unknown = 1
  for (let level = 0; level < 30; level++) deep = { '!': [deep] }
  expect(faultOfRule(deep)).toContain('20 levels')
})

test('what grows with each level, or with the payload, ends after its share', async () => {
  const list = Array.from({ length: 100 }, (_, n) => n)
  const nested = (levels: number): unknown =>
    levels === 0 ? 1 : { map: [list.slice(0, 20), { map: [list.slice(0, 20), nested(levels - 1)] }] }
  let doubled: unknown = { var: 'text' }
  for (let level = 0; level < 8; level++) doubled = { cat: [doubled, doubled] }
  /** A text that doubles, taken for a path again and again. */
  const lookedUp = (operator: string, args: (text: object) => unknown[]) => {
    const accumulator = { var: 'accumulator' }
    const long = { reduce: [list.slice(0, 12), { cat: [accumulator, accumulator] }, '................'] }
    return {
      reduce: [
        [...list, ...list, ...list],
        { if: [{ [operator]: args(accumulator) }, accumulator, accumulator] },
        long,
      ],
    }
  }
  const huge = {
    many: Array.from({ length: 1_000_000 }, (_, n) => n),
    text: 'x'.repeat(1_000_000),
    shorter: 'x'.repeat(300_000),
  }
  const bombs = [
    nested(4),
    doubled,
    { some: [{ var: 'many' }, { '==': [{ var: '' }, -1] }] },
    { or: Array.from({ length: 200 }, () => ({ in: ['y', { var: 'text' }] })) },
    // Compared anew at every place of the text.
    { in: [`y${'x'.repeat(3_900)}`, { var: 'shorter' }] },
    lookedUp('missing', (text) => [[text]]),
    lookedUp('missing_some', (text) => [1, [text]]),
    lookedUp('var', (text) => [text]),
    { reduce: [list, { merge: [{ var: 'accumulator' }, { var: 'accumulator' }, [1, 2]] }, []] },
  ]
  for (const bomb of bombs) {
    const took = await fastest(50, () => {
      const begin = performance.now()
      expect(judgeRule(bomb, huge)).toBe('too long')
      return performance.now() - begin
    })
    expect(took).toBeLessThan(50)
  }
})
