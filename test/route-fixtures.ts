import type { Client } from './harness.ts'

export type Fixture = {
  /** Makes what the route needs in this environment and says how to call it, so that it succeeds. */
  arrange(env: Client): Promise<Request>
  /**
   * What the path names in another environment is unknown here: 404, unless the route makes what it does not find, or
   * names nothing.
   */
  foreign: 'not found' | 'made' | 'nothing named'
}
export type Request = {
  path: string
  body?: unknown
  /** A different body that would succeed too: with a used idempotency key it must be refused. */
  otherBody?: unknown
  /** Bodies to refuse with 422, besides those that are not an object. */
  badBodies?: unknown[]
}

let counter = 0
/** Unlike every other of this run. */
export function unique(prefix: string): string {
  return `${prefix}-${process.pid}-${++counter}`
}

async function makeSubscriber(env: Client): Promise<string> {
  const subscriberId = unique('subscriber')
  await env.post('/v2/subscribers', { subscriberId, firstName: 'Ada', email: 'ada@example.com' })
  return subscriberId
}

async function makeTopic(env: Client): Promise<string> {
  const key = unique('topic')
  await env.post('/v2/topics', { key, name: 'News' })
  return key
}

async function makeMember(env: Client): Promise<{ key: string; subscriberId: string }> {
  const [key, subscriberId] = [await makeTopic(env), await makeSubscriber(env)]
  await env.post(`/v2/topics/${key}/subscriptions`, { subscriptions: [subscriberId] })
  return { key, subscriberId }
}

async function makeIntegration(env: Client): Promise<string> {
  const credentials = { apiKey: 'SG.fixture-secret-0001' }
  const made = await env.post('/v1/integrations', {
    providerId: 'sendgrid',
    channel: 'email',
    active: true,
    credentials,
  })
  return made.body._id
}

async function makeTenant(env: Client): Promise<string> {
  const identifier = unique('tenant')
  await env.post('/v1/tenants', { identifier, name: 'Acme' })
  return identifier
}

/** A valid body of PUT, and with a workflowId of POST. */
export const workflowBody = {
  name: 'Order shipped',
  steps: [{ name: 'In-app', type: 'in_app', controlValues: { body: 'Hello {{subscriber.firstName}}' } }],
}

async function makeWorkflow(env: Client): Promise<string> {
  const workflowId = unique('workflow')
  await env.post('/v2/workflows', { workflowId, ...workflowBody })
  return workflowId
}

/** Triggers a workflow and waits for what it makes: the file's harness must have a worker. */
async function makeMessage(env: Client): Promise<{ _id: string; _notificationId: string }> {
  const workflowId = unique('workflow')
  const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } }]
  await env.post('/v2/workflows', { workflowId, name: 'Hello', steps })
  const subscriberId = unique('subscriber')
  await env.post('/v1/events/trigger', { name: workflowId, to: subscriberId })
  for (let tries = 0; tries < 500; tries++) {
    const [message] = (await env.get(`/v1/messages?subscriberId=${subscriberId}`)).body.data
    if (message) return message
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('no message came')
}

const credentialsCall = async (env: Client): Promise<Request> => ({
  path: `/v1/subscribers/${await makeSubscriber(env)}/credentials`,
  body: { providerId: 'fcm', credentials: { deviceTokens: ['token-1'] } },
  otherBody: { providerId: 'fcm', credentials: { deviceTokens: ['token-2'] } },
  badBodies: [
    {},
    { providerId: 'fcm' },
    { providerId: 'sendgrid', credentials: {} },
    { providerId: 'fcm', credentials: { deviceTokens: 'x' } },
  ],
})

/** By route name. A route without one fails test/system.test.ts. */
export const fixtures: Record<string, Fixture> = {
  'subscribers-create': {
    foreign: 'nothing named',
    arrange: async () => {
      const subscriberId = unique('subscriber')
      return {
        path: '/v2/subscribers',
        body: { subscriberId, firstName: 'Ada' },
        otherBody: { subscriberId, firstName: 'Eve' },
        badBodies: [{}, { subscriberId: 7 }, { subscriberId: '' }, { subscriberId: 'a', email: 'nobody' }],
      }
    },
  },
  'subscribers-bulk': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/subscribers/bulk',
      body: { subscribers: [{ subscriberId: unique('subscriber') }] },
      otherBody: { subscribers: [{ subscriberId: unique('subscriber') }] },
      badBodies: [{}, { subscribers: [] }, { subscribers: 'all' }],
    }),
  },
  'subscribers-search': { foreign: 'nothing named', arrange: async () => ({ path: '/v2/subscribers' }) },
  'subscribers-get': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/subscribers/${await makeSubscriber(env)}` }),
  },
  'subscribers-export': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/subscribers/${await makeSubscriber(env)}/export` }),
  },
  'subscribers-update': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v2/subscribers/${await makeSubscriber(env)}`,
      body: { lastName: 'Lovelace' },
      otherBody: { lastName: 'Byron' },
      badBodies: [{ firstName: 1 }, { timezone: 'Mars/Olympus' }, { data: [] }],
    }),
  },
  'subscribers-delete': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/subscribers/${await makeSubscriber(env)}` }),
  },
  'subscribers-online-status': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v1/subscribers/${await makeSubscriber(env)}/online-status`,
      body: { isOnline: true },
      otherBody: { isOnline: false },
      badBodies: [{}, { isOnline: 'yes' }],
    }),
  },
  'subscribers-credentials-update': { foreign: 'not found', arrange: credentialsCall },
  'subscribers-credentials-append': { foreign: 'not found', arrange: credentialsCall },
  'subscribers-credentials-delete': {
    foreign: 'not found',
    arrange: async (env) => {
      const { path, body } = await credentialsCall(env)
      await env.put(path, body)
      return { path: `${path}/fcm` }
    },
  },
  'subscribers-subscriptions-list': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/subscribers/${(await makeMember(env)).subscriberId}/subscriptions` }),
  },
  'topics-create': {
    foreign: 'nothing named',
    arrange: async () => {
      const key = unique('topic')
      return {
        path: '/v2/topics',
        body: { key, name: 'News' },
        otherBody: { key, name: 'Sport' },
        badBodies: [{}, { key: '' }, { key: 'no blanks' }, { key: 'k', name: 1 }],
      }
    },
  },
  'topics-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v2/topics' }) },
  'topics-get': { foreign: 'not found', arrange: async (env) => ({ path: `/v2/topics/${await makeTopic(env)}` }) },
  'topics-update': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v2/topics/${await makeTopic(env)}`,
      body: { name: 'Sport' },
      otherBody: { name: 'Weather' },
      badBodies: [{ name: 5 }, { name: 'x'.repeat(101) }],
    }),
  },
  'topics-delete': { foreign: 'not found', arrange: async (env) => ({ path: `/v2/topics/${await makeTopic(env)}` }) },
  'topics-subscriptions-list': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/topics/${(await makeMember(env)).key}/subscriptions` }),
  },
  'topics-subscriptions-add': {
    // Clients subscribe people to topics nobody made before.
    foreign: 'made',
    arrange: async (env) => ({
      path: `/v2/topics/${await makeTopic(env)}/subscriptions`,
      body: { subscriptions: [await makeSubscriber(env)] },
      otherBody: { subscriptions: [await makeSubscriber(env)] },
      badBodies: [{}, { subscriptions: [] }, { subscriptions: [{}] }, { subscriptions: [1] }],
    }),
  },
  'topics-subscriptions-remove': {
    foreign: 'not found',
    arrange: async (env) => {
      const { key, subscriberId } = await makeMember(env)
      return {
        path: `/v2/topics/${key}/subscriptions`,
        body: { subscriptions: [subscriberId] },
        otherBody: { subscriptions: ['somebody-else'] },
        badBodies: [{}, { subscriberIds: [] }, { subscriptions: 'all' }],
      }
    },
  },
  'topics-subscriptions-get': {
    foreign: 'not found',
    arrange: async (env) => {
      const { key, subscriberId } = await makeMember(env)
      return { path: `/v2/topics/${key}/subscriptions/tk_${key}:si_${subscriberId}` }
    },
  },
  'topics-subscribers-get': {
    foreign: 'not found',
    arrange: async (env) => {
      const { key, subscriberId } = await makeMember(env)
      return { path: `/v1/topics/${key}/subscribers/${subscriberId}` }
    },
  },
  'integrations-create': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/integrations',
      body: { providerId: 'sendgrid', channel: 'email', name: unique('mail') },
      otherBody: { providerId: 'sendgrid', channel: 'email', name: unique('mail') },
      badBodies: [
        {},
        { providerId: 'sendgrid' },
        { providerId: 'sendgrid', channel: 'fax' },
        { providerId: 'sendgrid', channel: 'email', credentials: { port: 25 } },
      ],
    }),
  },
  'integrations-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/integrations' }) },
  'integrations-active': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/integrations/active' }) },
  'integrations-update': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v1/integrations/${await makeIntegration(env)}`,
      body: { name: 'Renamed' },
      otherBody: { name: 'Renamed again' },
      badBodies: [{ active: 'yes' }, { conditions: {} }, { credentials: { apiKey: null } }],
    }),
  },
  'integrations-delete': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/integrations/${await makeIntegration(env)}` }),
  },
  'integrations-set-primary': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/integrations/${await makeIntegration(env)}/set-primary` }),
  },
  'events-trigger': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/events/trigger',
      body: { name: 'hello', to: 'ada', transactionId: unique('t') },
      otherBody: { name: 'hello', to: 'eve' },
      badBodies: [{}, { name: 7 }, { name: 'hello', payload: [] }],
    }),
  },
  'events-trigger-bulk': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/events/trigger/bulk',
      body: { events: [{ name: 'hello', to: 'ada', transactionId: unique('t') }] },
      otherBody: { events: [{ name: 'hello', to: 'eve' }] },
      badBodies: [{}, { events: [] }, { events: {} }],
    }),
  },
  'events-trigger-broadcast': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/events/trigger/broadcast',
      body: { name: 'hello', transactionId: unique('t') },
      otherBody: { name: 'hello' },
      badBodies: [{}, { name: 7 }, { name: 'hello', overrides: 'all' }],
    }),
  },
  'events-cancel': {
    // Canceling what is unknown stops nothing, which is what was asked for.
    foreign: 'made',
    arrange: async () => ({ path: `/v1/events/trigger/${unique('t')}` }),
  },
  'messages-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/messages' }) },
  'messages-delete': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/messages/${(await makeMessage(env))._id}` }),
  },
  'notifications-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/notifications' }) },
  'notifications-get': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/notifications/${(await makeMessage(env))._notificationId}` }),
  },
  'subscribers-notifications-feed': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/subscribers/${await makeSubscriber(env)}/notifications/feed` }),
  },
  'tenants-create': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/tenants',
      body: { identifier: unique('tenant') },
      otherBody: { identifier: unique('tenant') },
      badBodies: [{}, { identifier: '' }, { identifier: 'a', data: 'b' }],
    }),
  },
  'tenants-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/tenants' }) },
  'tenants-get': { foreign: 'not found', arrange: async (env) => ({ path: `/v1/tenants/${await makeTenant(env)}` }) },
  'tenants-update': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v1/tenants/${await makeTenant(env)}`,
      body: { name: 'Umbrella' },
      otherBody: { name: 'Initech' },
      badBodies: [{ name: 1 }, { identifier: '' }],
    }),
  },
  'tenants-delete': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/tenants/${await makeTenant(env)}` }),
  },
  'workflows-create': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v2/workflows',
      body: { workflowId: unique('workflow'), ...workflowBody },
      otherBody: { workflowId: unique('workflow'), ...workflowBody },
      badBodies: [
        {},
        workflowBody,
        { ...workflowBody, workflowId: '' },
        { workflowId: 'a', name: 'A' },
        { ...workflowBody, workflowId: 'a', steps: [{ name: 'A', type: 'fax' }] },
      ],
    }),
  },
  'workflows-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v2/workflows' }) },
  'workflows-get': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/workflows/${await makeWorkflow(env)}` }),
  },
  'workflows-replace': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v2/workflows/${await makeWorkflow(env)}`,
      body: { ...workflowBody, name: 'Renamed' },
      otherBody: { ...workflowBody, name: 'Renamed again' },
      badBodies: [{}, { name: 'A' }, { ...workflowBody, steps: [{ name: 'A', type: 'sms', controlValues: {} }] }],
    }),
  },
  'workflows-patch': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v2/workflows/${await makeWorkflow(env)}`,
      body: { active: false },
      otherBody: { active: true },
      badBodies: [{ active: 'no' }, { name: '' }, { payloadSchema: { type: 'rock' } }],
    }),
  },
  'workflows-delete': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/workflows/${await makeWorkflow(env)}` }),
  },
}
