import { describe, expect, test } from 'vitest'
import { workflowOf } from '../../../test-data.ts'
import { variablesOf } from './variables.ts'

describe('names of a workflow', () => {
  test('those of the schema and of the sample, with where they come from, each once', () => {
    const payloadSchema = { type: 'object', properties: { order: { type: 'object', properties: { id: {} } } } }
    const found = variablesOf(workflowOf({ payloadSchema }), { order: { id: 1, total: 2 } }, false)
    expect(found.filter(({ name }) => name.startsWith('payload.'))).toEqual([
      { name: 'payload.order', about: 'in the schema', type: 'object' },
      { name: 'payload.order.id', about: 'in the schema' },
      { name: 'payload.order.total', about: 'in the sample', type: 'number' },
    ])
  })

  test('what a digest gathered only after a digest', () => {
    const names = (afterDigest: boolean) => variablesOf(workflowOf(), {}, afterDigest).map(({ name }) => name)
    expect(names(true)).toContain('step.events')
    expect(names(false)).not.toContain('step.events')
    expect(names(false)).toContain('subscriber.timezone')
  })

  test('a list knows what its items have, by the schema or by the sample; a digest those of the payload', () => {
    const items = { type: 'object', properties: { name: { type: 'string' } } }
    const payloadSchema = { type: 'object', properties: { lines: { type: ['array', 'null'], items } } }
    const found = variablesOf(workflowOf({ payloadSchema }), { tags: ['a'], empty: [] }, true)
    const itemsOf = (name: string) => found.find((one) => one.name === name)?.items
    expect(itemsOf('payload.lines')).toEqual([
      { name: '', about: 'the item', type: 'object' },
      { name: 'name', about: 'in the schema', type: 'string' },
    ])
    expect(itemsOf('payload.tags')).toEqual([{ name: '', about: 'the item', type: 'string' }])
    expect(itemsOf('payload.empty')).toBeUndefined()
    expect(itemsOf('step.events')?.map(({ name }) => name)).toEqual(['lines', 'tags', 'empty'])
  })
})
