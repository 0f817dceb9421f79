import { beforeAll, describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { cursor, refused, spoken, time } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/**
 * The published client is our independent reader of the contract: it validates every reply against schemas of its own.
 * It must work with nothing changed but its server URL. Subscribers here, the rest in the files beside this one; a route
 * that belongs to none of them is asked for here.
 */
const h = useHarness()
let dialectUrl = ''

beforeAll(async () => {
  dialectUrl = (await h.node({ VENDOR_NAMES: 'novu' })).url
})

const id = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe.each(spoken)('@novu/api $version, $words: subscribers', ({ open, errors, operations, dialect }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start() {
    const env = await h.environment()
    return { env, client: open({ serverURL: dialect ? dialectUrl : h.url, secretKey: env.key, onSuccess }) }
  }

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
      (await client.subscribers.search({ ...filter, orderBy: 'subscriberId', orderDirection: 'ASC' })).result.data.map(
        (found) => found.subscriberId,
      )
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

  test('every operation of these was called above', () => {
    expect(notCalled('client.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})
