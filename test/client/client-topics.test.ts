import { Novu as Newest } from '@novu/api-newest'
import { beforeAll, describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { cursor, refused, spoken, time } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** The published client, see client.test.ts: topics and who is in them. */
const h = useHarness()
let dialectUrl = ''

beforeAll(async () => {
  dialectUrl = (await h.node({ VENDOR_NAMES: 'novu' })).url
})

const id = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe.each(spoken)('@novu/api $version, $words: topics', ({ open, errors, operations, dialect }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start() {
    const env = await h.environment()
    return { env, client: open({ serverURL: dialect ? dialectUrl : h.url, secretKey: env.key, onSuccess }) }
  }

  test('create, create again, get, update, delete', async () => {
    const { client } = await start()
    const { result: created } = await client.topics.create({ key: 'news', name: 'News' })
    expect(created).toEqual({ id, key: 'news', name: 'News', createdAt: time, updatedAt: time })
    const { result: renamed } = await client.topics.create({ key: 'news', name: 'Latest' })
    expect(renamed).toEqual({ ...created, name: 'Latest', updatedAt: renamed.updatedAt })
    expect((await client.topics.get('news')).result).toEqual(renamed)
    const { result: updated } = await client.topics.update({ name: 'Newest' }, 'news')
    expect(updated).toMatchObject({ id: created.id, key: 'news', name: 'Newest' })

    const { result: nameless } = await client.topics.create({ key: 'plain' })
    expect(nameless).toEqual({ id, key: 'plain', createdAt: time, updatedAt: time })

    expect((await client.topics.delete('news')).result).toEqual({ acknowledged: true })
    await refused(client.topics.get('news'), errors.ErrorDto, 'topic_not_found')
  })

  test('failIfExists: the conflict holds the topic that exists', async () => {
    const { client } = await start()
    const { result: first } = await client.topics.create({ key: 'news', name: 'News' }, true)
    const again = client.topics.create({ key: 'news', name: 'Other' }, true)
    const conflict = await refused(again, errors.TopicResponseDto, 'topic_exists')
    expect(conflict.data$).toMatchObject(first)
  })

  test('list filters and walks forth and back', async () => {
    const { client } = await start()
    for (const key of ['a:1', 'a:2', 'a:3', 'b:1']) await client.topics.create({ key, name: `Topic ${key}` })
    const page = async (at: { after?: string; before?: string }) => {
      const { result } = await client.topics.list({
        ...at,
        key: 'a:',
        limit: 2,
        orderBy: 'key',
        orderDirection: 'ASC',
      })
      expect(result).toMatchObject({ totalCount: 3, totalCountCapped: false })
      return { ...result, keys: result.data.map((topic) => topic.key) }
    }
    const first = await page({})
    expect(first).toMatchObject({ keys: ['a:1', 'a:2'], previous: null })
    const last = await page({ after: cursor(first.next) })
    expect(last).toMatchObject({ keys: ['a:3'], next: null })
    expect((await page({ before: cursor(last.previous) })).keys).toEqual(['a:1', 'a:2'])
    const { result: named } = await client.topics.list({ name: 'b:1' })
    expect(named.data).toEqual([{ id, key: 'b:1', name: 'Topic b:1', createdAt: time, updatedAt: time }])
  })

  test('subscriptions are added and removed one by one, whoever is unknown', async () => {
    const { client } = await start()
    const { result: ann } = await client.subscribers.create({ subscriberId: 'ann', firstName: 'Ann' })
    await client.subscribers.create({ subscriberId: 'bob' })
    const { result: topic } = await client.topics.create({ key: 'news', name: 'News' })

    const subscriberIds = ['ann', 'bob', 'nobody']
    const { result: added } = await client.topics.subscriptions.create({ subscriberIds }, 'news')
    expect(added.meta).toEqual({ totalCount: 3, successful: 2, failed: 1 })
    expect(added.errors).toEqual([
      { subscriberId: 'nobody', code: 'SUBSCRIBER_NOT_FOUND', message: expect.stringContaining('nobody') },
    ])
    const member = { id: ann.id, subscriberId: 'ann', firstName: 'Ann', lastName: null, email: null, avatar: null }
    expect(added.data.map((made) => made.subscriber?.subscriberId)).toEqual(['ann', 'bob'])
    expect(added.data[0]).toMatchObject({
      topic: { id: topic.id, key: 'news', name: 'News' },
      subscriber: member,
      createdAt: time,
      updatedAt: time,
    })

    const { result: repeated } = await client.topics.subscriptions.create({ subscriberIds: ['ann'] }, 'news')
    expect(repeated).toMatchObject({ data: [{ id: added.data[0]?.id }], meta: { successful: 1, failed: 0 } })
    expect(repeated.errors).toBeUndefined()

    const { result: removed } = await client.topics.subscriptions.delete({ subscriberIds }, 'news')
    expect(removed.meta).toEqual({ totalCount: 3, successful: 2, failed: 1 })
    expect(removed.data.map((gone) => gone.id).toSorted()).toEqual(added.data.map((made) => made.id).toSorted())
    expect(removed.errors).toMatchObject([{ subscriberId: 'nobody', code: 'SUBSCRIPTION_NOT_FOUND' }])
    const { result: left } = await client.topics.subscriptions.list({ topicKey: 'news' })
    expect(left).toMatchObject({ data: [], next: null, previous: null, totalCount: 0 })
  })

  test('subscriptions to a topic that does not exist create it, even if all of them fail', async () => {
    const { client } = await start()
    const { result } = await client.topics.subscriptions.create({ subscriberIds: ['nobody'] }, 'fresh')
    expect(result).toMatchObject({ data: [], meta: { totalCount: 1, successful: 0, failed: 1 } })
    expect((await client.topics.get('fresh')).result.key).toBe('fresh')
  })

  test("a topic's subscribers and a subscriber's topics are listed and asked for", async () => {
    const { client, env } = await start()
    const { result: ann } = await client.subscribers.create({ subscriberId: 'ann', email: 'ann@example.com' })
    await client.subscribers.create({ subscriberId: 'bob' })
    await client.topics.subscriptions.create({ subscriberIds: ['ann', 'bob'] }, 'news')
    await client.topics.subscriptions.create({ subscriberIds: ['ann'] }, 'sport')

    const ofTopic = (query: { after?: string; subscriberId?: string }) =>
      client.topics.subscriptions.list({
        topicKey: 'news',
        limit: 1,
        orderDirection: 'ASC',
        orderBy: '_id',
        ...query,
      })
    const { result: first } = await ofTopic({})
    expect(first).toMatchObject({ totalCount: 2, data: [{ subscriber: { subscriberId: 'ann' } }] })
    const { result: second } = await ofTopic({ after: cursor(first.next) })
    expect(second).toMatchObject({ next: null, data: [{ subscriber: { subscriberId: 'bob' } }] })
    const { result: ofAnn } = await ofTopic({ subscriberId: 'ann' })
    expect(ofAnn.data).toEqual(first.data)

    const { result: topics } = await client.subscribers.topics.list({ subscriberId: 'ann' })
    expect(topics).toMatchObject({ totalCount: 2, data: [{ topic: { key: 'sport' } }, { topic: { key: 'news' } }] })
    const { result: onlyNews } = await client.subscribers.topics.list({ subscriberId: 'ann', key: 'news', limit: 5 })
    expect(onlyNews.data).toEqual(first.data)
    expect(onlyNews.data[0]).toMatchObject({
      id,
      createdAt: time,
      subscriber: { id: ann.id, email: 'ann@example.com' },
    })

    const { result: topic } = await client.topics.get('news')
    expect((await client.topics.subscribers.retrieve('ann', 'news')).result).toEqual({
      organizationId: env.organizationId,
      environmentId: env.environmentId,
      subscriberId: ann.id,
      topicId: topic.id,
      topicKey: 'news',
      externalSubscriberId: 'ann',
    })
    const notIn = client.topics.subscribers.retrieve('bob', 'sport')
    await refused(notIn, errors.ErrorDto, 'topic_subscription_not_found')
  })

  test('subscriptions are added as objects, listed, retrieved and removed by their identifiers', async () => {
    const { client } = await start()
    // Only the newest has them.
    if (!(client instanceof Newest)) return
    await client.subscribers.createBulk({ subscribers: [{ subscriberId: 'ann' }, { subscriberId: 'bob' }] })
    const identifier = 'tk_a:si_b:si_ann'
    const { result: added } = await client.topics.subscriptions.create(
      { subscriptions: [{ identifier, subscriberId: 'ann' }, 'bob'] },
      'a:si_b',
    )
    expect(added.data.map((made) => made.identifier)).toEqual([identifier, 'tk_a:si_b:si_bob'])
    const { result: listed } = await client.topics.subscriptions.list({ topicKey: 'a:si_b', subscriberId: 'ann' })
    expect(listed.data.map((made) => made.identifier)).toEqual([identifier])
    const { result: topics } = await client.subscribers.topics.list({ subscriberId: 'ann' })
    expect(topics.data.map((made) => made.identifier)).toEqual([identifier])

    const { result: one } = await client.topics.subscriptions.getSubscription('a:si_b', identifier)
    expect(one).toMatchObject({ id: added.data[0]?.id, identifier })
    const { result: changed } = await client.topics.subscriptions.update({
      topicKey: 'a:si_b',
      identifier,
      updateTopicSubscriptionRequestDto: { name: 'Mine' },
    })
    expect(changed).toMatchObject({ id: one.id, identifier, name: 'Mine', preferences: [] })
    const { result: removed } = await client.topics.subscriptions.delete(
      { subscriptions: [{ identifier }, { subscriberId: 'bob' }] },
      'a:si_b',
    )
    expect(removed).toMatchObject({ meta: { totalCount: 2, successful: 2, failed: 0 } })
    const gone = client.topics.subscriptions.getSubscription('a:si_b', identifier)
    await refused(gone, errors.ErrorDto, 'topic_subscription_not_found')
  })

  test('every operation of these was called above', () => {
    expect(notCalled('client-topics.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})
