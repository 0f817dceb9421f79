import { describe, expect, test } from 'vitest'
import { payloadCheck, payloadSchemaFault } from './payload-schema.ts'

describe('a payload against its schema', () => {
  test.each<[string, object, unknown, string[]]>([
    ['fits', { required: ['a'], properties: { a: { type: 'string' } } }, { a: 'x' }, []],
    ['lacks a field', { required: ['a'] }, {}, ["payload must have required property 'a'"]],
    [
      'is wrong inside',
      { properties: { a: { items: { type: 'integer' } } } },
      { a: [1, 'x'] },
      ['payload.a.1 must be integer'],
    ],
    [
      'breaks a format',
      { properties: { a: { format: 'email' } } },
      { a: 'x' },
      ['payload.a must match format "email"'],
    ],
    ['has a format nobody knows', { properties: { a: { format: 'zork' } } }, { a: 'x' }, []],
  ])('%s', (_name, schema, payload, faults) => {
    expect(payloadSchemaFault({ ...schema })).toBeNull()
    expect(payloadCheck({ ...schema })(payload)).toEqual(faults)
  })

  test('is not told more faults than anybody reads', () => {
    const check = payloadCheck({ properties: { a: { items: { type: 'integer' } } } })
    expect(check({ a: Array(1000).fill('x') })).toHaveLength(50)
  })

  test('definitions weigh where they are used', () => {
    const definitions = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`d${n}`, { type: 'string' }]))
    const used = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { $ref: `#/definitions/d${n}` }]))
    expect(payloadSchemaFault({ definitions, properties: used(200) })).toBeNull()
    expect(payloadSchemaFault({ definitions, properties: used(300) })).toMatch(/more than 500 rules/)
  })
})
