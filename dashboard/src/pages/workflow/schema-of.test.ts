import { expect, test } from 'vitest'
import { schemaOf } from './schema-of.ts'

test('a schema made from a sample knows every field by its type, and requires none', () => {
  const sample = {
    id: 'x',
    total: 9.5,
    paid: false,
    lines: [{ sku: 'a' }],
    tags: [],
    buyer: { name: 'Ada' },
    note: null,
  }
  expect(schemaOf(sample)).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string' },
      total: { type: 'number' },
      paid: { type: 'boolean' },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
      tags: { type: 'array' },
      buyer: { type: 'object', properties: { name: { type: 'string' } } },
      note: {},
    },
  })
})
