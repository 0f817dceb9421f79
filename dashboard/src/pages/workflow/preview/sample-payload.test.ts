import { describe, expect, test } from 'vitest'
import { stepOf, workflowOf } from '../../../test-data.ts'
import { parse, readPayload, samplePayload } from './sample-payload.ts'

const using = (body: string, payloadSchema: Record<string, unknown> | null = null) =>
  samplePayload(workflowOf({ steps: [stepOf('a', { controlValues: { body } })], payloadSchema }))

describe('a sample made up for a workflow', () => {
  test('has every name that the templates use, at its depth', () => {
    expect(using('{{ payload.order.id }} {{payload.order.lines.first}} {{ payload.name | upcase }}')).toEqual({
      order: { id: 'id', lines: { first: 'first' } },
      name: 'name',
    })
  })

  test('a name that is used alone and with parts becomes an object', () => {
    expect(using('{{ payload.order }} {{ payload.order.id }}')).toEqual({ order: { id: 'id' } })
  })

  test('has what the schema knows: examples, defaults, choices, else something of the type', () => {
    const properties = {
      id: { type: 'string', example: 'A-1' },
      unit: { type: 'string', default: 'kg' },
      state: { enum: ['open', 'done'] },
      count: { type: 'integer' },
      paid: { type: 'boolean' },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
      meta: { type: 'object' },
      note: { type: 'string' },
    }
    expect(using('{{ payload.id }} {{ payload.other }}', { type: 'object', properties })).toEqual({
      id: 'A-1',
      other: 'other',
      unit: 'kg',
      state: 'open',
      count: 1,
      paid: true,
      lines: [{ sku: 'sku' }],
      meta: {},
      note: 'note',
    })
  })

  test('has what only a condition reads, with a value that meets it', () => {
    const group = (children: object[]) => [{ isNegated: false, type: 'GROUP', value: 'AND', children }] as never
    const is = (field: string, operator: string, value: string, on = 'payload') => ({ on, field, operator, value })
    const step = stepOf('a', {
      controlValues: { body: '{{ payload.title }} {{ payload.total }}' },
      filters: group([
        is('priority', 'EQUAL', 'high'),
        is('payload.total', 'LARGER', '10'),
        is('plan', 'EQUAL', 'x', 'subscriber'),
      ]),
      variants: [{ filters: group([is('order.kind', 'IN', 'gift, card'), is('', 'EQUAL', '')]), controlValues: {} }],
    })
    expect(samplePayload(workflowOf({ steps: [step] }))).toEqual({
      priority: 'high',
      total: 11,
      order: { kind: 'gift' },
      title: 'title',
    })
  })

  test('comes to an end with a schema that goes on', () => {
    let schema: Record<string, unknown> = { type: 'string' }
    for (let depth = 0; depth < 300; depth++) schema = { type: 'object', properties: { a: schema } }
    expect(JSON.stringify(using('', schema)).length).toBeLessThan(200)
  })
})

test('what is typed is a payload when it is an object; nothing is an empty one', () => {
  expect(readPayload('{"a":1}')).toEqual({ payload: { a: 1 }, fault: undefined })
  expect(readPayload('  ')).toEqual({ payload: {}, fault: undefined })
  expect(readPayload('[1]')).toEqual({ payload: {}, fault: 'A payload is an object: { … }' })
  expect(readPayload('{"a":').fault).toMatch(/^This is not JSON: /)
  expect(parse('3')).toEqual({ value: 3 })
})
