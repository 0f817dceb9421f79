import type { Route } from '../../../src/http/load-routes.ts'
import { isPlainObject } from '../../../src/lib/canonical-json.ts'
import type { Client } from '../../../test/harness.ts'
import { fixtures } from '../../../test/route-fixtures.ts'
import { clientOf } from '../../lib/http.ts'
import { at, listAt, textAt } from '../../lib/json.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { checkNothingShown, isOpenTo, strangersOf, type TenancyStage } from './stage.ts'

/** All reads of a stranger, with filters that would find what the owner has. */
export async function listsAndFilters(stage: TenancyStage): Promise<string> {
  const { routes, owner, strangers, world, nodes } = stage
  const faults = collectFaults()
  const [canary = ''] = owner.secrets
  const values = [
    canary,
    `${canary}@example.com`,
    `+49${canary}`,
    `${canary}topic`,
    ...Object.values(owner.ids),
    '%',
    '_',
    'a',
  ]
  let [asked, found] = [0, 0]
  for (const node of world.small ? nodes.slice(0, 1) : nodes) {
    for (const tenant of strangers) {
      const stranger = clientOf(node.url, tenant)
      for (const route of routes.filter((it) => it.method === 'GET' && it.kind === 'key')) {
        const fixture = fixtures[route.name]
        const own = fixture && isOpenTo(tenant, fixture) ? await fixture.arrange(stranger) : route
        const queries = [
          '',
          ...filtersOf(route).flatMap((name) => values.map((value) => `?${name}=${encodeURIComponent(value)}`)),
        ]
        for (const query of queries) {
          const reply = await stranger.get(own.path + query)
          asked++
          if (reply.status >= 500) faults.add(`${own.path}${query} → ${reply.status} ${reply.text}`)
          checkNothingShown(reply, `${own.path}${query}`, owner.secrets, faults)
          if (query.includes(canary) && listAt(reply.body, 'data').length > 0)
            faults.add(`${own.path}${query} finds ${reply.text}`)
          if (query.includes(canary) && Number(at(reply.body, 'totalCount') ?? 0) > 0)
            faults.add(`${own.path}${query} counts ${reply.text}`)
        }
      }
    }
  }
  const home = clientOf(nodes[0]?.url ?? '', owner.tenant)
  for (const query of [`email=${canary}`, `name=${canary}`, `phone=${canary}`])
    found += listAt((await home.get(`/v2/subscribers?${query}`)).body, 'data').length
  faults.end()
  expectEqual(found, 3, 'hits of the same filters for the owner')
  expectAtLeast(asked, world.small ? 100 : 400, 'requests')
  return `${asked} lists and filters of strangers: nothing of the owner shown or counted; the owner finds all`
}

function filtersOf(route: Route): string[] {
  const properties = at(route.query, 'properties')
  return isPlainObject(properties)
    ? Object.keys(properties).filter((name) => !['after', 'before', 'limit', 'page'].includes(name))
    : []
}

/** A place in the owner's list is no place in anybody else's. */
export async function foreignCursors(stage: TenancyStage): Promise<string> {
  const { owner, nodes } = stage
  const node = nodes[0]
  if (!node) throw new Error('there is a node')
  const home = clientOf(node.url, owner.tenant)
  const everybody = [home, ...strangersOf(stage)]
  // The same keys and people everywhere: the lists differ in nothing but whose they are.
  for (const client of everybody) await fillLists(client)
  const lists = [
    '/v2/subscribers',
    '/v2/topics',
    '/v2/topics/shared/subscriptions',
    '/v2/subscribers/shared-1/subscriptions',
  ]
  let [refused, taken] = [0, 0]
  for (const list of lists) {
    for (const order of ['', '&orderDirection=ASC', '&orderBy=createdAt']) {
      const first = (await home.get(`${list}?limit=1${order}`)).body
      const second = (await home.get(`${list}?limit=1${order}&after=${at(first, 'next')}`)).body
      const cursors = [textAt(first, 'next'), textAt(second, 'previous'), textAt(first, 'data', 0, '_id')]
      for (const side of ['after', 'before']) {
        for (const cursor of cursors) {
          expectThat(cursor !== '', `${list}?${order} gave no cursor to steal`)
          const path = `${list}?limit=1${order}&${side}=${cursor}`
          expectEqual((await home.get(path)).status, 200, `the owner's own cursor: ${path}`)
          taken++
          for (const stranger of strangersOf(stage)) {
            const reply = await stranger.get(path)
            expectEqual([reply.status, at(reply.body, 'code')], [400, 'invalid_cursor'], `a stranger at ${path}`)
            refused++
          }
          for (const other of lists.filter((it) => it !== list)) {
            if (cursor.length !== 36)
              expectEqual(
                (await home.get(`${other}?limit=1${order}&${side}=${cursor}`)).status,
                400,
                `a cursor of ${list} in ${other}`,
              )
          }
        }
      }
    }
  }
  return `${refused} times a stranger with the owner's cursor: 400; ${taken} times the owner: 200`
}

async function fillLists(client: Client): Promise<void> {
  const subscribers = [1, 2, 3].map((n) => ({ subscriberId: `shared-${n}` }))
  await client.post('/v1/subscribers/bulk', { subscribers })
  for (const key of ['shared', 'shared-b', 'shared-c'])
    await client.post(`/v2/topics/${key}/subscriptions`, { subscriptions: subscribers.map((it) => it.subscriberId) })
}
