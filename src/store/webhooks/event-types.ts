/** What endpoints can be told of. */
export const eventTypes = [
  'message.sent',
  'message.failed',
  'message.delivered',
  'message.bounced',
  'message.complained',
  'message.seen',
  'message.read',
  'message.unread',
  'message.archived',
  'message.unarchived',
  'message.snoozed',
  'message.unsnoozed',
  'message.deleted',
  'notification.completed',
  'preference.updated',
  'subscriber.created',
  'subscriber.updated',
  'subscriber.deleted',
  'workflow.created',
  'workflow.updated',
  'workflow.deleted',
  'workflow.published',
] as const

export type EventType = (typeof eventTypes)[number]

/** Made by hand, for whoever sets an endpoint up: it goes to that one alone, whatever it wants. */
export const testType = 'endpoint.test'
