import { part } from '../api.ts'

/** Where every page lives. Pages link with these, never with a path put together by hand. */
export const paths = {
  overview: '/',
  activity: '/activity',
  event: (notificationId: string) => `/activity/${part(notificationId)}`,
  explain: '/explain',
  workflows: '/workflows',
  workflow: (workflowId: string) => `/workflows/${part(workflowId)}`,
  mailbox: '/mailbox',
  mail: (messageId: string) => `/mailbox?message=${part(messageId)}`,
  subscribers: '/subscribers',
  subscriber: (subscriberId: string) => `/subscribers/${part(subscriberId)}`,
  topics: '/topics',
  topic: (topicKey: string) => `/topics/${part(topicKey)}`,
  integrations: '/integrations',
  integration: (integrationId: string) => `/integrations/${part(integrationId)}`,
  deadLetters: '/dead-letters',
  suppressions: '/suppressions',
  apiKeys: '/api-keys',
  signIn: '/sign-in',
}
