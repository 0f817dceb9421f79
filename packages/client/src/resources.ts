import type { Body, CallOptions, QueryOf, Request } from './request.ts'

/** The common operations under short names. Whatever is missing here goes through `request`. */
export function resources(request: Request) {
  return {
    subscribers: subscribers(request),
    topics: topics(request),
    workflows: workflows(request),
    integrations: integrations(request),
    notifications: notifications(request),
    messages: messages(request),
  }
}

function subscribers(request: Request) {
  const one = '/v2/subscribers/{subscriberId}'
  return {
    list: (query: QueryOf<'GET /v2/subscribers'> = {}) => request('GET /v2/subscribers', { query }),
    get: (subscriberId: string) => request(`GET ${one}`, { path: { subscriberId } }),
    /** Creates or updates, unless `failIfExists`. */
    create: (body: Body<'POST /v2/subscribers'>, query: QueryOf<'POST /v2/subscribers'> = {}, options?: CallOptions) =>
      request('POST /v2/subscribers', { body, query, ...options }),
    /** Creates or updates up to 500. */
    createMany: (subscribers: Body<'POST /v2/subscribers'>[], options?: CallOptions) =>
      request('POST /v1/subscribers/bulk', { body: { subscribers }, ...options }),
    update: (subscriberId: string, body: Body<`PATCH ${typeof one}`>) =>
      request(`PATCH ${one}`, { path: { subscriberId }, body }),
    delete: (subscriberId: string) => request(`DELETE ${one}`, { path: { subscriberId } }),
    preferences: (subscriberId: string, query: QueryOf<`GET ${typeof one}/preferences`> = {}) =>
      request(`GET ${one}/preferences`, { path: { subscriberId }, query }),
    setPreferences: (subscriberId: string, body: Body<`PATCH ${typeof one}/preferences`>) =>
      request(`PATCH ${one}/preferences`, { path: { subscriberId }, body }),
    /** Device tokens and webhook addresses for push and chat, in place of those before. */
    setCredentials: (subscriberId: string, body: Body<'PUT /v1/subscribers/{subscriberId}/credentials'>) =>
      request('PUT /v1/subscribers/{subscriberId}/credentials', { path: { subscriberId }, body }),
    /** What stands in the inbox. */
    notifications: (subscriberId: string, query: QueryOf<`GET ${typeof one}/notifications`> = {}) =>
      request(`GET ${one}/notifications`, { path: { subscriberId }, query }),
  }
}

function topics(request: Request) {
  const one = '/v2/topics/{topicKey}'
  return {
    list: (query: QueryOf<'GET /v2/topics'> = {}) => request('GET /v2/topics', { query }),
    get: (topicKey: string) => request(`GET ${one}`, { path: { topicKey } }),
    /** Creates or updates, unless `failIfExists`. */
    create: (body: Body<'POST /v2/topics'>, query: QueryOf<'POST /v2/topics'> = {}, options?: CallOptions) =>
      request('POST /v2/topics', { body, query, ...options }),
    update: (topicKey: string, body: Body<`PATCH ${typeof one}`>) =>
      request(`PATCH ${one}`, { path: { topicKey }, body }),
    delete: (topicKey: string) => request(`DELETE ${one}`, { path: { topicKey } }),
    subscriptions: (topicKey: string, query: QueryOf<`GET ${typeof one}/subscriptions`> = {}) =>
      request(`GET ${one}/subscriptions`, { path: { topicKey }, query }),
    /** Up to 100 people by their subscriberId. The topic is made if it is new. */
    subscribe: (topicKey: string, subscriptions: string[], options?: CallOptions) =>
      request(`POST ${one}/subscriptions`, { path: { topicKey }, body: { subscriptions }, ...options }),
    unsubscribe: (topicKey: string, subscriptions: string[]) =>
      request(`DELETE ${one}/subscriptions`, { path: { topicKey }, body: { subscriptions } }),
  }
}

function workflows(request: Request) {
  const one = '/v2/workflows/{workflowId}'
  return {
    list: (query: QueryOf<'GET /v2/workflows'> = {}) => request('GET /v2/workflows', { query }),
    get: (workflowId: string) => request(`GET ${one}`, { path: { workflowId } }),
    create: (body: Body<'POST /v2/workflows'>, options?: CallOptions) =>
      request('POST /v2/workflows', { body, ...options }),
    /** Changes what is given. */
    update: (workflowId: string, body: Body<`PATCH ${typeof one}`>) =>
      request(`PATCH ${one}`, { path: { workflowId }, body }),
    /** Puts this in place of the whole workflow. */
    replace: (workflowId: string, body: Body<`PUT ${typeof one}`>) =>
      request(`PUT ${one}`, { path: { workflowId }, body }),
    delete: (workflowId: string) => request(`DELETE ${one}`, { path: { workflowId } }),
  }
}

function integrations(request: Request) {
  const one = '/v1/integrations/{integrationId}'
  return {
    list: () => request('GET /v1/integrations'),
    create: (body: Body<'POST /v1/integrations'>, options?: CallOptions) =>
      request('POST /v1/integrations', { body, ...options }),
    update: (integrationId: string, body: Body<`PUT ${typeof one}`>) =>
      request(`PUT ${one}`, { path: { integrationId }, body }),
    delete: (integrationId: string) => request(`DELETE ${one}`, { path: { integrationId } }),
    setPrimary: (integrationId: string) => request(`POST ${one}/set-primary`, { path: { integrationId } }),
    /** Sends a real message, and shows what the provider answered. */
    test: (integrationId: string, body: Body<`POST ${typeof one}/test`>) =>
      request(`POST ${one}/test`, { path: { integrationId }, body }),
  }
}

/** What became of each event. */
function notifications(request: Request) {
  const one = '/v1/notifications/{notificationId}'
  return {
    list: (query: QueryOf<'GET /v1/notifications'> = {}) => request('GET /v1/notifications', { query }),
    get: (notificationId: string) => request(`GET ${one}`, { path: { notificationId } }),
    messages: async (notificationId: string) =>
      (await request(`GET ${one}/messages`, { path: { notificationId } })).data,
  }
}

function messages(request: Request) {
  return {
    list: (query: QueryOf<'GET /v1/messages'> = {}) => request('GET /v1/messages', { query }),
    delete: (messageId: string) => request('DELETE /v1/messages/{messageId}', { path: { messageId } }),
  }
}
