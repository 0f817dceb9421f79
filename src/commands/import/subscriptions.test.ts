import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { person } from '../../../test/import/recorded.ts'
import { useImports } from '../../../test/import/run-import.ts'

const h = useHarness()
const { replay, run } = useImports(() => h.url)

const path = '/v2/topics/news/subscriptions'
const topic = { _id: 'a1', key: 'news', name: 'News' }
const about = (identifier: string) => ({ id: 'x', identifier, name: 'W', critical: false, severity: 'none' })
const choice = (identifier: string, more: object = {}) => ({
  subscriptionId: 'c',
  enabled: false,
  workflow: about(identifier),
  ...more,
})
const member = (id: string, subscriberId: string, identifier = `tk_news:si_${subscriberId}`, more: object = {}) => {
  const subscriber = { _id: `p${subscriberId}`, subscriberId }
  return { _id: id, identifier, createdAt: 't', topic, subscriber, ...more }
}

async function target(): Promise<Client> {
  const to = await h.environment()
  for (const workflowId of ['w0', 'w1']) await to.post('/v2/workflows', { workflowId, name: workflowId, steps: [] })
  return to
}

describe('the detail of a subscription', () => {
  test('is asked for where the list cannot tell it, by its default name too', async () => {
    const to = await target()
    const details = { 'tk_news:si_ada': { id: 'c1', name: 'Mine', preferences: [choice('w0')] } }
    const from = await replay({
      subscribers: [person('ada'), person('bob')],
      topics: [topic],
      members: { news: [member('c1', 'ada'), member('c2', 'bob', undefined, { name: null, preferences: [] })] },
      details,
    })
    const { left, code } = await run(from, to, '--only', 'subscribers,topics')
    expect([left, code]).toEqual([[], 0])
    expect((await to.get(`${path}/tk_news:si_ada`)).body).toMatchObject({
      name: 'Mine',
      preferences: [{ enabled: false, workflow: { identifier: 'w0' } }],
    })
    // Of bob the list tells everything.
    expect(from.calls.filter((it) => it.includes('subscriptions/'))).toEqual([
      '/v2/topics/news/subscriptions/tk_news%3Asi_ada',
    ])
    expect((await run(from, to, '--only', 'subscribers,topics')).text).toContain('0 created, 0 changed')
  })

  test('is not asked for with --without choices-of-subscriptions; what cannot be read is listed', async () => {
    const to = await target()
    const from = await replay({
      subscribers: [person('ada')],
      topics: [topic],
      members: { news: [member('c1', 'ada', undefined, { preferences: [choice('w0'), { enabled: true }] })] },
    })
    const short = await run(from, to, '--only', 'subscribers,topics', '--without', 'choices-of-subscriptions')
    expect(from.calls.some((it) => it.includes('subscriptions/'))).toBe(false)
    expect(short.why('ada in news')).toEqual(['the other service does not tell the workflow of a choice'])
    const { why } = await run(from, to, '--only', 'topics')
    expect(why('ada in news')).toContain('the other service does not tell the name and choices of this one')
  })

  test('a subscription in contexts that are not told is listed', async () => {
    const to = await target()
    const identifier = 'tk_news:si_ada:ctx_team:red'
    const news = [member('c1', 'ada', identifier, { name: null, preferences: [] })]
    const from = await replay({ subscribers: [person('ada')], topics: [topic], members: { news } })
    const { why } = await run(from, to, '--only', 'subscribers,topics')
    expect(why('ada in news')).toEqual([expect.stringContaining('does not tell its contexts')])
  })
})

test('what was chosen here for another workflow stays', async () => {
  const to = await target()
  await to.post('/v2/subscribers', { subscriberId: 'ada' })
  await to.post(path, { subscriptions: ['ada'] })
  const own = { preferences: [{ workflowId: 'w1', enabled: false }] }
  expect((await to.patch(`${path}/tk_news:si_ada`, own)).status).toBe(200)
  const news = [member('c1', 'ada', undefined, { name: null, preferences: [choice('w0')] })]
  const from = await replay({ subscribers: [person('ada')], topics: [topic], members: { news } })
  await run(from, to, '--only', 'topics')
  const { preferences } = (await to.get(`${path}/tk_news:si_ada`)).body
  expect(preferences.map((it: Json) => [it.workflow.identifier, it.enabled])).toEqual([
    ['w0', false],
    ['w1', false],
  ])
  expect((await run(from, to, '--only', 'topics', '--verify')).code).toBe(0)
})

describe('of a service like this one', () => {
  let url = ''
  beforeAll(async () => {
    url = (await h.node({ VENDOR_NAMES: 'novu' })).url
  })

  test('every subscription of a person comes, with name, contexts, conditions and choices', async () => {
    const [from, to] = [await target(), await target()]
    for (const subscriberId of ['ada', 'bob']) await from.post('/v2/subscribers', { subscriberId })
    const condition = { '==': [{ var: 'payload.a' }, 1] }
    const members = [
      { subscriberId: 'ada', preferences: [{ workflowId: 'w0', enabled: false }] },
      {
        subscriberId: 'ada',
        identifier: 'weekly',
        name: 'W',
        preferences: [{ workflowId: 'w0', enabled: true, condition }],
      },
      { subscriberId: 'ada', contextKeys: ['team:red'], preferences: [{ workflowId: 'w1', enabled: false }] },
      { subscriberId: 'bob' },
    ]
    expect((await from.post('/v1/import/topics', { topics: [{ key: 'news', members }] })).status).toBe(200)
    const imported = await run({ url, key: from.key }, to, '--only', 'subscribers,topics')
    expect(imported.left).toEqual([])
    const shown = async (env: Client) => {
      const { data, totalCount } = (await env.get(`${path}?orderDirection=ASC`)).body
      const pick = (it: Json) => [it.identifier, it.name, it.contextKeys, it.preferences.map(choiceOf).toSorted()]
      const choiceOf = (it: Json) => [it.workflow.identifier, it.enabled, it.condition]
      return [totalCount, data.map((it: Json) => [it.subscriber.subscriberId, it.subscriptions.map(pick).toSorted()])]
    }
    expect(await shown(to)).toEqual(await shown(from))
    expect(await shown(to)).toEqual([2, [expect.anything(), expect.anything()]])
    const [, [ada]] = await shown(to)
    expect(ada[1]).toHaveLength(3)
    const verified = await run({ url, key: from.key }, to, '--only', 'subscribers,topics', '--verify')
    expect([verified.code, verified.left]).toEqual([0, []])
    await to.patch(`${path}/weekly`, { preferences: [{ workflowId: 'w0', enabled: false }] })
    expect((await run({ url, key: from.key }, to, '--only', 'topics', '--verify')).code).toBe(1)
  })
})
