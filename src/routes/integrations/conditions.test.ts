import { describe, expect, test } from 'vitest'
import { type Json, useSharedHarness } from '../../../test/harness.ts'
import { makeSendgrid } from '../../../test/integration-samples.ts'

const h = useSharedHarness()
const path = '/v1/integrations'

const child = { field: 'tier', value: 'gold', operator: 'EQUAL', on: 'subscriber' }
const whole = { isNegated: true, type: 'GROUP', value: 'OR', children: [child] }

/** The enumerations of spec 2.6 are walked in test/spec-limits.test.ts. */
describe('conditions of an integration', () => {
  test('are shown as sent, in the order sent', async () => {
    const env = await h.environment()
    const conditions = [
      whole,
      { ...whole, isNegated: false, type: 'TEXT', children: [{ ...child, field: 'payload.a' }, child] },
    ]
    expect((await makeSendgrid(env, { conditions })).conditions).toEqual(conditions)
    expect((await env.get(path)).body[0].conditions).toEqual(conditions)
  })

  test.each([
    ['nothing', {}, { isNegated: false, type: 'GROUP', value: 'AND', children: [] }],
    ['a value', { value: 'OR' }, { isNegated: false, type: 'GROUP', value: 'OR', children: [] }],
    ['negation', { isNegated: true }, { isNegated: true, type: 'GROUP', value: 'AND', children: [] }],
    ['a type', { type: 'DATE' }, { isNegated: false, type: 'DATE', value: 'AND', children: [] }],
    ['children', { children: [child] }, { isNegated: false, type: 'GROUP', value: 'AND', children: [child] }],
  ])('a filter with %s is completed on create and on update', async (_name, sent, shown) => {
    const env = await h.environment()
    const made = await makeSendgrid(env, { conditions: [sent] })
    expect(made.conditions).toEqual([shown])
    const other = await makeSendgrid(env)
    expect((await env.put(`${path}/${other._id}`, { conditions: [sent] })).body.conditions).toEqual([shown])
  })

  test('an update replaces them as a whole; [] takes them away; none sent, they stay', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env, { conditions: [whole, whole] })
    const put = async (body: object) => (await env.put(`${path}/${made._id}`, body)).body.conditions
    expect(await put({ name: 'x' })).toEqual([whole, whole])
    expect(await put({ conditions: [{ ...whole, value: 'AND' }] })).toEqual([{ ...whole, value: 'AND' }])
    expect(await put({ conditions: [] })).toEqual([])
  })

  test('fields the specification does not name are dropped', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env, { conditions: [{ ...whole, extra: 1, children: [{ ...child, extra: 1 }] }] })
    expect(made.conditions).toEqual([whole])
  })

  test.each<[string, Json, string, Json]>([
    ['no list', {}, 'conditions', undefined],
    ['null', null, 'conditions', null],
    ['a filter that is no object', ['x'], 'conditions.0', 'x'],
    ['a list in the list', [[[whole]]], 'conditions.0', undefined],
    ['isNegated as text', [{ ...whole, isNegated: 'true' }], 'conditions.0.isNegated', 'true'],
    ['children that are no list', [{ ...whole, children: {} }], 'conditions.0.children', undefined],
    ['a child that is a list', [{ ...whole, children: [[['a']]] }], 'conditions.0.children.0', undefined],
    [
      'a child without field',
      [{ ...whole, children: [{ ...child, field: undefined }] }],
      'conditions.0.children.0.field',
      undefined,
    ],
    [
      'a child whose value is a list',
      [{ children: [{ ...child, value: [['a']] }] }],
      'conditions.0.children.0.value',
      undefined,
    ],
    [
      'a child whose value is a number',
      [whole, { children: [child, { ...child, value: 5 }] }],
      'conditions.1.children.1.value',
      5,
    ],
  ])('%s is 422 naming the place', async (_name, conditions, field, value) => {
    const env = await h.environment()
    const made = await makeSendgrid(env)
    for (const reply of [
      await env.post(path, { providerId: 'slack', channel: 'chat', conditions }),
      await env.put(`${path}/${made._id}`, { conditions }),
    ]) {
      expect(reply.status).toBe(422)
      expect(Object.keys(reply.body.errors)).toEqual([field])
      expect(reply.body.errors[field].value).toEqual(value)
      expect(reply.body.errors[field].messages.length).toBeGreaterThan(0)
    }
  })

  test('a hundred filters of a hundred children are taken, one more of either is 422', async () => {
    const env = await h.environment()
    const filters = (count: number, children: number) =>
      Array.from({ length: count }, () => ({ ...whole, children: Array(children).fill(child) }))
    const send = (conditions: unknown[]) =>
      env.post(path, { providerId: 'slack', channel: 'chat', conditions }).then(({ status }) => status)
    expect(await send(filters(100, 10))).toBe(201)
    expect(await send(filters(1, 100))).toBe(201)
    expect(await send(filters(101, 0))).toBe(422)
    expect(await send(filters(1, 101))).toBe(422)
  })

  test('each of the four fields of a child is required', async () => {
    const env = await h.environment()
    const reply = await env.post(path, { providerId: 'slack', channel: 'chat', conditions: [{ children: [{}] }] })
    expect(Object.keys(reply.body.errors).toSorted()).toEqual(
      ['field', 'on', 'operator', 'value'].map((name) => `conditions.0.children.0.${name}`),
    )
  })
})
