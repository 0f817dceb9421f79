/** Where every page lives. Pages link with these, never with a path put together by hand. */
export const paths = {
  overview: '/',
  activity: '/activity',
  event: (notificationId: string) => `/activity/${encodeURIComponent(notificationId)}`,
  /** The stored copy of one of its e-mails, open over the event. */
  sent: (notificationId: string, messageId: string) =>
    `/activity/${encodeURIComponent(notificationId)}?sent=${encodeURIComponent(messageId)}`,
  explain: '/explain',
  workflows: '/workflows',
  workflow: (workflowId: string) => `/workflows/${encodeURIComponent(workflowId)}`,
  mailbox: '/mailbox',
  inbox: '/inbox',
  inboxOf: (subscriberId: string) => `/inbox?subscriberId=${encodeURIComponent(subscriberId)}`,
  mail: (messageId: string) => `/mailbox?message=${encodeURIComponent(messageId)}`,
  subscribers: '/subscribers',
  subscriber: (subscriberId: string) => `/subscribers/${encodeURIComponent(subscriberId)}`,
  topics: '/topics',
  topic: (topicKey: string) => `/topics/${encodeURIComponent(topicKey)}`,
  integrations: '/integrations',
  integration: (integrationId: string) => `/integrations/${encodeURIComponent(integrationId)}`,
  deadLetters: '/dead-letters',
  suppressions: '/suppressions',
  webhooks: '/webhooks',
  webhook: (endpointId: string) => `/webhooks/${encodeURIComponent(endpointId)}`,
  apiKeys: '/api-keys',
  signIn: '/sign-in',
}
