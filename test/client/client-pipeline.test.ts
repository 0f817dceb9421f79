import { describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { makeWorkflow } from '../pipeline.ts'
import { refused, time, versions } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** Triggers and what comes of them, through the published client: it judges every reply by schemas of its own. */
const h = useHarness({ VENDOR_NAMES: 'novu' }, { worker: true })

const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
const processed = { acknowledged: true, status: 'processed', transactionId: expect.any(String) }

const steps = [
  {
    name: 'Inbox',
    type: 'in_app',
    controlValues: {
      subject: 'Order {{payload.orderId}}',
      body: 'Hello {{subscriber.firstName}}',
      avatar: 'https://example.com/shop.png',
      primaryAction: { label: 'Track', redirect: { url: '/orders/{{payload.orderId}}', target: '_blank' } },
      secondaryAction: { label: 'Later' },
      redirect: { url: '/orders', target: '_self' },
      data: { orderId: '{{payload.orderId}}' },
    },
  },
  { name: 'Mail', type: 'email', controlValues: { subject: 'Shipped', body: '<p>On its way</p>' } },
]
const payloadSchema = { type: 'object', properties: { orderId: { type: 'string' } } }

describe.each(versions)('@novu/api $version', ({ open, errors, operations }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start() {
    const env = await h.environment()
    const client = open({ serverURL: h.url, secretKey: env.key, onSuccess })
    await makeWorkflow(env, 'shipped', {
      steps,
      payloadSchema,
      tags: ['orders'],
      severity: 'high',
      description: 'Sent',
    })
    return { env, client }
  }

  test('triggerBulk: one result for each event, in order', async () => {
    const { client } = await start()
    await client.topics.create({ key: 'news' })
    const { result } = await client.triggerBulk({
      events: [
        { workflowId: 'shipped', to: [{ subscriberId: 'ann', firstName: 'Ann' }], payload: { orderId: '1' } },
        { workflowId: 'unknown', to: 'ann' },
        { workflowId: 'shipped', to: [] },
        { workflowId: 'shipped', to: { type: 'Topic', topicKey: 'news' }, transactionId: 't-4' },
        { workflowId: 'shipped', to: 'ann', payload: { orderId: 7 } },
        { workflowId: 'shipped', to: 'ann', tenant: 'nobody' },
      ],
    })
    expect(result).toEqual([
      processed,
      { acknowledged: true, status: 'error', error: ['workflow_not_found'] },
      { acknowledged: true, status: 'invalid_recipients', error: [expect.any(String)] },
      { ...processed, transactionId: 't-4' },
      { acknowledged: true, status: 'error', error: [expect.stringContaining('orderId')] },
      { acknowledged: true, status: 'no_tenant_found' },
    ])
    const tooMany = Array.from({ length: 101 }, () => ({ workflowId: 'shipped', to: 'ann' }))
    await refused(client.triggerBulk({ events: tooMany }), errors.ValidationErrorDto, 'validation_failed')
  })

  test('a misspelt workflow, a wrong payload and a taken transactionId throw; other results do not', async () => {
    const { client } = await start()
    const event = { to: 'ann', payload: { orderId: '1' } }
    const invalid = [errors.ValidationErrorDto, 'validation_failed'] as const
    const misspelt = await refused(client.trigger({ ...event, workflowId: 'shiped' }), ...invalid)
    expect(JSON.parse(misspelt.body)).toMatchObject({ status: 'error', error: ['workflow_not_found'] })
    expect(Object.keys(misspelt.errors)).toEqual(['name'])
    await refused(client.triggerBroadcast({ name: 'shiped', payload: {} }), ...invalid)
    await refused(client.trigger({ ...event, workflowId: 'shipped', payload: { orderId: 7 } }), ...invalid)
    await client.trigger({ ...event, workflowId: 'shipped', transactionId: 't-1' })
    const other = { workflowId: 'shipped', transactionId: 't-1', to: 'bob' }
    await refused(client.trigger(other), errors.ErrorDto, 'transaction_id_conflict')
    const { result } = await client.trigger({ ...event, workflowId: 'shipped', tenant: 'nobody' })
    expect(result).toEqual({ acknowledged: true, status: 'no_tenant_found' })
  })

  test('trigger with all it can say, and triggerBroadcast', async () => {
    const { client } = await start()
    await client.subscribers.createBulk({ subscribers: [{ subscriberId: 'bob' }, { subscriberId: 'eve' }] })
    const { result } = await client.trigger({
      workflowId: 'shipped',
      to: ['ann', { subscriberId: 'bob', firstName: 'Bob', email: 'bob@example.com', data: { plan: 'pro' } }],
      payload: { orderId: '1' },
      overrides: { providers: { sendgrid: { categories: ['x'] } } },
      transactionId: 't-1',
      actor: { subscriberId: 'shop', avatar: 'https://example.com/a.png' },
      context: { project: 'p1', team: { id: 't1', data: { size: 3 } } },
    })
    expect(result).toEqual({ ...processed, transactionId: 't-1' })
    await h.drain()
    const { result: everybody } = await client.triggerBroadcast({ name: 'shipped', payload: { orderId: '2' } })
    expect(everybody).toEqual(processed)
    await h.drain()
    const { result: messages } = await client.messages.retrieve({ transactionId: [String(everybody.transactionId)] })
    expect(messages.data.map((it) => it.subscriber?.subscriberId).toSorted()).toEqual(['ann', 'bob', 'eve', 'shop'])
    const { result: first } = await client.messages.retrieve({ contextKeys: ['team:t1', 'project:p1'] })
    expect(first.data).toHaveLength(2)
    expect(first.data[0]).toMatchObject({ transactionId: 't-1', contextKeys: ['project:p1', 'team:t1'] })
  })

  test('the feed', async () => {
    const { client, env } = await start()
    const to = { subscriberId: 'ann', firstName: 'Ann', lastName: 'Lee', avatar: 'https://example.com/ann.png' }
    const payload = { orderId: '1', nested: { a: [1, 2] } }
    await client.trigger({ workflowId: 'shipped', to, payload, transactionId: 't-1', actor: 'ann' })
    await h.drain()
    const { result: feed } = await client.subscribers.notifications.feed({
      subscriberId: 'ann',
      page: 0,
      limit: 5,
      read: false,
      seen: false,
      payload: Buffer.from('{"orderId":"1"}').toString('base64'),
    })
    expect(feed).toMatchObject({ hasMore: false, page: 0, pageSize: 5, totalCount: 1 })
    expect(feed.data).toHaveLength(1)
    expect(feed.data[0]).toMatchObject({
      id,
      environmentId: env.environmentId,
      organizationId: env.organizationId,
      transactionId: 't-1',
      templateIdentifier: 'shipped',
      providerId: 'novu',
      subject: 'Order 1',
      content: 'Hello Ann',
      channel: 'in_app',
      status: 'sent',
      read: false,
      seen: false,
      actor: { type: 'system_custom', data: 'https://example.com/shop.png' },
      subscriber: { subscriberId: 'ann', firstName: 'Ann', lastName: 'Lee' },
      cta: {
        type: 'redirect',
        data: { url: '/orders' },
        action: {
          status: 'pending',
          buttons: [
            { type: 'primary', content: 'Track' },
            { type: 'secondary', content: 'Later' },
          ],
        },
      },
      payload,
      data: { orderId: '1' },
      tags: ['orders'],
    })
    const nobody = client.subscribers.notifications.feed({ subscriberId: 'nobody' })
    await refused(nobody, errors.ErrorDto, 'subscriber_not_found')
  })

  test('the messages, with subscriber and workflow; one is deleted', async () => {
    const { client } = await start()
    await client.trigger({ workflowId: 'shipped', to: 'ann', payload: { orderId: '1' }, transactionId: 't-1' })
    await h.drain()
    const { result } = await client.messages.retrieve({ channel: 'in_app', subscriberId: 'ann', page: 0, limit: 10 })
    expect(result).toMatchObject({ hasMore: false, page: 0, pageSize: 10, totalCount: 1 })
    const [message] = result.data
    expect(message).toMatchObject({
      id,
      createdAt: time,
      deliveredAt: [time],
      transactionId: 't-1',
      templateIdentifier: 'shipped',
      providerId: 'novu',
      channel: 'in_app',
      status: 'sent',
      subject: 'Order 1',
      content: 'Hello ',
      subscriber: { subscriberId: 'ann' },
      template: {
        name: 'shipped',
        description: 'Sent',
        tags: ['orders'],
        deleted: false,
        deletedAt: '',
        triggers: [{ type: 'event', identifier: 'shipped', variables: [{ name: 'orderId' }] }],
      },
    })
    expect(message?.template?.steps.map((step) => step.name)).toEqual(['Inbox', 'Mail'])
    const deleted = await client.messages.delete(String(message?.id))
    expect(deleted.result).toEqual({ acknowledged: true, status: 'deleted' })
    expect((await client.messages.retrieve({})).result.data).toEqual([])
    await refused(client.messages.delete(String(message?.id)), errors.ErrorDto, 'message_not_found')
  })

  test('the events, and one of them', async () => {
    const { client, env } = await start()
    await client.subscribers.create({ subscriberId: 'ann', email: 'ann@example.com' })
    await client.topics.subscriptions.create({ subscriberIds: ['ann'] }, 'news')
    const to = { type: 'Topic', topicKey: 'news' } as const
    await client.trigger({
      workflowId: 'shipped',
      to,
      payload: { orderId: '1' },
      transactionId: 't-1',
      context: { team: 't1' },
    })
    await h.drain()
    const { result: list } = await client.notifications.list({
      channels: ['in_app'],
      emails: ['ann@example.com'],
      subscriberIds: ['ann', 'bob'],
      severity: ['high'],
      search: 't-1',
      transactionId: 't-1',
      topicKey: 'news',
      contextKeys: ['team:t1'],
      after: new Date(Date.now() - 60_000).toISOString(),
      before: new Date(Date.now() + 60_000).toISOString(),
      page: 0,
      limit: 50,
    })
    expect(list).toMatchObject({ hasMore: false, page: 0, pageSize: 50 })
    expect(list.data).toHaveLength(1)
    const event = list.data[0]
    expect(event).toMatchObject({
      id,
      environmentId: env.environmentId,
      transactionId: 't-1',
      createdAt: time,
      channels: ['in_app', 'email'],
      subscriber: { subscriberId: 'ann', email: 'ann@example.com' },
      template: { name: 'shipped', origin: 'novu-cloud' },
      payload: { orderId: '1' },
      topics: [{ topicKey: 'news' }],
      severity: 'high',
      contextKeys: ['team:t1'],
    })
    const byTemplate = await client.notifications.list({ templates: [String(event?.templateId)] })
    expect(byTemplate.result.data).toEqual(list.data)

    const { result: one } = await client.notifications.retrieve(String(event?.id))
    expect(one).toEqual(event)
    expect(one.jobs?.map(({ type, status, providerId }) => ({ type, status, providerId }))).toEqual([
      { type: 'in_app', status: 'completed', providerId: 'novu' },
      { type: 'email', status: 'failed', providerId: 'novu' },
    ])
    expect(one.jobs?.[0]?.executionDetails.map((it) => [it.status, it.providerId])).toEqual([
      ['Queued', undefined],
      ['Success', 'novu'],
      ['Success', undefined],
      ['Success', 'novu'],
    ])
    const unknown = client.notifications.retrieve(crypto.randomUUID())
    await refused(unknown, errors.ErrorDto, 'notification_not_found')
  })

  test('cancel: whether anything was stopped', async () => {
    const { env, client } = await start()
    const delay = { name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'days' } }
    await makeWorkflow(env, 'later', { steps: [delay, ...steps] })
    await client.trigger({ workflowId: 'later', to: 'ann', transactionId: 'later-1' })
    await h.drain()
    expect((await client.cancel('later-1')).result).toBe(true)
    expect((await client.cancel('later-1')).result).toBe(false)
  })

  test('every operation of these was called above', () => {
    expect(notCalled('client-pipeline.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})
