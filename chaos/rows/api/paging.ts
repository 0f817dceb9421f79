import { send, type Tenant } from '../../lib/http.ts'
import { at, listAt, textAt } from '../../lib/json.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { type ApiStage, unique } from './stage.ts'

type List = { path: string; query: string }
type Walked = { pages: number; ids: string[] }

/** Walks while others insert and delete: who was there all the time is met exactly once, in both directions. */
export async function pagingUnderWrites(stage: ApiStage): Promise<string> {
  const { world } = stage
  const tenant = await world.tenant()
  const crowd = world.small ? 60 : 180
  const stay = await arrange(stage, tenant, crowd)

  const writers = startWriters(stage, tenant, stay.passing)
  let [pages, walks] = [0, 0]
  try {
    await inParallel(lists(world.small), 3, async (list) => {
      const limit = world.random.integer(3, 17)
      const expected =
        list.path === '/v2/topics' ? stay.topics : list.path === '/v2/subscribers' ? stay.people : stay.members
      const forward = await walk(stage, tenant, { ...list, limit, side: 'after' })
      check(forward, expected, `${list.path}?${list.query} forwards`)
      const backward = await walk(stage, tenant, { ...list, limit, side: 'before' })
      check(backward, expected, `${list.path}?${list.query} backwards`)
      pages += forward.pages + backward.pages
      walks += 2
    })
  } finally {
    await writers.stop()
  }
  const { inserted, deleted } = writers
  expectAtLeast(inserted(), world.small ? 10 : 200, 'inserts while walking')
  expectAtLeast(deleted(), world.small ? 10 : 100, 'deletes while walking')
  return `${walks} walks over ${pages} pages during ${inserted()} inserts and ${deleted()} deletes: nothing skipped or repeated`
}

function lists(small: boolean): List[] {
  const both = (path: string, columns: string[], filter = '') =>
    columns.flatMap((column) =>
      ['ASC', 'DESC'].map((way) => ({ path, query: `orderBy=${column}&orderDirection=${way}${filter}` })),
    )
  const all = [
    ...both('/v2/subscribers', ['_id', 'subscriberId']),
    ...both('/v2/subscribers', ['_id'], '&email=example.com'),
    // Too short for the index: the walk that looks at a bounded number of rows a page.
    ...both('/v2/subscribers', ['subscriberId'], '&name=St'),
    ...both('/v2/topics', ['_id', 'key']),
    ...both('/v2/topics/crowd/subscriptions', ['createdAt']),
  ]
  return small ? all.slice(0, 4) : all
}

type Crowd = { people: string[]; topics: string[]; members: string[]; passing: string[] }

/** Those who stay and those who will go, mixed, so that pages begin and end on both. */
async function arrange({ nodes, world }: ApiStage, tenant: Tenant, count: number): Promise<Crowd> {
  const names = world.random.shuffle(times(count, (i) => (i % 3 === 0 ? unique('pass') : unique('stay'))))
  const post = (path: string, body: unknown) => send(nodes[0].url, 'POST', path, { key: tenant.key, body })
  for (let i = 0; i < names.length; i += 20) {
    const batch = names.slice(i, i + 20)
    const subscribers = batch.map((subscriberId) => ({
      subscriberId,
      firstName: 'Stay',
      email: `${subscriberId}@example.com`,
    }))
    await post('/v1/subscribers/bulk', { subscribers })
    await post('/v2/topics/crowd/subscriptions', { subscriptions: batch })
  }
  await inParallel(names, 10, (key) => post('/v2/topics', { key, name: 'Stay' }))
  const ids = async (text: string) =>
    (await world.sql<{ id: string }>(text, [tenant.environmentId])).map((row) => row.id).sort()
  return {
    people: await ids(`select id from subscriber where environment_id = $1 and subscriber_id like 'stay%'`),
    topics: await ids(`select id from topic where environment_id = $1 and (key like 'stay%' or key = 'crowd')`),
    members: await ids(`select m.id from topic_subscription m join subscriber s on s.environment_id = m.environment_id
      and s.id = m.subscriber_id where m.environment_id = $1 and s.subscriber_id like 'stay%'`),
    passing: names.filter((name) => name.startsWith('pass')),
  }
}

/** Inserts before, between and after those who stay; deletes what was there and what came. */
function startWriters({ nodes, world }: ApiStage, tenant: Tenant, passing: readonly string[]) {
  let [running, inserted, deleted] = [true, 0, 0]
  const here = [...passing]
  const write = async (lane: number) => {
    const url = nodes[lane % 2 === 0 ? 0 : 1].url
    const call = (method: string, path: string, body?: unknown) => send(url, method, path, { key: tenant.key, body })
    while (running) {
      const name = unique(world.random.pick(['aaa', 'pass', 'st', 'stb', 'zzz']))
      await call('POST', '/v2/subscribers', { subscriberId: name, firstName: 'Stay', email: `${name}@example.com` })
      await call('POST', '/v2/topics', { key: name })
      await call('POST', '/v2/topics/crowd/subscriptions', { subscriptions: [name] })
      inserted += 3
      here.push(name)
      const [gone] = here.splice(world.random.integer(0, here.length - 1), 1)
      const replies = [await call('DELETE', `/v2/subscribers/${gone}`), await call('DELETE', `/v2/topics/${gone}`)]
      expectThat(
        replies.every((reply) => reply.status === 200),
        `deleting ${gone}: ${replies[0]?.text}`,
      )
      deleted += 3
    }
  }
  const lanes = Promise.all(times(4, write))
  lanes.catch(() => {})
  return {
    inserted: () => inserted,
    deleted: () => deleted,
    async stop() {
      running = false
      await lanes
    },
  }
}

type Way = List & { limit: number; side: 'after' | 'before' }

/** Forwards from the beginning by `next`; backwards from the very last row by `previous`. */
async function walk({ nodes, world }: ApiStage, tenant: Tenant, { path, query, limit, side }: Way): Promise<Walked> {
  const get = async (extra: string, pageLimit = limit) => {
    const url = nodes[world.random.integer(0, 1) === 0 ? 0 : 1].url
    const reply = await send(url, 'GET', `${path}?${query}&limit=${pageLimit}${extra}`, { key: tenant.key })
    if (!(pageLimit === limit && extra.includes('includeCursor') && at(reply.body, 'code') === 'invalid_cursor')) {
      expectEqual(reply.status, 200, reply.text)
    }
    return reply.body
  }
  const ids: string[] = []
  const onwards = side === 'after' ? 'next' : 'previous'
  // The end, entered by the id of the row that stands there: the first one of the opposite order.
  let page = side === 'after' ? await get('') : await lastPage(get, { path, query, tenant, url: nodes[0].url })
  let pages = 0
  for (;;) {
    pages++
    const seen = listAt(page, 'data').map((item) => textAt(item, '_id'))
    ids.push(...(side === 'after' ? seen : seen.reverse()))
    const cursor = at(page, onwards)
    if (typeof cursor !== 'string') return { pages, ids }
    expectThat(pages < 2_000, `${path}: the walk does not end`)
    page = await get(`&${side}=${encodeURIComponent(cursor)}`)
  }
}

async function lastPage(
  get: (extra: string) => Promise<unknown>,
  { path, query, tenant, url }: List & { tenant: Tenant; url: string },
): Promise<unknown> {
  const opposite = query.includes('=ASC') ? query.replace('=ASC', '=DESC') : query.replace('=DESC', '=ASC')
  for (;;) {
    const { body } = await send(url, 'GET', `${path}?${opposite}&limit=1`, { key: tenant.key })
    const last = textAt(body, 'data', 0, '_id')
    const page = await get(`&before=${last}&includeCursor=true`)
    // The row may be gone by the time we enter by it; then there is a new last one.
    if (at(page, 'data') !== undefined) return page
  }
}

function check({ ids }: Walked, expected: readonly string[], what: string): void {
  expectEqual(ids.length - new Set(ids).size, 0, `${what}: rows met twice`)
  const seen = new Set(ids)
  const missed = expected.filter((id) => !seen.has(id))
  expectEqual(missed.length, 0, `${what}: rows skipped of ${expected.length}`)
}
