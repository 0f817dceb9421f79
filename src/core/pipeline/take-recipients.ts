import type { Db, Env } from '../../store/database.ts'
import type { EventRow, Progress } from '../../store/history/events.ts'
import type { NewSend } from '../../store/sends/sends.ts'
import { listSubscribersAfter, type SubscriberRow } from '../../store/subscribers.ts'
import { listMembersAfter } from '../../store/topic-subscriptions.ts'
import { findTopic } from '../../store/topics.ts'
import type { InlineSubscriber, StoredRecipient, TopicRecipient } from './recipients.ts'

/** How far the expansion is: which recipient, and the last member taken of a topic (or of all subscribers). */
type Cursor = { index: number; after?: string }

/** A person to notify: given in the event, or found in a topic or among all subscribers. */
export type Reached = { subscriberId: string; inline?: InlineSubscriber; topicId?: string; row?: SubscriberRow }
export type EventPage = {
  event: EventRow
  reached: Reached[]
  progress: Progress
  /** The first page of a large one: it becomes a send, written with the page. */
  send?: NewSend
}

/** The next people of one event, at most `limit`. The cursor moves when the page is written. */
export async function nextPage(db: Db, env: Env, event: EventRow, limit: number): Promise<EventPage> {
  const before = readCursor(event.expand_cursor)
  const recipients = event.recipients as readonly StoredRecipient[] | null
  const actorId = actorIdOf(event)
  const reached: Reached[] = []
  let cursor: Cursor | null = before ?? { index: 0 }
  while (cursor && reached.length < limit) {
    const room: number = limit - reached.length
    const step: TakenPeople =
      recipients === null
        ? await takeEverybody(db, env, cursor, room)
        : await takeListed(db, env, recipients, cursor, room)
    reached.push(...step.reached.filter((it) => !(it.topicId && it.subscriberId === actorId)))
    cursor = step.next
  }
  return {
    event,
    reached,
    progress: {
      id: event.id,
      before,
      after: cursor,
      state: cursor ? 'accepted' : 'expanded',
      notified: reached.length,
    },
  }
}

type TakenPeople = { reached: Reached[]; next: Cursor | null }

async function takeListed(
  db: Db,
  env: Env,
  recipients: readonly StoredRecipient[],
  cursor: Cursor,
  limit: number,
): Promise<TakenPeople> {
  const recipient = recipients[cursor.index]
  if (!recipient) return { reached: [], next: null }
  if ('topicKey' in recipient) {
    const next = cursor.index + 1 < recipients.length ? { index: cursor.index + 1 } : null
    return takeTopic(db, env, recipient, { cursor, next, limit })
  }
  const direct: InlineSubscriber[] = []
  let { index } = cursor
  for (const next of recipients.slice(index, index + limit)) {
    if ('topicKey' in next) break
    index += 1
    if ('subscriberId' in next) direct.push(next)
  }
  return {
    reached: direct.map((inline) => ({ subscriberId: inline.subscriberId, inline })),
    next: index < recipients.length ? { index } : null,
  }
}

async function takeTopic(
  db: Db,
  env: Env,
  { topicKey, exclude = [] }: TopicRecipient,
  { cursor, next, limit }: { cursor: Cursor; next: Cursor | null; limit: number },
): Promise<TakenPeople> {
  const topic = await findTopic(db, env, topicKey)
  const members = topic ? await listMembersAfter(db, env, topic.id, cursor.after ?? null, limit) : []
  const last = members.at(-1)
  const excluded = new Set(exclude)
  return {
    reached: members
      .filter((member) => !excluded.has(member.subscriber_id))
      .map((row) => ({ subscriberId: row.subscriber_id, topicId: topic?.id ?? '', row })),
    next: last && members.length === limit ? { index: cursor.index, after: last.membershipId } : next,
  }
}

async function takeEverybody(db: Db, env: Env, cursor: Cursor, limit: number): Promise<TakenPeople> {
  const rows = await listSubscribersAfter(db, env, cursor.after ?? null, limit)
  const last = rows.at(-1)
  return {
    reached: rows.map((row) => ({ subscriberId: row.subscriber_id, row })),
    next: last && rows.length === limit ? { index: 0, after: last.id } : null,
  }
}

/** The caller's own id of who caused the event. */
export function actorIdOf(event: EventRow): string | null {
  const actor = event.actor as { subscriberId?: string } | null
  return actor?.subscriberId ?? null
}

function readCursor(stored: unknown): Cursor | null {
  return stored as Cursor | null
}
