import type { WebhookDelivery } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'

type Data = WebhookDelivery['event']['data']
const ids = ['subscriberId', 'workflowId', 'transactionId']
const textOf = (data: Data | undefined, name: string) => {
  const value = data?.[name]
  return typeof value === 'string' ? value : null
}

/** Whom and what it is about, as far as its body says; else its own id. */
export function aboutOf({ _id, event }: Pick<WebhookDelivery, '_id' | 'event'>): string {
  const about = ids.flatMap((name) => textOf(event.data, name) ?? [])
  return about.length > 0 ? about.join(' · ') : _id
}

/** The page of its event; of an e-mail the stored copy. Null: it is about something else. */
export function activityOf(data: Data | undefined): string | null {
  const [notificationId, messageId] = [textOf(data, 'notificationId'), textOf(data, 'messageId')]
  if (notificationId === null) return null
  const isEmail = textOf(data, 'channel') === 'email'
  return isEmail && messageId !== null ? paths.sent(notificationId, messageId) : paths.event(notificationId)
}
