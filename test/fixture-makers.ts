import type { Client } from './harness.ts'

export type Fixture = {
  /**
   * Makes what the route needs in this environment; returns a request that succeeds. `another`: an environment of another
   * organization, for routes of sessions.
   */
  arrange(env: Client, another?: () => Promise<Client>): Promise<Request>
  /**
   * The answer when the path names something of another environment: 404, unless the route creates it or names nothing.
   */
  foreign: 'not found' | 'made' | 'nothing named'
  /** Part of the body of a success, for routes whose status alone does not show it. */
  reply?: unknown
  /** The same for another environment that sends the same request. */
  foreignReply?: object
  /** Where the status does not follow from `foreign`: names in the body that another environment does not know. */
  foreignStatus?: 422 | 204 | 403 | 400
  /** Success needs a vendor that answers: what a call gets that is right in all else. */
  withoutVendor?: 400
  /** Needs waiting steps: the suite sets those of the environment to `delayed`. */
  needsWaitingSteps?: true
  /** Needs a key that reaches the whole organization: the suite makes the key of the environment such a one. */
  needsReach?: true
  /** For routes with a session: the status when nobody is signed in. */
  withoutSession?: 401 | 204
}
export type Request = {
  path: string
  body?: unknown
  /** For routes without a key: the headers of a good call. */
  headers?: Record<string, string>
  /** A different body that would succeed too: with a used idempotency key it must be refused. */
  otherBody?: unknown
  /** Bodies that get 422, besides those that are not an object. */
  badBodies?: unknown[]
}

let counter = 0
/** A name used only once in this run. */
export function unique(prefix: string): string {
  return `${prefix}-${process.pid}-${++counter}`
}

export async function makeSubscriber(env: Client): Promise<string> {
  const subscriberId = unique('subscriber')
  await env.post('/v2/subscribers', { subscriberId, firstName: 'Ada', email: 'ada@example.com' })
  return subscriberId
}

export async function makeTopic(env: Client): Promise<string> {
  const key = unique('topic')
  await env.post('/v2/topics', { key, name: 'News' })
  return key
}

export async function makeMember(env: Client): Promise<{ key: string; subscriberId: string }> {
  const [key, subscriberId] = [await makeTopic(env), await makeSubscriber(env)]
  await env.post(`/v2/topics/${key}/subscriptions`, { subscriptions: [subscriberId] })
  return { key, subscriberId }
}

export async function makeIntegration(env: Client): Promise<string> {
  const credentials = { apiKey: 'SG.fixture-secret-0001' }
  const made = await env.post('/v1/integrations', {
    providerId: 'sendgrid',
    channel: 'email',
    active: true,
    credentials,
  })
  return made.body._id
}

export async function makeTenant(env: Client): Promise<string> {
  const identifier = unique('tenant')
  await env.post('/v1/tenants', { identifier, name: 'Acme' })
  return identifier
}

export async function makeContext(env: Client): Promise<string> {
  const id = unique('acme')
  await env.post('/v2/contexts', { type: 'tenant', id, data: { plan: 'gold' } })
  return id
}

/** A variable of templates that is `one` in this environment. */
export async function makeVariable(env: Client): Promise<string> {
  const key = unique('KEY').replaceAll('-', '_')
  const values = [{ _environmentId: env.environmentId, value: 'one' }]
  await env.post('/v1/environment-variables', { key, values })
  return key
}

export async function makeLayout(env: Client): Promise<string> {
  const layoutId = unique('layout')
  await env.post('/v2/layouts', { layoutId, name: 'Brand' })
  return layoutId
}

/** A valid body of PUT, and with a workflowId of POST. */
export const workflowBody = {
  name: 'Order shipped',
  steps: [{ name: 'In-app', type: 'in_app', controlValues: { body: 'Hello {{subscriber.firstName}}' } }],
}

export async function makeWorkflow(env: Client): Promise<string> {
  const workflowId = unique('workflow')
  await env.post('/v2/workflows', { workflowId, ...workflowBody })
  return workflowId
}

/** Triggers a workflow and waits for its message: the file's harness must have a worker. */
export async function makeMessage(
  env: Client,
): Promise<{ _id: string; _notificationId: string; transactionId: string }> {
  const [name, subscriberId] = [await makeWorkflow(env), unique('subscriber')]
  await env.post('/v1/events/trigger', { name, to: subscriberId })
  for (let tries = 0; tries < 500; tries++) {
    const [message] = (await env.get(`/v1/messages?subscriberId=${subscriberId}`)).body.data
    if (message) return message
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('no message came')
}

export const credentialsCall = async (env: Client): Promise<Request> => ({
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

export type Item = { subscriberId: string; id: string; workflowId: string }

/** A message with a button in a feed: the file's harness must have a worker. */
export async function makeFeedItem(env: Client): Promise<Item> {
  const [workflowId, subscriberId] = [unique('workflow'), unique('subscriber')]
  const controlValues = { body: 'Hello', primaryAction: { label: 'Yes' } }
  await env.post('/v2/workflows', {
    workflowId,
    name: 'Hello',
    steps: [{ name: 'Inbox', type: 'in_app', controlValues }],
  })
  await env.post('/v1/events/trigger', { name: workflowId, to: subscriberId })
  for (let tries = 0; tries < 500; tries++) {
    const [message] = (await env.get(`/v1/messages?subscriberId=${subscriberId}`)).body.data
    if (message) return { subscriberId, id: message._id, workflowId }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('no message came')
}

export function ofItem(request: (item: Item) => Request): Fixture {
  return { foreign: 'not found', arrange: async (env) => request(await makeFeedItem(env)) }
}

export async function makeMailbox(env: Client): Promise<string> {
  const made = await env.post('/v1/integrations', { providerId: 'platform-email', channel: 'email' })
  return made.body._id
}

/** Another environment of the organization; the key must reach it. Things are published to it from this one. */
export async function makeSibling(env: Client): Promise<string> {
  const parentId = env.environmentId
  const made = await env.post('/v1/environments', { name: unique('Staging'), color: '#2563eb', parentId })
  return made.body._id
}

/** What was published to this environment: one workflow. */
export async function makePublication(env: Client): Promise<string> {
  const source = await makeSibling(env)
  await env.post(
    '/v2/workflows',
    { workflowId: unique('published'), ...workflowBody },
    { 'tidings-environment': source },
  )
  const { body } = await env.post(`/v2/environments/${env.environmentId}/publish`, { sourceEnvironmentId: source })
  return body.publicationId
}
