/** The names of an operation's body, query and reply in the types of the client. */
export type PartNames = { body?: string; query?: string; reply?: string }

const subscriber = '/v2/subscribers/{subscriberId}'
const topic = '/v2/topics/{topicKey}'
const workflow = '/v2/workflows/{workflowId}'
const integration = '/v1/integrations/{integrationId}'
const inbox = '/v1/inbox/notifications'
const ofTopic = '/v1/inbox/topics/{topicKey}/subscriptions'

/**
 * The operations that the client offers under short names. An editor shows these names when you point at a call.
 * Every other operation goes through `request`, whose types stay without names.
 */
export const clientTypeNames: Readonly<Record<string, PartNames>> = {
  'POST /v1/events/trigger': { body: 'TriggerEvent' },
  'POST /v1/events/trigger/broadcast': { body: 'BroadcastEvent' },
  'POST /v1/events/explain': { body: 'TriggerEvent' },
  'DELETE /v1/events/trigger/{transactionId}': { reply: 'CancelResult' },

  'GET /v2/subscribers': { query: 'ListSubscribers', reply: 'SubscriberPage' },
  'POST /v2/subscribers': { body: 'CreateSubscriber', query: 'CreateSubscriberOptions' },
  'POST /v1/subscribers/bulk': { reply: 'CreateSubscribersResult' },
  [`PATCH ${subscriber}`]: { body: 'UpdateSubscriber' },
  [`DELETE ${subscriber}`]: { reply: 'DeleteResult' },
  [`GET ${subscriber}/preferences`]: { query: 'ListSubscriberPreferences' },
  [`PATCH ${subscriber}/preferences`]: { body: 'UpdateSubscriberPreferences' },
  'PUT /v1/subscribers/{subscriberId}/credentials': { body: 'SetSubscriberCredentials' },
  [`GET ${subscriber}/notifications`]: { query: 'ListSubscriberNotifications', reply: 'SubscriberNotificationPage' },

  'GET /v2/topics': { query: 'ListTopics', reply: 'TopicPage' },
  'POST /v2/topics': { body: 'CreateTopic', query: 'CreateTopicOptions' },
  [`PATCH ${topic}`]: { body: 'UpdateTopic' },
  [`DELETE ${topic}`]: { reply: 'DeleteTopicResult' },
  [`GET ${topic}/subscriptions`]: { query: 'ListTopicSubscriptions', reply: 'TopicSubscriptionPage' },
  [`POST ${topic}/subscriptions`]: { reply: 'SubscribeResult' },
  [`DELETE ${topic}/subscriptions`]: { reply: 'UnsubscribeResult' },

  'GET /v2/workflows': { query: 'ListWorkflows', reply: 'WorkflowPage' },
  'POST /v2/workflows': { body: 'CreateWorkflow' },
  [`PATCH ${workflow}`]: { body: 'UpdateWorkflow' },
  [`PUT ${workflow}`]: { body: 'ReplaceWorkflow' },

  'POST /v1/integrations': { body: 'CreateIntegration' },
  [`PUT ${integration}`]: { body: 'UpdateIntegration' },
  [`POST ${integration}/test`]: { body: 'TestIntegration' },

  'GET /v1/notifications': { query: 'ListActivities', reply: 'ActivityPage' },
  'GET /v1/messages': { query: 'ListMessages', reply: 'MessagePage' },
  'DELETE /v1/messages/{messageId}': { reply: 'DeleteResult' },

  'POST /v1/inbox/session': { body: 'OpenInboxSession' },
  [`GET ${inbox}`]: { query: 'ListInboxNotifications', reply: 'InboxNotificationPage' },
  'GET /v1/inbox/preferences': { query: 'ListInboxPreferences' },
  'PATCH /v1/inbox/preferences': { body: 'UpdateInboxPreferences' },
  'PATCH /v1/inbox/preferences/{workflowId}': { body: 'UpdateInboxWorkflowPreferences' },
  [`POST ${ofTopic}`]: { body: 'CreateInboxSubscription' },
  [`PATCH ${ofTopic}/{identifier}`]: { body: 'UpdateInboxSubscription' },
}

/**
 * The properties that the service treats as optional and the client requires. The service accepts an event without `to` and
 * replies that it reached no one. In the code of a caller, a missing `to` is a mistake.
 */
export const requiredByClient: Readonly<Record<string, readonly string[]>> = {
  TriggerEvent: ['to'],
}
