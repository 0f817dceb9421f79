import { describe, expect, test } from 'vitest'
import { unique } from '../../../test/fixture-makers.ts'
import { useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()

const inApp = () => ({ name: 'In-app', type: 'in_app', controlValues: { body: 'Hello' } })
const withSteps = (...steps: unknown[]) => ({ workflowId: unique('workflow'), name: 'A', steps })

describe('when, variants, replyCallback and ttl of a workflow', () => {
  test('keeps the conditions, variants and callback of a step and the time to live, and takes them back', async () => {
    const env = await h.environment()
    const filters = [{ children: [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' }] }]
    const sent = {
      ...withSteps(inApp(), {
        name: 'Mail',
        type: 'email',
        controlValues: { subject: 'S', body: 'B' },
        when: { stepId: 'in-app', is: 'unread', extra: 1 },
        variants: [
          { name: 'Pro', filters, controlValues: { subject: 'P', body: 'Q', colour: 'red' } },
          { controlValues: { subject: 'X', body: 'Y', preheader: null } },
        ],
        replyCallback: { active: true, url: 'https://example.com/reply' },
      }),
      ttl: { amount: 2, unit: 'hours' },
    }
    const { body } = await env.post('/v2/workflows', sent)
    expect(body.ttl).toEqual({ amount: 2, unit: 'hours' })
    expect(body.steps[1]).toMatchObject({
      when: { stepId: 'in-app', is: 'unread' },
      variants: [
        {
          name: 'Pro',
          filters: [{ isNegated: false, type: 'GROUP', value: 'AND', children: filters[0]?.children }],
          controlValues: { subject: 'P', body: 'Q', editorType: 'html' },
        },
        { filters: [], controlValues: { subject: 'X', body: 'Y', editorType: 'html' } },
      ],
      replyCallback: { active: true, url: 'https://example.com/reply' },
    })
    expect(body.steps[1].when).not.toHaveProperty('extra')
    expect(body.steps[1].variants[0].controlValues).not.toHaveProperty('colour')
    const path = `/v2/workflows/${sent.workflowId}`
    expect((await env.get(path)).body).toEqual(body)
    // What was read may be sent back as it is, and changes nothing.
    expect((await env.put(path, body)).body).toEqual(body)
    expect((await env.patch(path, { name: 'B' })).body).toMatchObject({ ttl: body.ttl, steps: body.steps })
    const plain = { ...sent, ttl: null, steps: [inApp(), { ...inApp(), name: 'X', when: null, variants: [] }] }
    const replaced = (await env.put(path, plain)).body
    expect(replaced).not.toHaveProperty('ttl')
    expect(replaced.steps[1]).not.toHaveProperty('when')
  })
})

describe('saving refuses, and names the field', () => {
  test.each(['', '  '])('a condition on no field (%j): its step would never run', async (field) => {
    const env = await h.environment()
    const filters = [{ children: [{ on: 'payload', field: 'plan', operator: 'EQUAL', value: 'pro' }] }]
    const empty = [...filters, { children: [{ on: 'payload', field, operator: 'EQUAL', value: '' }] }]
    const step = { ...inApp(), filters: empty, variants: [{ filters: empty, controlValues: { body: 'Hi' } }] }
    const { status, body } = await env.post('/v2/workflows', withSteps(step))
    expect(status).toBe(422)
    const fault = { messages: ['must name a field'], value: field }
    expect(body.errors).toEqual({
      'steps.0.filters.1.children.0.field': fault,
      'steps.0.variants.0.filters.1.children.0.field': fault,
    })
    expect((await env.post('/v2/workflows', withSteps({ ...inApp(), filters }))).status).toBe(201)
  })

  test.each([
    ['itself', 'b'],
    ['a later step', 'c'],
    ['a step that is not there', 'd'],
  ])('a step that looks at %s', async (_name, stepId) => {
    const env = await h.environment()
    const steps = ['a', 'b', 'c'].map((id) => ({ ...inApp(), stepId: id }))
    const looking = { ...inApp(), stepId: 'b', when: { stepId, is: 'sent' } }
    const { status, body } = await env.post('/v2/workflows', withSteps(steps[0], looking, steps[2]))
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      'steps.1.when.stepId': { messages: ['must be the stepId of an earlier step'], value: stepId },
    })
  })

  test.each<[string, unknown, string]>([
    ['an unknown word of when', { when: { stepId: 'in-app', is: 'lost' } }, 'steps.1.when.is'],
    ['a variant that is not whole', { variants: [{ controlValues: {} }] }, 'steps.1.variants.0.controlValues.body'],
    ['a variant without values', { variants: [{ name: 'A' }] }, 'steps.1.variants.0.controlValues.body'],
    [
      'a variant with a faulty template',
      { variants: [{ controlValues: { body: 'B' } }, { controlValues: { body: '{{' } }] },
      'steps.1.variants.1.controlValues.body',
    ],
    ['21 variants', { variants: Array(21).fill({ controlValues: { body: 'B' } }) }, 'steps.1.variants'],
    ['a callback that is no object', { replyCallback: 'https://example.com' }, 'steps.1.replyCallback'],
  ])('%s', async (_name, more, field) => {
    const env = await h.environment()
    const { status, body } = await env.post('/v2/workflows', withSteps(inApp(), { ...inApp(), ...(more as object) }))
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test.each([
    [{ amount: 32, unit: 'days' }, ['ttl']],
    [{ amount: 2, unit: 'months' }, ['ttl']],
    [{ amount: 0, unit: 'days' }, ['ttl.amount']],
    [{ amount: 1, unit: 'years' }, ['ttl.unit']],
    [3600, ['ttl']],
  ])('a time to live of %o', async (ttl, fields) => {
    const env = await h.environment()
    const { status, body } = await env.post('/v2/workflows', { ...withSteps(inApp()), ttl })
    expect([status, Object.keys(body.errors)]).toEqual([422, fields])
  })
})
