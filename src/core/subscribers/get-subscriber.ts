import { ApiError } from '../../errors.ts'
import type { Db, Env } from '../../store/database.ts'
import { findSubscriber, type SubscriberRow } from '../../store/subscribers.ts'

export async function getSubscriber(db: Db, env: Env, subscriberId: string): Promise<SubscriberRow> {
  const subscriber = await findSubscriber(db, env, subscriberId)
  if (!subscriber) throw new ApiError('subscriber_not_found')
  return subscriber
}
