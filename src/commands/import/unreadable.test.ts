import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { type Instead, integration, person, step, workflow } from '../../../test/import/recorded.ts'
import { useImports } from '../../../test/import/run-import.ts'

/** What cannot be read there, or is not what it should be: it is told, and costs only itself. */
const h = useHarness()
const { replay, serve, run } = useImports(() => h.url)

const at = (paths: Record<string, Instead>) => ({ before: (path: string) => paths[path] })
const off = { status: 404 }

test('the members of a topic that is deleted while it is read are listed; those of the others come', async () => {
  const to = await h.environment()
  const topics = ['ha', 'hb', 'hc'].map((key, n) => ({ _id: `a${n}`, key, name: key }))
  const member = (key: string) => ({
    _id: `m-${key}`,
    identifier: `tk_${key}:si_ada`,
    subscriber: { subscriberId: 'ada' },
  })
  const members = { ha: [member('ha')], hb: [member('hb')], hc: [member('hc')] }
  const from = await replay(
    { subscribers: [person('ada')], topics, members },
    at({ '/v2/topics/hb/subscriptions': off }),
  )
  const { code, text, left } = await run(from, to, '--only', 'subscribers,topics')
  for (const [key, count] of [
    ['ha', 1],
    ['hb', 0],
    ['hc', 1],
  ]) {
    expect([key, (await to.get(`/v2/topics/${key}/subscriptions`)).body.totalCount]).toEqual([key, count])
  }
  expect(left.filter(({ kind }) => kind === 'topics')).toMatchObject([
    { name: 'hb', why: expect.stringContaining('could not be read') },
  ])
  expect(text).toMatch(/^members +2 +2 +0 +0 +0/m)
  expect([code, text]).toEqual([1, expect.stringContaining('1 could not be read from the other service')])
})

test('a subscription that cannot be read by itself comes without its choices, and the others with theirs', async () => {
  const to = await h.environment()
  const ada = { subscriberId: 'ada' }
  const news = ['weekly', 'daily'].map((identifier, n) => ({ _id: `m${n}`, identifier, subscriber: ada }))
  const from = await replay(
    {
      subscribers: [person('ada')],
      topics: [{ _id: 'a', key: 'news' }],
      members: { news },
      details: { daily: { identifier: 'daily', name: 'Daily' } },
    },
    at({ '/v2/topics/news/subscriptions/weekly': { status: 501 } }),
  )
  const { code, left } = await run(from, to, '--only', 'subscribers,topics')
  expect([code, left]).toMatchObject([1, [{ kind: 'members', name: 'ada in news', field: 'preferences' }]])
  expect((await to.get('/v2/topics/news/subscriptions/weekly')).status).toBe(200)
  expect((await to.get('/v2/topics/news/subscriptions/daily')).body.name).toBe('Daily')
})

describe('ids that no address can have in it', () => {
  test.each(['.', '..'])('"%s": what another address answers is not taken for theirs', async (id) => {
    const to = await h.environment()
    const channels = { in_app: true, email: false, sms: true, chat: true, push: true }
    const theirs = { global: { enabled: true, channels }, workflows: [] }
    const instead = { status: 200, body: theirs }
    const from = await replay(
      { subscribers: [person(id, { firstName: 'Dot' }), person('ada')] },
      at({ '/v2/subscribers/preferences': instead, '/v2/preferences': instead }),
    )
    const { code, left } = await run(from, to, '--only', 'subscribers,preferences')
    expect(left).toMatchObject([{ name: id, field: 'preferences' }])
    expect(code).toBe(1)
    expect((await to.get('/v2/subscribers')).body.data.map((it: { firstName: string }) => it.firstName)).toContain(
      'Dot',
    )
    const changes = (await to.get('/v2/subscribers/ada/export')).body.preferences.choices
    expect(changes).toEqual([])
  })
})

test('an id that begins or ends with spaces is listed, and nobody becomes somebody else', async () => {
  const to = await h.environment()
  const subscribers = [person('tsp', { firstName: 'A' }), person('tsp ', { firstName: 'B' }), person('TSP')]
  const topics = [{ _id: 'a1', key: 'news' }]
  const news = [{ _id: 'm1', identifier: 'tk_news:si_x', subscriber: { subscriberId: 'tsp ' } }]
  const { text, left } = await run(
    await replay({ subscribers, topics, members: { news } }),
    to,
    '--only',
    'subscribers,topics',
  )
  expect(text).toMatch(/^subscribers +3 +2 +0 +0 +1/m)
  expect(left.filter(({ field }) => field !== 'preferences')).toMatchObject([
    { name: 'tsp ' },
    { name: 'tsp  in news' },
  ])
  expect((await to.get('/v2/subscribers/tsp')).body.firstName).toBe('A')
  expect((await to.get('/v2/topics/news/subscriptions')).body.totalCount).toBe(0)
})

describe('lists', () => {
  const all = ['/v2/subscribers', '/v2/workflows', '/v2/layouts', '/v1/integrations', '/v2/contexts', '/v1/tenants']
  const none = (instead: Instead) => at(Object.fromEntries([...all, '/v2/topics'].map((it) => [it, instead])))

  test.each<[string, Instead, string[]]>([
    ['404', off, ['--without', 'preferences']],
    ['404, compared', off, ['--verify']],
    ['403', { status: 403 }, []],
    ['a page', { status: 200, body: '<html>' }, []],
    ['{}', { status: 200, body: {} }, ['--dry-run']],
  ])('when every list answers %s, the address is wrong', async (_what, instead, args) => {
    const to = await h.environment()
    await expect(run(await replay({}, none(instead)), to, ...args)).rejects.toThrow('has none of the requested lists')
  })

  test.each([402, 403, 501])(
    'one that answers %d is left out, and the rest is imported',
    async (status) => {
      const to = await h.environment()
      const from = await replay({ subscribers: [person('ada')] }, at({ '/v2/contexts': { status } }))
      const { code, text } = await run(from, to, '--only', 'contexts,subscribers')
      expect([code, text]).toEqual([1, expect.stringMatching(new RegExp(`contexts: .*answers ${status}.*\\(all\\)`))])
      expect((await to.get('/v2/subscribers')).body.totalCount).toBe(1)
    },
    120_000,
  )

  test('one that the service does not have is told, and is no fault', async () => {
    const to = await h.environment()
    const from = await replay({ subscribers: [person('ada')] }, at({ '/v2/contexts': off }))
    expect(await run(from, to, '--only', 'contexts,subscribers')).toMatchObject({ code: 0 })
  })

  test.each(['subscribers', 'integrations', 'variables'])('%s that are no list are no empty list', async (kind) => {
    const to = await h.environment()
    const paths = {
      subscribers: '/v2/subscribers',
      integrations: '/v1/integrations',
      variables: '/v1/environment-variables',
    }
    const path = Object.entries(paths).find(([name]) => name === kind)?.[1] ?? ''
    const from = await replay({}, at({ [path]: { status: 200, body: { a: 1 } } }))
    const { code, text } = await run(from, to, '--only', `${kind},layouts`)
    expect([code, text]).toEqual([1, expect.stringContaining(`${kind}: `)])
  })
})

test('a workflow that breaks the other service is left out by itself', async () => {
  const to = await h.environment()
  const workflows = ['a', 'b', 'c'].map((it) => workflow(it, [step('sms', 'sms', { body: 'B' })]))
  const from = await replay({ workflows }, at({ '/v2/workflows/b': { status: 501 } }))
  const { code, left } = await run(from, to, '--only', 'workflows')
  expect(left).toMatchObject([{ kind: 'workflows', name: 'b', why: expect.stringContaining('answers 501') }])
  expect([code, (await to.get('/v2/workflows')).body.totalCount]).toEqual([1, 2])
})

test('an integration without an identifier is made once', async () => {
  const to = await h.environment()
  const integrations = [
    integration('sendgrid', { identifier: undefined }),
    integration('twilio', { channel: 'sms', identifier: '', _id: undefined }),
  ]
  const from = await replay({ integrations })
  await run(from, to, '--only', 'integrations')
  const before = (await to.get('/v1/integrations')).body.length
  expect((await run(from, to, '--only', 'integrations')).text).toContain('Imported: 0 created, 0 changed.')
  expect((await to.get('/v1/integrations')).body).toHaveLength(before)
})

test('a topic that has a name only here keeps it, and is not different', async () => {
  const to = await h.environment()
  await to.post('/v2/topics', { key: 'news', name: 'News' })
  const from = await replay({ topics: [{ _id: 'a1', key: 'news' }] })
  const { code, said } = await run(from, to, '--only', 'topics', '--verify')
  expect([code, said.at(-1)]).toEqual([0, expect.stringContaining('is the same on both sides')])
})

describe('whatever answers instead of Tidings', () => {
  test.each([
    ['a page', '<html>'],
    ['nothing', '{}'],
    ['a list', '[]'],
  ])('%s is refused', async (_what, body) => {
    const url = await serve((_request, response) => response.writeHead(200).end(body))
    const from = await replay({ subscribers: [person('ada')] })
    await expect(run(from, { key: 'k' }, '--to', url)).rejects.toThrow(/[Cc]heck that it is|is it/)
  })

  test('fewer results than entries are none', async () => {
    const url = await serve((request, response) => {
      const body = request.method === 'GET' ? { _id: 'e', totalCount: 0 } : { subscribers: [] }
      response.writeHead(200).end(JSON.stringify(body))
    })
    const from = await replay({ subscribers: [person('ada')] })
    await expect(run(from, { key: 'k' }, '--to', url, '--only', 'subscribers')).rejects.toThrow(
      'answers 0 subscribers to 1',
    )
  })
})

describe('a key', () => {
  test('is never told, whatever the other service answers', async () => {
    const to = await h.environment()
    const body = { message: `\u001b[2J no ApiKey old-key, sorry ${'x'.repeat(280)} old-key` }
    const from = await replay({ subscribers: [person('ada')] }, at({ '/v2/contexts': { status: 400, body } }))
    const { text, left } = await run(from, to, '--only', 'contexts,subscribers')
    expect(text + JSON.stringify(left)).not.toContain('old-key')
    expect(text).not.toContain('\u001b')
    expect(text).toContain('(the key)')
  })

  test('that was given as the address is not told', async () => {
    const to = await h.environment()
    const from = await replay({})
    for (const option of ['--url', '--to']) {
      const error = await run(from, to, option, 'secret-1234').catch((it: Error) => it.message)
      expect(error).toMatch(/not a URL/)
      expect(error).not.toContain('secret-1234')
    }
  })

  test.each(['a\nb', 'ü€', ''])('that cannot be one is refused at once: %j', async (key) => {
    const from = await replay({})
    await expect(run(from, { key: 'k' }, '--key', key)).rejects.toThrow(/is no key|IMPORT_KEY/)
    expect(from.calls).toEqual([])
    await expect(run(from, { key })).rejects.toThrow(/is no key|TIDINGS_API_KEY/)
  })
})
