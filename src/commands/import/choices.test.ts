import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { person, step, workflow } from '../../../test/import/recorded.ts'
import { useImports } from '../../../test/import/run-import.ts'

const h = useHarness()
const { replay, run } = useImports(() => h.url)

const on = { in_app: true, email: true, sms: true, chat: true, push: true }
const steps = [step('sms', 'sms', { body: 'B' }), step('in_app', 'bell', { body: 'B' })]
const about = (identifier: string) => ({ identifier, slug: identifier, name: identifier })
const of = (identifier: string, channels: object, more: object = {}) => ({
  enabled: true,
  channels,
  overrides: [],
  workflow: about(identifier),
  ...more,
})
const chosenBy = async (env: Client, id: string) =>
  (await env.get(`/v2/subscribers/${id}/export`)).body.preferences.choices

describe('what was chosen here stays', () => {
  test('what is on there and off here is kept and listed, in an import and in a comparison', async () => {
    const to = await h.environment()
    await to.post('/v2/subscribers', { subscriberId: 'ada' })
    await to.patch('/v2/subscribers/ada/preferences', { channels: { email: false, sms: false } })
    const global = { enabled: true, channels: { ...on, push: false } }
    const from = await replay({ subscribers: [person('ada')], preferences: { ada: { global, workflows: [] } } })
    const first = await run(from, to, '--only', 'preferences')
    expect(await chosenBy(to, 'ada')).toMatchObject([{ channels: { email: false, sms: false, push: false } }])
    const words = 'is on there and off here: what was chosen here stays'
    expect(first.left.map((it) => [it.field, it.why])).toEqual([
      ['preferences.email', words],
      ['preferences.sms', words],
    ])
    const again = await run(from, to, '--only', 'preferences')
    expect(again.text).toContain('0 created, 0 changed')
    const verified = await run(from, to, '--only', 'preferences', '--verify')
    expect([verified.why('ada'), verified.text]).toEqual([[words, words], expect.stringContaining(words)])
  })

  test('all of it off here, all of it on there', async () => {
    const to = await h.environment()
    await to.post('/v2/subscribers', { subscriberId: 'ada' })
    await to.patch('/v2/subscribers/ada/preferences', { enabled: false, channels: { email: true } })
    const from = await replay({ subscribers: [person('ada')] })
    const { why } = await run(from, to, '--only', 'preferences')
    expect(await chosenBy(to, 'ada')).toMatchObject([{ enabled: false, channels: { email: true } }])
    expect(why('ada')).toEqual([expect.stringContaining('is on there and off here')])
  })

  test('for a workflow: only what the person certainly chose is taken', async () => {
    const to = await h.environment()
    const own = [workflow('plain', steps), workflow('other', steps)]
    const time = { updatedAt: '2026-01-02T03:04:05.000Z' }
    const overrides = [{ channel: 'in_app', source: 'subscriber' }]
    const preferences = {
      ada: {
        global: { enabled: true, channels: on },
        workflows: [of('plain', { sms: true, in_app: true }, { ...time, overrides }), of('other', { sms: true })],
      },
    }
    const from = await replay({ workflows: own, subscribers: [person('ada')], preferences })
    await run(from, to, '--only', 'workflows,subscribers')
    for (const workflowId of ['plain', 'other'])
      await to.patch('/v2/subscribers/ada/preferences', { workflowId, channels: { sms: false, in_app: false } })
    const { why } = await run(from, to, '--only', 'preferences')
    const chosen = await chosenBy(to, 'ada')
    expect(chosen.find((it: { workflowId: string }) => it.workflowId === 'plain').channels).toEqual({
      sms: false,
      in_app: true,
    })
    expect(chosen.find((it: { workflowId: string }) => it.workflowId === 'other').channels).toEqual({
      sms: false,
      in_app: false,
    })
    const words = (name: string) => `is on there and off here in the workflow ${name}: what was chosen here stays`
    expect(why('ada').toSorted()).toEqual([words('other'), words('plain')])
  })

  test('a workflow that is not here costs no line where nobody chose anything', async () => {
    const to = await h.environment()
    const from = await replay({ workflows: [workflow('plain', steps)], subscribers: [person('ada')] })
    const { left } = await run(from, to, '--only', 'subscribers,preferences')
    expect(left).toEqual([])
  })
})

test('a service that does not say what they chose is told of, for each of them', async () => {
  const to = await h.environment()
  const before = (path: string) => (path.endsWith('/preferences') ? { status: 404 } : undefined)
  const from = await replay({ subscribers: [person('ada'), person('bob')] }, { before })
  const { text, why } = await run(from, to, '--only', 'subscribers,preferences')
  expect([why('ada'), why('bob')]).toEqual([
    ['the other service does not say what they chose'],
    ['the other service does not say what they chose'],
  ])
  expect(text).toContain('does not say what they chose (2, such as')
})

describe('of a service like this one', () => {
  let url = ''
  beforeAll(async () => {
    url = (await h.node({ VENDOR_NAMES: 'novu' })).url
  })

  test('an environment is the same as itself', async () => {
    const env = await h.environment()
    const inApp = [{ stepId: 'bell', name: 'Bell', type: 'in_app', controlValues: { body: 'B' } }]
    const layer = { all: { enabled: true }, channels: { sms: { enabled: false } } }
    const made = [
      { workflowId: 'plain' },
      { workflowId: 'critical', critical: true },
      { workflowId: 'team', preferences: { user: layer } },
      { workflowId: 'own', preferences: { workflow: layer } },
      { workflowId: 'both', preferences: { user: layer, workflow: { all: { readOnly: true } } } },
    ]
    for (const it of made) {
      expect((await env.post('/v2/workflows', { name: it.workflowId, steps: inApp, ...it })).status).toBe(201)
    }
    const { code, left } = await run({ url, key: env.key }, env, '--only', 'workflows', '--verify')
    expect([left, code]).toEqual([[], 0])
  })
})
