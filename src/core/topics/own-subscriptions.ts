import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { isUuid7, uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import {
  countTopicsOf,
  deleteDetail,
  findTopicOfSubscription,
  insertMembership,
  listOwnSubscriptions,
  lockMembership,
  type SubscriptionRow,
  saveDetail,
} from '../../store/subscription-details.ts'
import { removeTopicMembers } from '../../store/topic-subscriptions.ts'
import { deleteEmptyTopic, findTopic, lockTopic, type TopicRow } from '../../store/topics.ts'
import { saveTopic } from '../subscribers/save-topic.ts'
import { checkTopicKey, defaultIdentifier, subscriptionIdentifier } from '../subscribers/topic-members.ts'
import { mergePreferences, type SubscriptionChange } from './subscription-input.ts'

const mostOfTopic = 10
const mostTopics = 1_000

/** Whose subscriptions: of these contexts only, and of none if there are none. */
export type Owner = { subscriber: SubscriberRow; contextKeys: readonly string[] }

/** Absent or empty: the default one. */
type Wanted = SubscriptionChange & { identifier?: string | undefined; topic?: { name?: string } | undefined }

/** What an owner has of a topic, the oldest first; nothing if there is no such topic. */
export async function listSubscriptions(db: Db, env: Env, owner: Owner, topicKey: string): Promise<SubscriptionRow[]> {
  const topic = await findTopic(db, env, topicKey)
  return topic ? ofOwner(db, env, owner, topic.id) : []
}

async function ofOwner(db: Db, env: Env, { subscriber, contextKeys }: Owner, topicId: string) {
  const rows = await listOwnSubscriptions(db, env, { topicId, subscriberId: subscriber.id })
  return rows.filter((row) => isOf({ contextKeys }, row))
}

function isOf({ contextKeys }: Pick<Owner, 'contextKeys'>, row: SubscriptionRow): boolean {
  return JSON.stringify([...contextKeys].sort()) === JSON.stringify(row.context_keys)
}

/** `ref`: an identifier, or an id. Null: he has no such subscription. */
export async function findSubscription(
  db: Db,
  env: Env,
  owner: Owner,
  topicKey: string,
  ref: string,
): Promise<SubscriptionRow | null> {
  const rows = await listSubscriptions(db, env, owner, topicKey)
  const stored = storedIdentifier(owner, topicKey, ref)
  return rows.find((row) => row.identifier === stored) ?? rows.find((row) => row.id === ref) ?? null
}

export async function getSubscription(db: Db, env: Env, owner: Owner, topicKey: string, ref: string) {
  const found = await findSubscription(db, env, owner, topicKey, ref)
  if (!found) throw new ApiError('topic_subscription_not_found')
  return found
}

/** The same, of whichever topic. */
export async function findAnySubscription(db: Db, env: Env, owner: Owner, ref: string): Promise<SubscriptionRow> {
  const topicKey = topicKeyOf(ref, owner.subscriber.subscriber_id)
  const topic = await findTopicOfSubscription(db, env, owner.subscriber.id, {
    ref,
    topicKey,
    contextKeys: [...owner.contextKeys].sort(),
  })
  const found = topic && (await findSubscription(db, env, owner, topic.key, ref))
  if (!found) throw new ApiError('topic_subscription_not_found')
  return found
}

/** Of `tk_<topicKey>:si_<subscriberId>…`. */
function topicKeyOf(ref: string, subscriberId: string): string | null {
  const end = ref.lastIndexOf(`:si_${subscriberId}`)
  return ref.startsWith('tk_') && end > 0 ? ref.slice('tk_'.length, end) : null
}

/** Every form of the default identifier means the default one of these contexts: older clients leave contexts out. */
function storedIdentifier({ subscriber, contextKeys }: Owner, topicKey: string, given: string): string {
  const [plain, own] = [[], contextKeys].map((keys) => defaultIdentifier(topicKey, subscriber.subscriber_id, keys))
  if (given !== '' && given !== plain && given !== own) return given
  return contextKeys.length > 0 ? (own ?? '') : ''
}

/** Subscribes to a topic, which is created if need be. A subscription that exists stays as it is. */
export async function subscribe(
  { ctx, db, env, now }: { ctx: Ctx; db: Db; env: Env; now: Date },
  owner: Owner,
  topicKey: string,
  wanted: Wanted,
): Promise<SubscriptionRow> {
  const { subscriber, contextKeys } = owner
  const identifier = storedIdentifier(owner, topicKey, wanted.identifier ?? '')
  checkIdentifier(identifier, defaultIdentifier(topicKey, subscriber.subscriber_id, contextKeys))
  const existing = await findSubscription(db, env, owner, topicKey, identifier)
  if (existing) return existing
  if (ctx.config.inboxTopics === 'closed') throw new ApiError('topics_closed')
  const topic = await getTopic(db, env, topicKey, wanted.topic?.name, now)
  const of = { topicId: topic.id, subscriberId: subscriber.id }
  const id = uuid7(now)
  if (!(await lockMembership(db, env, of))) await checkRoom(db, env, subscriber.id)
  const isNew = await insertMembership(db, env, { ...of, id })
  if (!(await lockMembership(db, env, of))) throw new ApiError('person_deleted')
  // Read behind the lock: somebody else may have subscribed him at this moment.
  const before = isNew ? [] : await listOwnSubscriptions(db, env, of)
  const meanwhile = before.find((row) => row.identifier === identifier && isOf(owner, row))
  if (meanwhile) return meanwhile
  if (before.length >= mostOfTopic) {
    throw invalidField('identifier', `is one too many: at most ${mostOfTopic} subscriptions to a topic`)
  }
  // From now on he has exactly the subscriptions that have rows.
  const [plain] = before
  if (plain && before.length === 1 && plain.updated_at === null) await saveDetail(db, env, plain, now)
  const row: SubscriptionRow = {
    id: isNew ? id : uuid7(now),
    topic_id: topic.id,
    topic_key: topic.key,
    subscriber_id: subscriber.id,
    identifier,
    name: wanted.name ?? null,
    context_keys: [...contextKeys].sort(),
    preferences: await mergePreferences(db, env, {}, wanted.preferences ?? []),
    updated_at: now,
  }
  const isPlain = isNew && identifier === '' && row.name === null && Object.keys(row.preferences).length === 0
  if (!isPlain) await saveDetail(db, env, row, now)
  return row
}

/** One that could be taken for somebody else's. */
function checkIdentifier(identifier: string, own: string): void {
  if (identifier !== own && (identifier.startsWith('tk_') || isUuid7(identifier))) {
    throw invalidField('identifier', 'may neither begin with "tk_" nor be an id: such names are given by the service')
  }
}

async function checkRoom(db: Db, env: Env, subscriberId: string): Promise<void> {
  if ((await countTopicsOf(db, env, subscriberId, mostTopics)) >= mostTopics) throw new ApiError('too_many_topics')
}

async function getTopic(db: Db, env: Env, key: string, name: string | undefined, now: Date): Promise<TopicRow> {
  checkTopicKey(key)
  return (
    (await lockTopic(db, env, key)) ?? (await saveTopic(db, env, { key, nameIfNew: name, byPerson: true }, now)).row
  )
}

/** `change` sees the stored row, which nobody else changes meanwhile. */
export async function changeSubscription(
  db: Db,
  env: Env,
  found: SubscriptionRow,
  change: (stored: SubscriptionRow) => Promise<Partial<Pick<SubscriptionRow, 'name' | 'preferences'>>>,
  now: Date,
): Promise<SubscriptionRow> {
  const stored = await lockSubscription(db, env, found)
  const changed = { ...stored, ...(await change(stored)) }
  await saveDetail(db, env, changed, now)
  return { ...changed, updated_at: now }
}

/** A change as clients send it. */
export function updateSubscription(
  db: Db,
  env: Env,
  found: SubscriptionRow,
  { name, preferences }: SubscriptionChange,
  now: Date,
): Promise<SubscriptionRow> {
  const change = async (stored: SubscriptionRow) => ({
    ...(name !== undefined && { name }),
    ...(preferences && { preferences: await mergePreferences(db, env, stored.preferences, preferences) }),
  })
  return changeSubscription(db, env, found, change, now)
}

async function lockSubscription(db: Db, env: Env, found: SubscriptionRow): Promise<SubscriptionRow> {
  const of = { topicId: found.topic_id, subscriberId: found.subscriber_id }
  const rows = (await lockMembership(db, env, of)) ? await listOwnSubscriptions(db, env, of) : []
  const same = JSON.stringify(found.context_keys)
  const stored = rows.find((row) => row.identifier === found.identifier && JSON.stringify(row.context_keys) === same)
  if (!stored) throw new ApiError('topic_subscription_not_found')
  return stored
}

/** The last one takes the membership along. */
export async function unsubscribe(db: Db, env: Env, owner: Owner, found: SubscriptionRow, now: Date): Promise<void> {
  const stored = await lockSubscription(db, env, found)
  await deleteDetail(db, env, stored)
  const of = { topicId: stored.topic_id, subscriberId: stored.subscriber_id }
  const left = await listOwnSubscriptions(db, env, of)
  if (left.every((row) => row.updated_at === null)) {
    await removeTopicMembers(db, env, stored.topic_id, [owner.subscriber.subscriber_id])
    // What people made by joining goes with the last of them: nobody fills the list of topics by coming and going.
    await deleteEmptyTopic(db, env, stored.topic_id, now)
  }
}

/** As clients name it. */
export function shownIdentifier(row: SubscriptionRow, subscriber: Pick<SubscriberRow, 'subscriber_id'>): string {
  return row.identifier === '' ? subscriptionIdentifier(row.topic_key, subscriber.subscriber_id) : row.identifier
}
