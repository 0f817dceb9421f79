import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { loadRoutes } from '../src/http/load-routes.ts'
import { type Client, useHarness } from './harness.ts'

/** Spec sections 2 and 8, copied by hand from the specification's text: the source must agree with it, not with itself. */
const h = useHarness()
const routes = await loadRoutes()
const exists = (method: string, path: string) => routes.some((route) => route.method === method && route.path === path)

const channels = ['in_app', 'email', 'sms', 'chat', 'push']
const channelProviders = [
  ...['slack', 'discord', 'msteams', 'mattermost', 'ryver', 'zulip', 'grafana-on-call', 'getstream', 'rocket-chat'],
  ...['whatsapp-business', 'chat-webhook', 'platform-slack', 'fcm', 'apns', 'expo', 'one-signal', 'pushpad'],
  ...['push-webhook', 'pusher-beams', 'appio'],
]
const filterTypes = ['BOOLEAN', 'TEXT', 'DATE', 'NUMBER', 'STATEMENT', 'LIST', 'MULTI_LIST', 'GROUP']
const filterValues = ['AND', 'OR']
const operators = [
  ...['LARGER', 'SMALLER', 'LARGER_EQUAL', 'SMALLER_EQUAL', 'EQUAL', 'NOT_EQUAL', 'ALL_IN', 'ANY_IN', 'NOT_IN'],
  ...['BETWEEN', 'NOT_BETWEEN', 'LIKE', 'NOT_LIKE', 'IN'],
]
const filterOn = ['subscriber', 'payload']
const orderDirections = ['ASC', 'DESC']

/** Near misses of an enumeration: other case, blanks, nothing, other types, and words of related lists. */
function pastThe(values: string[], ...related: unknown[]): unknown[] {
  const [first = ''] = values
  const otherCase = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()
  return [otherCase, ` ${first}`, `${first} `, '', 'constructor', 0, true, null, [first], {}, ...related]
}

describe('enumerations of section 2: every value is taken and shown, anything past it is 422', () => {
  type Take = { send: (env: Client, value: unknown) => ReturnType<Client['post']>; shown: (body: never) => unknown }
  const condition = (place: 'type' | 'value' | 'operator' | 'on', method: 'post' | 'put'): Take => ({
    send: async (env, value) => {
      const child = { field: 'f', value: 'v', operator: 'EQUAL', on: 'payload' }
      const filter =
        place === 'type' || place === 'value' ? { [place]: value } : { children: [{ ...child, [place]: value }] }
      const integration = { providerId: 'slack', channel: 'chat' }
      if (method === 'post') return env.post('/v1/integrations', { ...integration, conditions: [filter] })
      const made = await env.post('/v1/integrations', integration)
      return env.put(`/v1/integrations/${made.body._id}`, { conditions: [filter] })
    },
    shown: (body: { conditions: [Record<string, unknown> & { children: Record<string, unknown>[] }] }) =>
      place === 'type' || place === 'value' ? body.conditions[0][place] : body.conditions[0].children[0]?.[place],
  })
  const enumerations: [string, string[], Take, unknown[]][] = [
    [
      'channel of an integration (2.4)',
      channels,
      {
        send: (env, channel) => env.post('/v1/integrations', { providerId: 'outside-the-catalogue', channel }),
        shown: (body: { channel: string }) => body.channel,
      },
      ['inapp', 'in-app', 'webhook', 'digest', 'trigger'],
    ],
    [
      'provider of channel credentials (2.2)',
      channelProviders,
      {
        send: async (env, providerId) => {
          await env.post('/v2/subscribers', { subscriberId: 'ada' })
          return env.put('/v1/subscribers/ada/credentials', { providerId, credentials: {} })
        },
        shown: (body: { channels: { providerId: string }[] }) => body.channels.at(-1)?.providerId,
      },
      ['sendgrid', 'twilio', 'platform', 'platform-email', 'platform-sms', 'email-webhook', 'novu-slack'],
    ],
    ['type of a condition (2.6)', filterTypes, condition('type', 'post'), ['STRING', 'MULTILIST']],
    ['type of a condition, on update', filterTypes, condition('type', 'put'), ['STRING']],
    ['value of a condition (2.6)', filterValues, condition('value', 'post'), ['XOR', 'NOT']],
    ['value of a condition, on update', filterValues, condition('value', 'put'), ['XOR']],
    ['operator of a condition (2.6)', operators, condition('operator', 'post'), ['EQUALS', 'NOT_ALL_IN', '=']],
    ['operator of a condition, on update', operators, condition('operator', 'put'), ['EQUALS']],
    ['on of a condition (2.6)', filterOn, condition('on', 'post'), ['tenant', 'webhook', 'subscribers']],
    ['on of a condition, on update', filterOn, condition('on', 'put'), ['tenant']],
  ]

  test.each(enumerations)('%s', async (_name, values, { send, shown }, related) => {
    for (const value of values) {
      const reply = await send(await h.environment(), value)
      expect([200, 201], `${value}: ${reply.text}`).toContain(reply.status)
      expect(shown(reply.body as never)).toBe(value)
    }
    const env = await h.environment()
    for (const value of pastThe(values, ...related)) {
      expect((await send(env, value)).status, JSON.stringify(value)).toBe(422)
    }
  })
})

/** The cursor lists of 4.0, each with something to list. */
async function cursorLists(): Promise<{ env: Client; paths: string[] }> {
  const env = await h.environment()
  await env.post('/v2/subscribers', { subscriberId: 'ada' })
  await env.post('/v2/topics', { key: 'news' })
  await env.post('/v2/topics/news/subscriptions', { subscriptions: ['ada'] })
  const own = exists('GET', '/v2/subscribers/{subscriberId}/subscriptions') ? ['/v2/subscribers/ada/subscriptions'] : []
  return { env, paths: ['/v2/subscribers', '/v2/topics', '/v2/topics/news/subscriptions', ...own] }
}

describe('cursor lists (4.0, 4.5, 4.6, 4.10)', () => {
  test('orderDirection: ASC and DESC, nothing else', async () => {
    const { env, paths } = await cursorLists()
    for (const path of paths) {
      for (const direction of orderDirections) {
        expect((await env.get(`${path}?orderDirection=${direction}`)).status, path).toBe(200)
      }
      for (const direction of ['asc', 'desc', 'Asc', '1', '-1', 'RANDOM', 'ASC%20', 'ASC;']) {
        expect((await env.get(`${path}?orderDirection=${direction}`)).status, path + direction).toBe(422)
      }
    }
  })

  test('limit: 1 to 100 for topics and topic subscriptions (8); subscribers, which 8 does not name, to 1000', async () => {
    const { env, paths } = await cursorLists()
    for (const path of paths) {
      const most = path === '/v2/subscribers' ? 1000 : 100
      for (const limit of [1, most]) {
        const reply = await env.get(`${path}?limit=${limit}`)
        expect(reply.status, `${path} ${limit}`).toBe(200)
        expect(reply.body.data.length).toBe(1)
      }
      for (const limit of [0, most + 1, -1, 1e9]) {
        const reply = await env.get(`${path}?limit=${limit}`)
        expect(reply.status, `${path} ${limit}`).toBe(422)
        expect(Object.keys(reply.body.errors)).toEqual(['limit'])
      }
    }
  })

  test('totalCount counts to 50,000; one more and totalCountCapped is true (8)', async () => {
    const env = await h.environment()
    const id = sql`('01890000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
    const numbers = (from: number, to: number) => sql`generate_series(${sql.lit(from)}, ${sql.lit(to)}) n`
    const fill = async (from: number, to: number) => {
      await sql`insert into topic (environment_id, id, key, updated_at)
        select ${env.environmentId}, ${id}, 't' || n, now() from ${numbers(from, to)}`.execute(h.admin)
      await sql`insert into subscriber (environment_id, id, subscriber_id, updated_at)
        select ${env.environmentId}, ${id}, 's' || n, now() from ${numbers(from, to)}`.execute(h.admin)
      await sql`insert into topic_subscription (environment_id, topic_id, id, subscriber_id)
        select ${env.environmentId}, '01890000-0000-7000-8000-000000000001', ${id}, ${id} from ${numbers(from, to)}`.execute(
        h.admin,
      )
    }
    const counts = () =>
      Promise.all(
        ['/v2/topics', '/v2/subscribers', '/v2/topics/t1/subscriptions'].map(async (path) => {
          const { totalCount, totalCountCapped, data } = (await env.get(path)).body
          return [totalCount, totalCountCapped, data.length]
        }),
      )
    await fill(1, 49_999)
    // As autovacuum would: without statistics the planner takes these tables for empty ones.
    await sql`analyze topic, subscriber, topic_subscription`.execute(h.admin)
    expect(await counts()).toEqual(Array(3).fill([49_999, false, 10]))
    await fill(50_000, 50_000)
    expect(await counts()).toEqual(Array(3).fill([50_000, false, 10]))
    await fill(50_001, 50_001)
    expect(await counts()).toEqual(Array(3).fill([50_000, true, 10]))
  })
})

describe('topics (4.11)', () => {
  const mail = (length: number) => `${'a'.repeat(60)}@${'b'.repeat(length - 60 - 1 - 12)}.example.com`
  test.each<[string, unknown, number]>([
    ['1 character', 'k', 200],
    ['100 characters', 'k'.repeat(100), 200],
    ['every character allowed', 'azAZ09-_:', 200],
    ['an e-mail address', 'ada+news@example.com', 200],
    ['an e-mail address of 100 characters', mail(100), 200],
    ['nothing', '', 422],
    ['101 characters', 'k'.repeat(101), 422],
    ['an e-mail address of 101 characters', mail(101), 422],
    ['a blank', 'a b', 422],
    ['a slash', 'a/b', 422],
    ['a dot', 'a.b', 422],
    ['a letter of another alphabet', 'ä', 422],
    ['a line break at the end', 'a\n', 422],
    ['a number', 1, 422],
    ['null', null, 422],
    ['no key', undefined, 422],
  ])('key: %s', async (_name, key, status) => {
    const env = await h.environment()
    const reply = await env.post('/v2/topics', { key })
    expect(reply.status).toBe(status)
    if (status === 200) expect(reply.body.key).toBe(key)
    else expect(Object.keys(reply.body.errors)).toEqual(['key'])
  })

  test.each([
    ['0 characters', 0, 200],
    ['1 character', 1, 200],
    ['100 characters', 100, 200],
    ['101 characters', 101, 422],
  ])('name: %s, on create and on update', async (_name, length, status) => {
    const env = await h.environment()
    await env.post('/v2/topics', { key: 'b' })
    // Characters, not bytes and not halves of pairs.
    for (const letter of ['x', 'ü', '🙂']) {
      const name = letter.repeat(length)
      expect((await env.post('/v2/topics', { key: 'a', name })).status, letter).toBe(status)
      expect((await env.patch('/v2/topics/b', { name })).status, letter).toBe(status)
    }
  })
})

describe.runIf(exists('POST', '/v1/events/trigger/bulk'))('bulk trigger (4.13)', () => {
  test.each([
    [1, 201],
    [100, 201],
    [0, 422],
    [101, 422],
  ])('%i events: %i', async (count, status) => {
    const env = await h.environment()
    const events = Array.from({ length: count }, () => ({ name: 'unknown', to: 'ada' }))
    const reply = await env.post('/v1/events/trigger/bulk', { events })
    expect(reply.status).toBe(status)
    if (status === 201) expect(reply.body).toHaveLength(count)
  })
})

const pageLists: [string, string, number, number][] = [
  ['feed (4.4)', '/v1/subscribers/{subscriberId}/notifications/feed', 1, 100],
  ['messages (4.12)', '/v1/messages', 1, 1000],
  ['events (4.14)', '/v1/notifications', 1, 50],
]
describe.each(pageLists.filter(([, path]) => exists('GET', path)))('%s', (_name, template, least, most) => {
  test('page from 0, limit 10 unless told, both within their bounds', async () => {
    const env = await h.environment()
    await env.post('/v2/subscribers', { subscriberId: 'ada' })
    const path = template.replace('{subscriberId}', 'ada')
    expect((await env.get(path)).body).toMatchObject({ data: [], page: 0, pageSize: 10, hasMore: false })
    for (const query of [`limit=${least}`, `limit=${most}`, 'page=0', 'page=999999999999999999999']) {
      expect((await env.get(`${path}?${query}`)).status, query).toBe(200)
    }
    for (const query of [`limit=${least - 1}`, `limit=${most + 1}`, 'page=-1', 'page=a']) {
      expect((await env.get(`${path}?${query}`)).status, query).toBe(422)
    }
  })
})

describe.runIf(exists('GET', '/v1/messages'))('channel of the messages list (4.12)', () => {
  test('is one of five', async () => {
    const env = await h.environment()
    for (const channel of channels) expect((await env.get(`/v1/messages?channel=${channel}`)).status).toBe(200)
    for (const channel of ['fax', 'EMAIL', 'digest']) {
      expect((await env.get(`/v1/messages?channel=${channel}`)).status, channel).toBe(422)
    }
  })
})
