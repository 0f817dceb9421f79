import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { asksForRepeat, type Database, type Env, isDatabaseUnavailable } from '../../store/database.ts'
import {
  changesSubscriber,
  listSubscribersById,
  type SubscriberPatch,
  type SubscriberRow,
} from '../../store/subscribers.ts'
import { saveSubscribers } from '../subscribers/save-subscribers.ts'
import { setChannelCredentials } from '../subscribers/set-channel-credentials.ts'
import type { InlineSubscriber } from './recipients.ts'
import type { EventPage } from './take-recipients.ts'

type Saved = {
  /** By subscriberId. */
  subscribers: Map<string, SubscriberRow>
  /** By event id. */
  actors: Map<string, SubscriberRow>
}

/** Transactions of their own, or the one that the caller has open. */
export type Via = Pick<Database, 'read' | 'write'>

/** Creates or updates subscribers given in events; reads the others. All of a page at once. */
export async function saveRecipients(
  ctx: Ctx,
  env: Env,
  pages: readonly EventPage[],
  now: Date,
  via: Via = ctx.database,
): Promise<Saved> {
  const inline = new Map<string, SubscriberPatch>()
  const subscribers = new Map<string, SubscriberRow>()
  const actorIds = new Map<string, string>()
  for (const { event, reached } of pages) {
    for (const it of reached) {
      if (it.inline) inline.set(it.subscriberId, { ...inline.get(it.subscriberId), ...toPatch(it.inline) })
      else if (it.row) subscribers.set(it.subscriberId, it.row)
    }
    const actor = event.actor as InlineSubscriber | null
    if (actor) actorIds.set(event.id, actor.subscriberId)
    // An actor given only by id is looked up; an actor with a profile is saved like a recipient.
    if (actor && Object.keys(actor).length > 1) {
      inline.set(actor.subscriberId, { ...toPatch(actor), ...inline.get(actor.subscriberId) })
    }
  }
  const wanted = [...new Set([...inline.keys(), ...actorIds.values()])].filter((id) => !subscribers.has(id))
  const known = wanted.length > 0 ? await via.read(env, (db) => listSubscribersById(db, env, wanted)) : []
  for (const row of known) subscribers.set(row.subscriber_id, row)
  // Most are unchanged: only new or different ones are written.
  const changed = [...inline.values()].filter((patch) => changesSubscriber(subscribers.get(patch.subscriberId), patch))
  if (changed.length > 0) {
    const saved = await via.write(env, (db) => saveSubscribers(db, env, changed, now))
    for (const { row } of saved.values()) subscribers.set(row.subscriber_id, row)
  }
  await saveChannels(ctx, env, pages, now, via)
  const actors = [...actorIds].flatMap(([eventId, id]) => {
    const row = subscribers.get(id)
    return row ? [[eventId, row] as const] : []
  })
  return { subscribers, actors: new Map(actors) }
}

/**
 * Saves the channels given in events as the credentials routes do, one transaction per page. A faulty channel is skipped; the notification
 * still goes on. Sorted by subscriber, so that two pages cannot deadlock.
 */
async function saveChannels(ctx: Ctx, env: Env, pages: readonly EventPage[], now: Date, via: Via): Promise<void> {
  const given = pages
    .flatMap((page) => page.reached)
    .flatMap(({ inline }) =>
      (inline?.channels ?? []).map((channel) => ({ subscriberId: inline?.subscriberId ?? '', channel })),
    )
    .toSorted((a, b) => (a.subscriberId < b.subscriberId ? -1 : a.subscriberId > b.subscriberId ? 1 : 0))
  if (given.length === 0) return
  await via.write(env, async (db) => {
    for (const { subscriberId, channel } of given) {
      await sql`savepoint channel`.execute(db)
      try {
        await setChannelCredentials({ ctx, db, env, now }, subscriberId, channel)
        await sql`release savepoint channel`.execute(db)
      } catch (error) {
        if (asksForRepeat(error) || isDatabaseUnavailable(error)) throw error
        await sql`rollback to savepoint channel`.execute(db)
        ctx.log.warn({ err: error, environmentId: env.environmentId }, 'inline channel not kept')
      }
    }
  })
}

function toPatch({ channels: _channels, ...patch }: InlineSubscriber): SubscriberPatch {
  return patch
}
