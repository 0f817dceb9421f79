import { describe, expect, test } from 'vitest'
import type { StepFilter } from '../src/core/step-filter.ts'
import { cursor, refused, routesNotCalled, time, versions } from './client-versions.ts'
import { useHarness } from './harness.ts'

/**
 * The published client is our independent reader of the contract: it validates every reply against schemas of its own.
 * It must work with nothing changed but its server URL. One long file, because its last test asks whether every route
 * that the client can call was called; triggers and what comes of them are in client-pipeline.test.ts, workflows in
 * client-workflows.test.ts.
 */
const h = useHarness()

// Neither version has an operation for these; the last one is the newest's, in client-edges.test.ts.
const notInClient = /^(tenants-.*|subscribers-export|topics-subscriptions-get)$/
const inOtherFiles = /^(events-.*|messages-.*|notifications-.*|subscribers-notifications-feed|workflows-.*)$/

const id = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe.each(versions)('@novu/api $version', ({ open, errors }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start() {
    const env = await h.environment()
    return { env, client: open({ serverURL: h.url, secretKey: env.key, onSuccess }) }
  }

  describe('subscribers', () => {
    test('create, create again, retrieve, patch and delete', async () => {
      const { client, env } = await start()
      const profile = {
        subscriberId: 'ann',
        firstName: 'Ann',
        lastName: null,
        email: 'ann@example.com',
        phone: '+4912345',
        avatar: 'https://example.com/ann.png',
        locale: 'en-US',
        timezone: 'Europe/Berlin',
        data: { plan: 'pro', seats: 3, tags: ['a', 'b'] },
      }
      const { result: created } = await client.subscribers.create(profile)
      expect(created).toEqual({
        ...profile,
        id,
        channels: [],
        isOnline: null,
        lastOnlineAt: null,
        v: expect.any(Number),
        organizationId: env.organizationId,
        environmentId: env.environmentId,
        deleted: false,
        createdAt: time,
        updatedAt: time,
      })

      const { result: updated } = await client.subscribers.create({ subscriberId: 'ann', lastName: 'Lee', phone: null })
      expect(updated).toEqual({
        ...created,
        lastName: 'Lee',
        phone: null,
        v: Number(created.v) + 1,
        updatedAt: updated.updatedAt,
      })
      expect((await client.subscribers.retrieve('ann')).result).toEqual(updated)

      const { result: patched } = await client.subscribers.patch({ firstName: 'Anna', data: null }, 'ann')
      expect(patched).toMatchObject({ id: created.id, firstName: 'Anna', lastName: 'Lee', data: null })
      expect((await client.subscribers.patch({}, 'ann')).result).toEqual(patched)

      const { result: deleted } = await client.subscribers.delete('ann')
      expect(deleted).toEqual({ acknowledged: true, status: 'deleted' })
      await refused(client.subscribers.retrieve('ann'), errors.ErrorDto, 'subscriber_not_found')
    })

    test('failIfExists: the conflict holds the subscriber that exists', async () => {
      const { client } = await start()
      const { result: first } = await client.subscribers.create({ subscriberId: 'ann', firstName: 'Ann' }, true)
      const again = client.subscribers.create({ subscriberId: 'ann', firstName: 'Bob' }, true)
      const conflict = await refused(again, errors.SubscriberResponseDto, 'subscriber_exists')
      expect(conflict.data$).toMatchObject(first)
      expect((await client.subscribers.retrieve('ann')).result.firstName).toBe('Ann')
    })

    test('createBulk tells the created, the updated and the failed apart', async () => {
      const { client } = await start()
      await client.subscribers.create({ subscriberId: 'old' })
      const { result } = await client.subscribers.createBulk({
        subscribers: [
          { subscriberId: 'new', firstName: 'New', data: { a: 1 } },
          { subscriberId: 'old', lastName: null, email: 'old@example.com' },
          { subscriberId: 'bad', email: 'not an address' },
        ],
      })
      expect(result).toEqual({
        created: [{ subscriberId: 'new' }],
        updated: [{ subscriberId: 'old' }],
        failed: [{ subscriberId: 'bad', message: expect.stringContaining('email') }],
      })
    })

    test('search by every filter', async () => {
      const { client } = await start()
      await client.subscribers.createBulk({
        subscribers: [
          { subscriberId: 'ann', firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com', phone: '+49111' },
          { subscriberId: 'bob', firstName: 'Bob', lastName: 'Lee', email: 'bob@example.org', phone: '+49222' },
        ],
      })
      const idsFound = async (filter: Parameters<typeof client.subscribers.search>[0]) =>
        (
          await client.subscribers.search({ ...filter, orderBy: 'subscriberId', orderDirection: 'ASC' })
        ).result.data.map((found) => found.subscriberId)
      expect(await idsFound({})).toEqual(['ann', 'bob'])
      expect(await idsFound({ email: 'example.org' })).toEqual(['bob'])
      expect(await idsFound({ name: 'Ann Lee' })).toEqual(['ann'])
      expect(await idsFound({ name: 'Lee' })).toEqual(['ann', 'bob'])
      expect(await idsFound({ phone: '+49222' })).toEqual(['bob'])
      expect(await idsFound({ subscriberId: 'ann' })).toEqual(['ann'])
      expect(await idsFound({ name: 'Lee', email: 'ann@', phone: '111', subscriberId: 'ann' })).toEqual(['ann'])
      expect(await idsFound({ subscriberId: 'an' })).toEqual([])
    })

    test('search walks forth and back by its cursors', async () => {
      const { client } = await start()
      const subscriberIds = ['a', 'b', 'c', 'd', 'e']
      await client.subscribers.createBulk({ subscribers: subscriberIds.map((subscriberId) => ({ subscriberId })) })
      const page = async (at: { after?: string; before?: string; includeCursor?: boolean }) => {
        const { result } = await client.subscribers.search({ ...at, limit: 2, orderBy: 'subscriberId' })
        expect(result).toMatchObject({ totalCount: 5, totalCountCapped: false })
        return { ...result, ids: result.data.map((found) => found.subscriberId) }
      }
      const first = await page({})
      expect(first).toMatchObject({ ids: ['e', 'd'], previous: null })
      const second = await page({ after: cursor(first.next) })
      expect(second.ids).toEqual(['c', 'b'])
      const last = await page({ after: cursor(second.next) })
      expect(last).toMatchObject({ ids: ['a'], next: null })
      expect((await page({ before: cursor(last.previous) })).ids).toEqual(['c', 'b'])
      expect((await page({ before: cursor(second.previous) })).ids).toEqual(['e', 'd'])
      expect((await page({ after: cursor(first.next), includeCursor: true })).ids).toEqual(['d', 'c'])
      await refused(page({ after: 'forged' }), errors.ErrorDto, 'invalid_cursor')
    })

    test('credentials update, append and delete', async () => {
      const { client } = await start()
      await client.subscribers.create({ subscriberId: 'ann' })
      const integrationIdentifier = 'firebase-cloud-messaging'
      const { result: push } = await client.subscribers.credentials.update(
        { providerId: 'fcm', credentials: { deviceTokens: ['t1'] } },
        'ann',
      )
      const fcm = push.channels?.[0]
      expect(push.channels).toEqual([
        { providerId: 'fcm', integrationIdentifier, integrationId: id, credentials: { deviceTokens: ['t1'] } },
      ])
      const { result: appended } = await client.subscribers.credentials.append(
        { providerId: 'fcm', integrationIdentifier, credentials: { deviceTokens: ['t2', 't1'] } },
        'ann',
      )
      expect(appended.channels).toEqual([{ ...fcm, credentials: { deviceTokens: ['t1', 't2'] } }])

      const slack = {
        webhookUrl: 'https://hooks.example.com/ann',
        channel: '#ann',
        title: 'Ann',
        imageUrl: 'https://example.com/ann.png',
        alertUid: 'a1',
        state: 'ok',
        externalUrl: 'https://example.com',
      }
      const { result: chat } = await client.subscribers.credentials.update(
        { providerId: 'slack', credentials: slack },
        'ann',
      )
      expect(chat.channels).toHaveLength(2)
      expect(chat.channels).toContainEqual(expect.objectContaining({ providerId: 'slack', credentials: slack }))

      expect(await client.subscribers.credentials.delete('ann', 'fcm')).toMatchObject({ headers: expect.any(Object) })
      const { result: left } = await client.subscribers.retrieve('ann')
      expect(left.channels?.map((channel) => channel.providerId)).toEqual(['slack'])
      await refused(client.subscribers.credentials.delete('ann', 'fcm'), errors.ErrorDto, 'channel_not_found')
    })

    test('updateOnlineFlag answers with the whole subscriber', async () => {
      const { client } = await start()
      await client.subscribers.create({ subscriberId: 'ann', firstName: 'Ann' })
      const { result: online } = await client.subscribers.properties.updateOnlineFlag({ isOnline: true }, 'ann')
      expect(online).toMatchObject({ subscriberId: 'ann', firstName: 'Ann', isOnline: true })
      const { result: gone } = await client.subscribers.properties.updateOnlineFlag({ isOnline: false }, 'ann')
      expect(gone).toMatchObject({ isOnline: false, lastOnlineAt: time })
    })

    test('an id of any characters is found by the path the client makes of it', async () => {
      const { client } = await start()
      const subscriberId = 'Zoë/ä b+c?d#e%2F:f@example.com'
      await client.subscribers.create({ subscriberId })
      expect((await client.subscribers.retrieve(subscriberId)).result).toMatchObject({ subscriberId })
      expect((await client.subscribers.search({ subscriberId })).result.data).toHaveLength(1)
      await client.topics.subscriptions.create({ subscriberIds: [subscriberId] }, 'team@example.com')
      const { result: member } = await client.topics.subscribers.retrieve(subscriberId, 'team@example.com')
      expect(member).toMatchObject({ externalSubscriberId: subscriberId, topicKey: 'team@example.com' })
    })
  })

  describe('topics', () => {
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
  })

  describe('integrations', () => {
    const vips: StepFilter[] = [
      {
        isNegated: false,
        type: 'GROUP',
        value: 'AND',
        children: [{ field: 'vip', value: 'true', operator: 'EQUAL', on: 'payload' }],
      },
    ]

    test('create and update echo what was sent; lists mask it', async () => {
      const { client, env } = await start()
      const { result: created } = await client.integrations.create({
        name: 'SMTP',
        identifier: 'smtp',
        environmentId: env.environmentId,
        providerId: 'nodemailer',
        channel: 'email',
        credentials: {
          host: 'smtp.example.com',
          port: '587',
          user: 'me',
          password: 'a long password',
          secure: false,
          tlsOptions: {},
        },
        active: true,
        check: false,
        conditions: vips,
        configurations: {},
      })
      expect(created).toEqual({
        id,
        environmentId: env.environmentId,
        organizationId: env.organizationId,
        name: 'SMTP',
        identifier: 'smtp',
        providerId: 'nodemailer',
        channel: 'email',
        credentials: {
          host: 'smtp.example.com',
          port: '587',
          user: 'me',
          password: 'a long password',
          secure: false,
        },
        configurations: {},
        active: true,
        deleted: false,
        primary: true,
        conditions: vips,
      })

      const change = { name: 'Mail', credentials: { user: 'you', tlsOptions: {} }, configurations: {}, conditions: [] }
      const { result: updated } = await client.integrations.update(change, String(created.id))
      expect(updated).toEqual({
        ...created,
        name: 'Mail',
        conditions: [],
        credentials: { ...created.credentials, user: 'you', password: '••••word' },
      })
      expect((await client.integrations.list()).result).toEqual([updated])
    })

    test('the least that can be sent is enough', async () => {
      const { client } = await start()
      const { result } = await client.integrations.create({ providerId: 'twilio', channel: 'sms' })
      expect(result).toMatchObject({ name: 'Twilio', credentials: {}, active: false, primary: false, conditions: [] })
    })

    test('setAsPrimary, listActive and delete', async () => {
      const { client } = await start()
      const sendgrid = (name: string) =>
        client.integrations.create({
          name,
          providerId: 'sendgrid',
          channel: 'email',
          credentials: { apiKey: `SG.${name}.0123456789` },
          active: true,
        })
      const { result: first } = await sendgrid('First')
      const { result: second } = await sendgrid('Second')
      await client.integrations.create({ providerId: 'fcm', channel: 'push' })
      expect([first.primary, second.primary]).toEqual([true, false])

      const { result: primary } = await client.integrations.setAsPrimary(String(second.id))
      expect(primary).toMatchObject({ id: second.id, primary: true, credentials: { apiKey: '••••6789' } })
      const { result: active } = await client.integrations.listActive()
      expect(active.map(({ id, primary }) => ({ id, primary }))).toEqual([
        { id: first.id, primary: false },
        { id: second.id, primary: true },
      ])

      const { result: remaining } = await client.integrations.delete(String(second.id))
      expect(remaining.map(({ id, primary, deleted }) => ({ id, primary, deleted }))).toEqual([
        { id: first.id, primary: true, deleted: false },
        { id, primary: false, deleted: false },
      ])
      await refused(client.integrations.delete(String(second.id)), errors.ErrorDto, 'integration_not_found')
    })
  })

  test('every route the client can call was called above', () => {
    const own = h.routes.filter(({ name }) => !notInClient.test(name) && !inOtherFiles.test(name))
    expect(routesNotCalled(own, succeeded)).toEqual([])
  })
})
