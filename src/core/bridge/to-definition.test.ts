import { expect, test } from 'vitest'
import { payloadSchemaOf, toExternalDefinition } from './to-definition.ts'

const of = (schema: Record<string, unknown>) => payloadSchemaOf({ workflowId: 'a', steps: [], payload: { schema } })

test.each<[string, Record<string, unknown>, unknown]>([
  ['nothing at all', {}, null],
  ['only its dialect, as zod 4 comes out', { $schema: 'https://json-schema.org/draft/2020-12/schema' }, null],
  [
    'no payload, as a workflow without a schema says it',
    { type: 'object', properties: {}, required: [], additionalProperties: false },
    null,
  ],
  [
    'what has a default may be absent, what is too much is theirs',
    {
      type: 'object',
      properties: {
        a: { type: 'string', default: 'x' },
        b: { type: 'object', properties: {}, additionalProperties: false },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { a: { type: 'string', default: 'x' }, b: { type: 'object', properties: {} } },
      required: ['b'],
    },
  ],
  ['a choice', { oneOf: [{ type: 'object' }] }, { oneOf: [{ type: 'object' }] }],
])('a payload schema that says %s', (_what, schema, kept) => expect(of(schema)).toEqual(kept))

test('steps keep their ids over versions; waits and code stop the rest when they fail, messages do not', () => {
  const steps = [
    { stepId: 'wait', type: 'delay' },
    { stepId: 'mail', type: 'email' },
  ]
  const now = new Date()
  const first = toExternalDefinition({ workflowId: 'a', steps }, null, null, now)
  const second = toExternalDefinition({ workflowId: 'a', name: 'A', steps: steps.toReversed() }, first, null, now)
  expect(second.steps.map(({ id }) => id)).toEqual(first.steps.map(({ id }) => id).toReversed())
  expect(first.steps.map(({ shouldStopOnFail }) => shouldStopOnFail)).toEqual([true, false])
  expect(first).toMatchObject({
    name: 'a',
    origin: 'external',
    validatePayload: false,
    preferences: null,
    critical: false,
  })
})

test('what nobody may turn off is critical', () => {
  const preferences = { all: { enabled: true, readOnly: true }, channels: {} }
  const made = toExternalDefinition({ workflowId: 'a', steps: [], preferences }, null, null, new Date())
  expect(made).toMatchObject({ critical: true, preferences: { workflow: { all: { readOnly: true } } } })
})
