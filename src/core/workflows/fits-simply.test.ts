import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestOfFive } from '../../../test/fastest.ts'
import { rounds } from '../../../test/rounds.ts'
import { payloadCheck } from '../../render/payload-schema.ts'
import { fitsSimply } from './fits-simply.ts'

const plenty = () => ({ left: 10_000 })

test('an everyday schema is judged without a thread', () => {
  const schema = {
    type: 'object',
    required: ['order'],
    additionalProperties: false,
    properties: {
      order: { type: 'object', required: ['id'], properties: { id: { type: 'string', minLength: 1 } } },
      items: { type: 'array', maxItems: 10, items: { type: 'object', properties: { price: { minimum: 0 } } } },
      status: { enum: ['open', 'paid', null] },
      note: { type: ['string', 'null'], maxLength: 500, description: 'anything', default: '' },
    },
  }
  const payload = { order: { id: 'o-1' }, items: [{ price: 3 }], status: 'paid', note: null }
  expect(fitsSimply(schema, payload, plenty())).toBe(true)
  expect(fitsSimply(schema, { ...payload, status: 'lost' }, plenty())).toBe(false)
  expect(fitsSimply(schema, { ...payload, more: 1 }, plenty())).toBe(false)
})

test.each([
  { pattern: 'a' },
  { patternProperties: { a: {} } },
  { format: 'email' },
  { uniqueItems: true },
  { anyOf: [{}] },
  { $ref: '#/definitions/a', definitions: { a: {} } },
  { properties: { a: { pattern: 'a' } } },
])('a schema such as %j is left to a thread', (schema) => {
  expect(fitsSimply(schema, { a: 'a' }, plenty())).toBe(false)
})

test('it never takes more steps than it is given', bestOfFive, () => {
  const schema = { properties: { a: { items: { allOf: Array.from({ length: 100 }, () => ({ enum: [1, 2, 3] })) } } } }
  const payload = { a: Array.from({ length: 200_000 }, () => 1) }
  const used = process.threadCpuUsage()
  expect(fitsSimply(schema, payload, plenty())).toBe(false)
  expect(process.threadCpuUsage(used).user / 1000).toBeLessThan(100)
})

test('whatever it says fits, the library says fits', () => {
  const word = fc.constantFrom('a', 'b', 'toString', '__proto__', 'length')
  const leaf = fc.oneof(
    fc.constantFrom('', 'a', 'ü', '😀', '😀😀'),
    fc.integer({ min: -2, max: 3 }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(word, tie('value'), { maxKeys: 3 }),
    ),
  }))
  const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
  const count = fc.integer({ min: 0, max: 3 })
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, weights: [1, 6] } as never,
      fc.boolean(),
      fc.record(
        {
          type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
          const: leaf,
          enum: fc.uniqueArray(leaf, { minLength: 1, maxLength: 3 }),
          minimum: count,
          maximum: count,
          minLength: count,
          maxLength: count,
          minItems: count,
          maxItems: count,
          required: fc.uniqueArray(word, { maxLength: 2 }),
          properties: fc.dictionary(word, tie('schema'), { maxKeys: 2 }),
          additionalProperties: tie('schema'),
          items: tie('schema'),
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          title: fc.string(),
        },
        { requiredKeys: [] },
      ),
    ),
  }))
  const numRuns = rounds({ quick: 400, full: 5_000 })
  let fitting = 0
  fc.assert(
    fc.property(fc.dictionary(word, schema, { maxKeys: 2 }), fc.dictionary(word, value), (properties, given) => {
      const whole = JSON.parse(JSON.stringify({ properties }))
      const payload = JSON.parse(JSON.stringify(given))
      if (!fitsSimply(whole, payload, plenty())) return
      fitting += 1
      expect(payloadCheck(whole)(payload)).toEqual([])
    }),
    { numRuns },
  )
  expect(fitting).toBeGreaterThan(numRuns / 10)
})
