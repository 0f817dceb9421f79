import type * as Api from './api-types.ts'
import type { CallOptions, Request } from './request.ts'

export interface Subscribers {
  list(query?: Api.ListSubscribers): Promise<Api.SubscriberPage>
  get(subscriberId: string): Promise<Api.Subscriber>
  /** Creates a subscriber, or updates an existing one unless `failIfExists` is set. */
  create(
    subscriber: Api.CreateSubscriber,
    query?: Api.CreateSubscriberOptions,
    options?: CallOptions,
  ): Promise<Api.Subscriber>
  /** Creates or updates up to 500 subscribers. */
  createMany(subscribers: Api.CreateSubscriber[], options?: CallOptions): Promise<Api.CreateSubscribersResult>
  update(subscriberId: string, changes: Api.UpdateSubscriber, options?: CallOptions): Promise<Api.Subscriber>
  delete(subscriberId: string, options?: CallOptions): Promise<Api.DeleteResult>
  preferences(subscriberId: string, query?: Api.ListSubscriberPreferences): Promise<Api.SubscriberPreferences>
  setPreferences(
    subscriberId: string,
    preferences: Api.UpdateSubscriberPreferences,
    options?: CallOptions,
  ): Promise<Api.SubscriberPreferences>
  /** Replaces the device tokens or webhook addresses that a push or chat provider needs. */
  setCredentials(
    subscriberId: string,
    credentials: Api.SetSubscriberCredentials,
    options?: CallOptions,
  ): Promise<Api.Subscriber>
  /** Lists the notifications in the subscriber's inbox. */
  notifications(subscriberId: string, query?: Api.ListSubscriberNotifications): Promise<Api.SubscriberNotificationPage>
}

export interface Topics {
  list(query?: Api.ListTopics): Promise<Api.TopicPage>
  get(topicKey: string): Promise<Api.Topic>
  /** Creates a topic, or updates an existing one unless `failIfExists` is set. */
  create(topic: Api.CreateTopic, query?: Api.CreateTopicOptions, options?: CallOptions): Promise<Api.Topic>
  update(topicKey: string, changes: Api.UpdateTopic, options?: CallOptions): Promise<Api.Topic>
  delete(topicKey: string, options?: CallOptions): Promise<Api.DeleteTopicResult>
  subscriptions(topicKey: string, query?: Api.ListTopicSubscriptions): Promise<Api.TopicSubscriptionPage>
  /** Subscribes up to 100 subscribers. A topic that does not exist is created. */
  subscribe(topicKey: string, subscriberIds: string[], options?: CallOptions): Promise<Api.SubscribeResult>
  unsubscribe(topicKey: string, subscriberIds: string[], options?: CallOptions): Promise<Api.UnsubscribeResult>
}

export interface Workflows {
  list(query?: Api.ListWorkflows): Promise<Api.WorkflowPage>
  get(workflowId: string): Promise<Api.Workflow>
  create(workflow: Api.CreateWorkflow, options?: CallOptions): Promise<Api.Workflow>
  /** Changes only the given properties. */
  update(workflowId: string, changes: Api.UpdateWorkflow, options?: CallOptions): Promise<Api.Workflow>
  /** Replaces the whole workflow. */
  replace(workflowId: string, workflow: Api.ReplaceWorkflow, options?: CallOptions): Promise<Api.Workflow>
  delete(workflowId: string, options?: CallOptions): Promise<void>
}

export interface Integrations {
  list(): Promise<Api.Integration[]>
  create(integration: Api.CreateIntegration, options?: CallOptions): Promise<Api.Integration>
  update(integrationId: string, changes: Api.UpdateIntegration, options?: CallOptions): Promise<Api.Integration>
  /** Deletes an integration and returns those that are left. */
  delete(integrationId: string, options?: CallOptions): Promise<Api.Integration[]>
  setPrimary(integrationId: string, options?: CallOptions): Promise<Api.Integration>
  /** Sends a real message and returns what the provider answered. */
  test(integrationId: string, message: Api.TestIntegration, options?: CallOptions): Promise<Api.IntegrationTest>
}

export interface Notifications {
  /** Lists events with their steps and results. */
  list(query?: Api.ListActivities): Promise<Api.ActivityPage>
  get(notificationId: string): Promise<Api.Activity>
  /** Lists the messages of one event as they were sent. */
  messages(notificationId: string): Promise<Api.SentMessage[]>
}

export interface Messages {
  list(query?: Api.ListMessages): Promise<Api.MessagePage>
  delete(messageId: string, options?: CallOptions): Promise<Api.DeleteResult>
}

/** The common operations under short names. All other operations go through `request`. */
export interface Resources {
  subscribers: Subscribers
  topics: Topics
  workflows: Workflows
  integrations: Integrations
  notifications: Notifications
  messages: Messages
}

export function createResources(request: Request): Resources {
  return {
    subscribers: subscribers(request),
    topics: topics(request),
    workflows: workflows(request),
    integrations: integrations(request),
    notifications: notifications(request),
    messages: messages(request),
  }
}

function subscribers(request: Request): Subscribers {
  const one = '/v2/subscribers/{subscriberId}'
  return {
    list: (query = {}) => request('GET /v2/subscribers', { query }),
    get: (subscriberId) => request(`GET ${one}`, { path: { subscriberId } }),
    create: (body, query = {}, options) => request('POST /v2/subscribers', { body, query, ...options }),
    createMany: (subscribers, options) => request('POST /v1/subscribers/bulk', { body: { subscribers }, ...options }),
    update: (subscriberId, body, options) => request(`PATCH ${one}`, { path: { subscriberId }, body, ...options }),
    delete: (subscriberId, options) => request(`DELETE ${one}`, { path: { subscriberId }, ...options }),
    preferences: (subscriberId, query = {}) => request(`GET ${one}/preferences`, { path: { subscriberId }, query }),
    setPreferences: (subscriberId, body, options) =>
      request(`PATCH ${one}/preferences`, { path: { subscriberId }, body, ...options }),
    setCredentials: (subscriberId, body, options) =>
      request('PUT /v1/subscribers/{subscriberId}/credentials', { path: { subscriberId }, body, ...options }),
    notifications: (subscriberId, query = {}) => request(`GET ${one}/notifications`, { path: { subscriberId }, query }),
  }
}

function topics(request: Request): Topics {
  const one = '/v2/topics/{topicKey}'
  return {
    list: (query = {}) => request('GET /v2/topics', { query }),
    get: (topicKey) => request(`GET ${one}`, { path: { topicKey } }),
    create: (body, query = {}, options) => request('POST /v2/topics', { body, query, ...options }),
    update: (topicKey, body, options) => request(`PATCH ${one}`, { path: { topicKey }, body, ...options }),
    delete: (topicKey, options) => request(`DELETE ${one}`, { path: { topicKey }, ...options }),
    subscriptions: (topicKey, query = {}) => request(`GET ${one}/subscriptions`, { path: { topicKey }, query }),
    subscribe: (topicKey, subscriptions, options) =>
      request(`POST ${one}/subscriptions`, { path: { topicKey }, body: { subscriptions }, ...options }),
    unsubscribe: (topicKey, subscriptions, options) =>
      request(`DELETE ${one}/subscriptions`, { path: { topicKey }, body: { subscriptions }, ...options }),
  }
}

function workflows(request: Request): Workflows {
  const one = '/v2/workflows/{workflowId}'
  return {
    list: (query = {}) => request('GET /v2/workflows', { query }),
    get: (workflowId) => request(`GET ${one}`, { path: { workflowId } }),
    create: (body, options) => request('POST /v2/workflows', { body, ...options }),
    update: (workflowId, body, options) => request(`PATCH ${one}`, { path: { workflowId }, body, ...options }),
    replace: (workflowId, body, options) => request(`PUT ${one}`, { path: { workflowId }, body, ...options }),
    delete: (workflowId, options) => request(`DELETE ${one}`, { path: { workflowId }, ...options }),
  }
}

function integrations(request: Request): Integrations {
  const one = '/v1/integrations/{integrationId}'
  return {
    list: () => request('GET /v1/integrations'),
    create: (body, options) => request('POST /v1/integrations', { body, ...options }),
    update: (integrationId, body, options) => request(`PUT ${one}`, { path: { integrationId }, body, ...options }),
    delete: (integrationId, options) => request(`DELETE ${one}`, { path: { integrationId }, ...options }),
    setPrimary: (integrationId, options) => request(`POST ${one}/set-primary`, { path: { integrationId }, ...options }),
    test: (integrationId, body, options) => request(`POST ${one}/test`, { path: { integrationId }, body, ...options }),
  }
}

function notifications(request: Request): Notifications {
  const one = '/v1/notifications/{notificationId}'
  return {
    list: (query = {}) => request('GET /v1/notifications', { query }),
    get: (notificationId) => request(`GET ${one}`, { path: { notificationId } }),
    messages: async (notificationId) => (await request(`GET ${one}/messages`, { path: { notificationId } })).data,
  }
}

function messages(request: Request): Messages {
  return {
    list: (query = {}) => request('GET /v1/messages', { query }),
    delete: (messageId, options) => request('DELETE /v1/messages/{messageId}', { path: { messageId }, ...options }),
  }
}
