import type { Db, Env } from '../../store/database.ts'
import type { EventRow } from '../../store/history/events.ts'
import { countCrowd, countSubscribers } from '../../store/sends/count-people.ts'
import type { NewSend, SendKind } from '../../store/sends/sends.ts'
import type { StoredRecipient } from '../pipeline/recipients.ts'
import { actorIdOf, type EventPage, nextPage } from '../pipeline/take-recipients.ts'
import { readSendBounds, type SendBounds } from './bounds.ts'

/** An event to more people than this is a send: a page of the expansion holds so many. */
export const smallestSend = 300

/**
 * The next people of an event. The first page of a large one makes it a send; the page with which its first people are
 * all taken lets it stand still.
 */
export async function nextPageOfSend(db: Db, env: Env, event: EventRow, limit: number, now: Date): Promise<EventPage> {
  const page = await nextPage(db, env, event, roomOf(event.canary_until, event, limit))
  const isFirst = event.expand_cursor === null && event.notified_count === 0
  const mayBeSend = isFirst && event.send_counted === null && page.progress.state === 'accepted'
  const send = mayBeSend ? await planSend(db, env, event, now) : null
  if (!send) return event.canary_until === null ? page : heldAfter(page, event.canary_until)
  const { canary_until: until } = send
  if (until === null) return { ...page, send }
  const first = until < page.reached.length ? await nextPage(db, env, event, until) : page
  const held = heldAfter(first, until)
  const isHeld = held.progress.state === 'held'
  return { ...held, send: { ...send, event_was: isHeld ? 'accepted' : null } }
}

function roomOf(until: number | null, { notified_count }: EventRow, limit: number): number {
  return until === null ? limit : Math.max(Math.min(limit, until - notified_count), 1)
}

function heldAfter(page: EventPage, until: number): EventPage {
  const { event, progress } = page
  if (progress.state !== 'accepted' || event.notified_count + progress.notified < until) return page
  return { ...page, progress: { ...progress, state: 'held' } }
}

/** Null: it is for few people after all. */
export async function planSend(db: Db, env: Env, event: EventRow, now: Date): Promise<NewSend | null> {
  const total = await countPeople(db, env, event)
  if (total <= smallestSend) return null
  const bounds = await readSendBounds(db, env)
  const canary = canaryOf(total, bounds)
  const isGuarded = canary !== null || (bounds.guardFrom !== null && total >= bounds.guardFrom)
  const state = canary === null ? 'running' : 'canary'
  const reason = canary === null ? null : 'canary'
  const { failuresPercent, complaintsPercent } = bounds
  return {
    id: event.id,
    transaction_id: event.transaction_id,
    workflow_id: event.workflow_id,
    kind: kindOf(event.recipients),
    state,
    since: now,
    reason,
    event_was: null,
    total,
    canary_people: canary,
    canary_until: canary,
    bounds: isGuarded ? { failuresPercent, complaintsPercent } : null,
    counted: true,
    history: [{ at: now.toISOString(), state, reason, text: null, by: null }],
  }
}

/** With how many people it begins; null: with all of them. */
function canaryOf(total: number, { canaryFrom, canaryPercent, canaryAtLeast }: SendBounds): number | null {
  if (canaryFrom === null || total < canaryFrom) return null
  const people = Math.max(Math.ceil((total * canaryPercent) / 100), canaryAtLeast)
  return people < total ? people : null
}

export function kindOf(recipients: unknown): SendKind {
  if (recipients === null) return 'broadcast'
  return (recipients as StoredRecipient[]).some((it) => 'topicKey' in it) ? 'topic' : 'list'
}

export async function countPeople(db: Db, env: Env, event: EventRow): Promise<number> {
  const recipients = event.recipients as readonly StoredRecipient[] | null
  if (recipients === null) return countSubscribers(db, env)
  return countCrowd(db, env, {
    named: recipients.flatMap((it) => ('subscriberId' in it ? it.subscriberId : [])),
    topics: recipients.flatMap((it) => ('topicKey' in it ? { key: it.topicKey, exclude: it.exclude ?? [] } : [])),
    actorId: actorIdOf(event),
  })
}
