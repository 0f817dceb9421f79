import { Novu } from '@novu/api-newest'
import { ErrorDto, ValidationErrorDto } from '@novu/api-newest/models/errors/index.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { refused, time, versions } from './client-versions.ts'

/** What the published client makes of refusals and of built-in names, and what only its newest version asks for. */
const h = useHarness()

describe.each(versions)('@novu/api $version', ({ open, errors }) => {
  async function start(serverURL = h.url) {
    const env = await h.environment()
    return { env, client: open({ serverURL, secretKey: env.key }) }
  }

  describe('refusals are read as what they are', () => {
    test('401 with a wrong key and with none', async () => {
      const wrong = open({ serverURL: h.url, secretKey: 'td_wrong' })
      const error = await refused(wrong.subscribers.retrieve('ann'), errors.ErrorDto, 'unauthorized')
      expect(error).toMatchObject({ path: '/v2/subscribers/ann', timestamp: time, message: expect.any(String) })
      const keyless = open({ serverURL: h.url })
      await refused(keyless.topics.create({ key: 'news' }), errors.ErrorDto, 'unauthorized')
    })

    test('403 for the environment of another key', async () => {
      const { client } = await start()
      const { environmentId } = await h.environment()
      const foreign = client.integrations.create({ environmentId, providerId: 'fcm', channel: 'push' })
      await refused(foreign, errors.ErrorDto, 'environment_mismatch')
    })

    test('404 of whatever is not there', async () => {
      const { client } = await start()
      const { subscribers, topics } = client
      const providerId = 'slack'
      for (const call of [
        () => subscribers.retrieve('nobody'),
        () => subscribers.patch({ firstName: 'A' }, 'nobody'),
        () => subscribers.delete('nobody'),
        () => subscribers.credentials.update({ providerId, credentials: {} }, 'nobody'),
        () => subscribers.credentials.append({ providerId, credentials: {} }, 'nobody'),
        () => subscribers.credentials.delete('nobody', providerId),
        () => subscribers.properties.updateOnlineFlag({ isOnline: true }, 'nobody'),
        () => subscribers.topics.list({ subscriberId: 'nobody' }),
      ]) {
        await refused(call(), errors.ErrorDto, 'subscriber_not_found')
      }
      for (const call of [
        () => topics.get('none'),
        () => topics.update({ name: 'None' }, 'none'),
        () => topics.delete('none'),
        () => topics.subscriptions.list({ topicKey: 'none' }),
        () => topics.subscriptions.delete({ subscriberIds: ['nobody'] }, 'none'),
        () => topics.subscribers.retrieve('nobody', 'none'),
      ]) {
        await refused(call(), errors.ErrorDto, 'topic_not_found')
      }
      const unknown = crypto.randomUUID()
      await refused(client.integrations.delete(unknown), errors.ErrorDto, 'integration_not_found')
      // The client cannot read a 404 of these two, whatever the body.
      await refused(client.integrations.update({ name: 'A' }, unknown), errors.SDKError, 'integration_not_found')
      await refused(client.integrations.setAsPrimary(unknown), errors.SDKError, 'integration_not_found')
    })

    test('409 of a taken identifier, 400 of a primary that cannot be', async () => {
      const { client } = await start()
      const push = () => client.integrations.create({ identifier: 'push', providerId: 'fcm', channel: 'push' })
      const { result } = await push()
      await refused(push(), errors.ErrorDto, 'identifier_taken')
      await refused(client.integrations.setAsPrimary(String(result.id)), errors.ErrorDto, 'channel_without_primary')
    })

    test('413 of a body that is too large', async () => {
      const { client } = await start()
      const large = client.subscribers.create({ subscriberId: 'ann', data: { text: 'x'.repeat(2 ** 21) } })
      await refused(large, errors.ErrorDto, 'body_too_large')
    })

    test('422 names the fields, in bodies and in queries', async () => {
      const { client } = await start()
      const { subscribers, topics, integrations } = client
      const calls: [field: string, call: () => Promise<unknown>][] = [
        ['email', () => subscribers.create({ subscriberId: 'ann', email: 'not an address' })],
        ['subscriberId', () => subscribers.create({ subscriberId: '' })],
        ['timezone', () => subscribers.patch({ timezone: 'Mars/Base' }, 'ann')],
        ['subscribers', () => subscribers.createBulk({ subscribers: [] })],
        ['limit', () => subscribers.search({ limit: 0 })],
        ['orderBy', () => topics.list({ orderBy: 'nothing' })],
        ['key', () => topics.create({ key: 'not a key' })],
        ['name', () => topics.update({ name: 'n'.repeat(101) }, 'news')],
        ['subscriptions', () => topics.subscriptions.create({ subscriberIds: [] }, 'news')],
        ['topicKey', () => topics.subscriptions.create({ subscriberIds: ['ann'] }, 'not a key')],
        ['credentials.apiKey', () => integrations.create({ providerId: 'sendgrid', channel: 'email', active: true })],
        ['channel', () => integrations.create({ providerId: 'sendgrid', channel: 'sms' })],
      ]
      for (const [field, call] of calls) {
        const error = await refused(call(), errors.ValidationErrorDto, 'validation_failed')
        expect(error.errors[field]?.messages, field).toContainEqual(expect.any(String))
      }
      const mismatch = integrations.create({ providerId: 'sendgrid', channel: 'sms' })
      const { errors: faults } = await refused(mismatch, errors.ValidationErrorDto, 'validation_failed')
      expect(faults).toEqual({ channel: { messages: [expect.stringContaining('email')], value: 'sms' } })
    })
  })

  test("the caller's own idempotency key: done once, told twice, refused for another body", async () => {
    const { client } = await start()
    const create = (name: string) => client.topics.create({ key: 'news', name }, true, 'key-1')
    const first = await create('News')
    const second = await create('News')
    expect(second.result).toEqual(first.result)
    expect(first.headers['idempotency-replay']).toBeUndefined()
    expect(second.headers['idempotency-replay']).toEqual(['true'])
    const reused = await refused(create('Other'), errors.ValidationErrorDto, 'idempotency_key_reused')
    expect(reused.errors['idempotency-key']?.messages).toHaveLength(1)
  })

  describe('built-in providers', () => {
    let vendorUrl = ''
    beforeAll(async () => {
      vendorUrl = (await h.node({ VENDOR_NAMES: 'novu' })).url
    })

    test("by our names, integrations work; the subscriber channel is not known by the client's name", async () => {
      const { client } = await start()
      const { result } = await client.integrations.create({ providerId: 'platform-email', channel: 'email' })
      expect(result).toMatchObject({ providerId: 'platform-email', name: 'Platform Email' })
      await client.subscribers.create({ subscriberId: 'ann' })
      const named = client.subscribers.credentials.update({ providerId: 'novu-slack', credentials: {} }, 'ann')
      const error = await refused(named, errors.ValidationErrorDto, 'validation_failed')
      expect(error.errors).toMatchObject({ providerId: { messages: [expect.stringContaining('platform-slack')] } })
    })

    test("VENDOR_NAMES=novu: a subscriber's channel under the client's name, in every reply that shows it", async () => {
      const { client, env } = await start(vendorUrl)
      const slack = { providerId: 'novu-slack', credentials: { channel: '#ann' } } as const
      await client.subscribers.create({ subscriberId: 'ann' })
      const { result: set } = await client.subscribers.credentials.update(slack, 'ann')
      expect(set.channels).toMatchObject([slack])
      const { result: ann } = await client.subscribers.credentials.append(slack, 'ann')
      expect(ann.channels).toEqual(set.channels)
      expect((await client.subscribers.retrieve('ann')).result).toEqual(ann)
      expect((await client.subscribers.patch({}, 'ann')).result).toEqual(ann)
      expect((await client.subscribers.create({ subscriberId: 'ann' })).result).toEqual(ann)
      expect((await client.subscribers.search({})).result.data).toEqual([ann])
      const { result: online } = await client.subscribers.properties.updateOnlineFlag({ isOnline: true }, 'ann')
      expect(online.channels).toEqual(ann.channels)
      const again = client.subscribers.create({ subscriberId: 'ann' }, true)
      expect((await refused(again, errors.SubscriberResponseDto, 'subscriber_exists')).channels).toEqual(ann.channels)

      expect((await env.get('/v2/subscribers/ann')).body.channels).toMatchObject([{ providerId: 'platform-slack' }])
      await client.subscribers.credentials.delete('ann', 'novu-slack')
      expect((await client.subscribers.retrieve('ann')).result.channels).toEqual([])
    })

    test("VENDOR_NAMES=novu: integrations under the client's names, stored under ours", async () => {
      const { client, env } = await start(vendorUrl)
      const builtIn = [
        { providerId: 'novu', channel: 'in_app' },
        { providerId: 'novu-email', channel: 'email' },
        { providerId: 'novu-sms', channel: 'sms' },
        { providerId: 'novu-slack', channel: 'chat' },
      ] as const
      for (const integration of builtIn) {
        const { result } = await client.integrations.create({ ...integration, active: true })
        expect(result).toMatchObject({ ...integration, active: true })
      }
      const { result: listed } = await client.integrations.list()
      expect(listed).toMatchObject(builtIn)
      expect((await client.integrations.listActive()).result).toEqual(listed)
      const stored = (await env.get('/v1/integrations')).body
      expect(stored.map((integration: { providerId: string }) => integration.providerId)).toEqual([
        'platform',
        'platform-email',
        'platform-sms',
        'platform-slack',
      ])
      const email = String(listed[1]?.id)
      expect((await client.integrations.update({ name: 'Mail' }, email)).result.providerId).toBe('novu-email')
      expect((await client.integrations.setAsPrimary(email)).result.providerId).toBe('novu-email')
      const { result: left } = await client.integrations.delete(email)
      expect(left.map((integration) => integration.providerId)).toEqual(['novu', 'novu-sms', 'novu-slack'])
    })
  })
})

describe('only the newest', () => {
  async function startNewest() {
    const { key } = await h.environment()
    return new Novu({ serverURL: h.url, secretKey: key, retryConfig: { strategy: 'none' } })
  }

  test('an identifier of another topic removes nobody from this one', async () => {
    const client = await startNewest()
    await client.subscribers.create({ subscriberId: 'ann' })
    await client.topics.subscriptions.create({ subscriptions: ['ann'] }, 'news')
    const foreign = { subscriptions: [{ identifier: 'tk_sport:si_ann' }] }
    const { result } = await client.topics.subscriptions.delete(foreign, 'news')
    expect(result).toMatchObject({ data: [], meta: { successful: 0, failed: 1 } })
    expect((await client.topics.subscriptions.list({ topicKey: 'news' })).result.totalCount).toBe(1)
  })

  test('an empty change of a topic changes nothing', async () => {
    const client = await startNewest()
    const { result: topic } = await client.topics.create({ key: 'news', name: 'News' })
    expect((await client.topics.update({}, 'news')).result).toEqual(topic)
  })

  test('an integration without a provider, or of a channel we do not have, is refused', async () => {
    const client = await startNewest()
    const empty = await refused(client.integrations.create({}), ValidationErrorDto, 'validation_failed')
    expect(Object.keys(empty.errors).toSorted()).toEqual(['channel', 'providerId'])
    const tool = client.integrations.create({ providerId: 'sendgrid', channel: 'tool' })
    expect((await refused(tool, ValidationErrorDto, 'validation_failed')).errors).toHaveProperty('channel')
  })

  test('an operation we do not offer is a 404 that the client reads', async () => {
    const client = await startNewest()
    await refused(client.domains.list({}), ErrorDto, 'route_not_found')
  })
})
