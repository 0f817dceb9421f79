import type { Ctx } from '../../context.ts'
import { createPauses } from '../../lib/chunks.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { envOf } from '../../store/database.ts'
import { type Hint, listenForHints } from '../../store/hints.ts'
import type { FeedRow } from '../../store/history/feed.ts'
import { type FeedLook, listFeedMessages, lookAtFeeds, type WatchedFeed } from '../../store/history/feed-counts.ts'
import type { Listener } from '../../store/signals/channel.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { getWorkflows, type Workflow } from '../workflows/workflow.ts'
import { mostUnread } from './open-session.ts'
import { createPresence } from './presence.ts'

/** What a browser is told. The rows are the truth: whoever misses one finds it there. */
export type LiveNews =
  | { kind: 'received'; row: FeedRow; subscriber: SubscriberRow; workflow: Workflow | undefined }
  | { kind: 'counts'; look: FeedLook; changed: { unread: boolean; unseen: boolean } }

export type LiveListener = {
  tell(news: LiveNews): void
  /** There is no such person any more. */
  end(): void
  /** The environment lives in another cell. */
  comeAgain(): void
}

export type LiveFeeds = {
  /** Tells the listener what the feed shows, and from then on what is new. Returns how to leave. */
  join(feed: WatchedFeed & { lookOnly: boolean }, subscriber: SubscriberRow, listener: LiveListener): () => void
  /** Whether one more of this person may listen here. */
  hasRoom(subscriberId: string): boolean
  close(): Promise<void>
}

type Watched = WatchedFeed & {
  key: string
  subscriber: SubscriberRow
  listeners: Set<LiveListener>
  /** Messages that its listeners were told of lately. */
  known: Set<string>
  /** Messages that a hint named. */
  hinted: Set<string>
  /** A hint told of some other change. */
  isTouched: boolean
  /** What is not newer than this is told only if a hint names it: it may be old and marked as unread. */
  newest: string
  /** Who came since the last look, and must be told what there is. */
  fresh: Set<LiveListener>
  /** The counts they were told last; null: none yet. */
  told: { unread: string; unseen: number } | null
  lookedAt: number
}

const settings = {
  // Hints of one page of recipients come together.
  gatherMs: 10,
  // In one statement.
  feedsAtOnce: 1_000,
  // Everybody is looked at this often, whatever hints came: one statement a second, for a part of them.
  lookEveryMs: 15_000,
  pollEveryMs: 1_000,
  mostKnown: 100,
  // Windows that one person has open through one node.
  mostOfOnePerson: 20,
}

/** The feeds that browsers look at through this node. A node without any asks the database nothing. */
export function createLiveFeeds(ctx: Ctx): LiveFeeds {
  const feeds = new Map<string, Watched>()
  const bySubscriber = new Map<string, Set<Watched>>()
  const waiting = new Set<Watched>()
  const presence = createPresence(ctx)
  let [listener, poll, gather]: [Listener?, NodeJS.Timeout?, NodeJS.Timeout?] = []
  let looking: Promise<void> | undefined
  let closed = false

  function onHints(hints: readonly Hint[]): void {
    for (const { subscriberId, messageId } of hints) {
      for (const feed of bySubscriber.get(subscriberId) ?? []) {
        if (messageId) feed.hinted.add(messageId)
        else feed.isTouched = true
        waiting.add(feed)
      }
    }
    lookSoon()
  }

  function lookSoon(): void {
    if (waiting.size === 0 || looking || closed) return
    gather ??= setTimeout(() => {
      gather = undefined
      looking = look().finally(() => {
        looking = undefined
        lookSoon()
      })
    }, settings.gatherMs)
  }

  async function look(): Promise<void> {
    const taken = [...waiting].slice(0, settings.feedsAtOnce)
    const asked = taken.map((feed) => {
      waiting.delete(feed)
      // Those come first in the next round of all that were not looked at for longest.
      if (feeds.delete(feed.key)) feeds.set(feed.key, feed)
      feed.lookedAt = performance.now()
      const { environmentId, subscriberId, contextKeys, hinted, isTouched } = feed
      feed.hinted = new Set()
      feed.isTouched = false
      return { feed: { environmentId, subscriberId, contextKeys }, hinted, isTouched }
    })
    try {
      const looks = await lookAtFeeds(
        ctx.database.db,
        asked.map((it) => it.feed),
        { now: ctx.clock(), most: mostUnread },
      )
      const wanted = taken.map((feed, n) => newsOf(feed, asked[n]?.hinted ?? new Set(), looks[n]))
      const rows = await loadRows(ctx, taken, wanted)
      const pause = createPauses()
      for (const [n, feed] of taken.entries()) {
        // A thousand who hear of something are a tenth of a second of work, and requests wait behind it.
        await pause()
        const [found, ids] = [looks[n], wanted[n] ?? []]
        if (found?.isGone) for (const one of feed.listeners) one.end()
        else if (found) tellAll(feed, found, { ids, rows, isTouched: asked[n]?.isTouched ?? false })
      }
    } catch (error) {
      ctx.log.debug({ err: error }, 'feeds that are watched could not be read')
      for (const [n, feed] of taken.entries()) {
        for (const id of asked[n]?.hinted ?? []) feed.hinted.add(id)
        feed.isTouched ||= asked[n]?.isTouched ?? false
        if (feed.listeners.size > 0) waiting.add(feed)
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000).unref())
    }
  }

  /** A part of them each second, those first that were not looked at for longest; some more than needed, for late timers. */
  function pollSome(): void {
    // When the database is away nobody knows: they stay.
    void sendAway().catch(() => {})
    const share = settings.pollEveryMs / settings.lookEveryMs
    const part = Math.min(Math.ceil(feeds.size * share * 1.5), settings.feedsAtOnce)
    const due = performance.now() - settings.lookEveryMs + 3 * settings.pollEveryMs
    let taken = 0
    for (const feed of feeds.values()) {
      if (taken >= part || feed.lookedAt > due) break
      waiting.add(feed)
      taken++
    }
    lookSoon()
  }

  async function sendAway(): Promise<void> {
    for (const [environmentId, ofOne] of Map.groupBy(feeds.values(), (feed) => feed.environmentId)) {
      const held = await ctx.database.held.find(environmentId)
      if (held?.state !== 'departed') continue
      for (const feed of ofOne) for (const one of feed.listeners) one.comeAgain()
    }
  }

  function begin(): void {
    listener ??= listenForHints(ctx.database.directUrl, {
      onHints,
      // What was said while nobody listened is found by looking at all, part by part.
      onBegin() {
        for (const feed of feeds.values()) feed.lookedAt = 0
      },
      onFault: (error) => ctx.log.debug({ err: error }, 'hints are not heard; feeds are looked at every 15 s'),
    })
    poll ??= setInterval(pollSome, settings.pollEveryMs)
  }

  function rest(): void {
    clearInterval(poll)
    poll = undefined
    void listener?.close()
    listener = undefined
  }

  return {
    join({ lookOnly, ...feed }, subscriber, one) {
      const key = [feed.environmentId, feed.subscriberId, ...feed.contextKeys].join(' ')
      const watched = feeds.get(key) ?? newWatched(key, feed, subscriber, ctx.clock())
      feeds.set(key, watched)
      const ofPerson = bySubscriber.get(feed.subscriberId) ?? new Set()
      bySubscriber.set(feed.subscriberId, ofPerson.add(watched))
      watched.listeners.add(one)
      watched.fresh.add(one)
      const goOffline = lookOnly ? () => {} : presence.come(feed)
      ctx.metrics.inboxListeners.inc()
      begin()
      waiting.add(watched)
      lookSoon()
      return () => {
        if (!watched.listeners.delete(one)) return
        watched.fresh.delete(one)
        goOffline()
        ctx.metrics.inboxListeners.dec()
        if (watched.listeners.size > 0) return
        feeds.delete(key)
        waiting.delete(watched)
        ofPerson.delete(watched)
        if (ofPerson.size === 0) bySubscriber.delete(feed.subscriberId)
        if (feeds.size === 0) rest()
      }
    },
    hasRoom(subscriberId) {
      const ofPerson = [...(bySubscriber.get(subscriberId) ?? [])]
      return ofPerson.reduce((sum, { listeners }) => sum + listeners.size, 0) < settings.mostOfOnePerson
    },
    async close() {
      closed = true
      clearTimeout(gather)
      clearInterval(poll)
      await listener?.close()
      await looking
      await presence.close()
    },
  }
}

function newWatched(key: string, feed: WatchedFeed, subscriber: SubscriberRow, now: Date): Watched {
  return {
    ...feed,
    key,
    subscriber,
    listeners: new Set(),
    known: new Set(),
    hinted: new Set(),
    isTouched: false,
    newest: uuid7(now),
    fresh: new Set(),
    told: null,
    lookedAt: 0,
  }
}

/** Messages to tell of: those that a hint named, and newer ones that nobody named, oldest first. */
function newsOf(feed: Watched, hinted: ReadonlySet<string>, look: FeedLook | undefined): string[] {
  const unnamed = (look?.newestIds ?? []).filter((id) => id > feed.newest)
  return [...new Set([...hinted, ...unnamed])].filter((id) => !feed.known.has(id)).sort()
}

async function loadRows(ctx: Ctx, feeds: readonly Watched[], wanted: readonly string[][]) {
  const refs = feeds.flatMap(({ environmentId }, n) => (wanted[n] ?? []).map((id) => ({ environmentId, id })))
  const rows = await listFeedMessages(ctx.database.db, refs)
  const found = new Map<string, { row: FeedRow; workflow: Workflow | undefined }>()
  for (const [environmentId, ofOne] of Map.groupBy(rows, (row) => row.environment_id)) {
    const env = envOf(environmentId)
    const workflows = await ctx.database.read(env, (db) => getWorkflows(db, env, ofOne))
    for (const row of ofOne) found.set(row.id, { row, workflow: workflows.of(row) })
  }
  return found
}

type News = {
  ids: readonly string[]
  rows: ReadonlyMap<string, { row: FeedRow; workflow: Workflow | undefined }>
  isTouched: boolean
}

function tellAll(feed: Watched, look: FeedLook, { ids, rows, isTouched }: News): void {
  const contexts = feed.contextKeys.join(' ')
  for (const id of ids) {
    keepKnown(feed, id)
    const found = rows.get(id)
    // A hint names the person; the feed may be one of other contexts.
    if (!found || (found.row.context_keys ?? []).join(' ') !== contexts) continue
    for (const listener of feed.listeners) {
      if (!feed.fresh.has(listener)) listener.tell({ kind: 'received', ...found, subscriber: feed.subscriber })
    }
  }
  const told = { unread: JSON.stringify(look.unread), unseen: look.unseen }
  const isNew = ids.length > 0
  const isUnseen = isNew || told.unseen !== feed.told?.unseen
  // Other windows may show what was changed although no count did: archived, deleted.
  const isUnread = isNew || told.unread !== feed.told?.unread || (isTouched && !isUnseen)
  for (const listener of feed.listeners) {
    const isFresh = feed.fresh.has(listener)
    const changed = { unread: isFresh || isUnread, unseen: isFresh || isUnseen }
    if (changed.unread || changed.unseen) listener.tell({ kind: 'counts', look, changed })
  }
  feed.told = told
  feed.fresh.clear()
}

function keepKnown(feed: Watched, id: string): void {
  feed.known.add(id)
  if (id > feed.newest) feed.newest = id
  const [oldest] = feed.known
  if (oldest !== undefined && feed.known.size > settings.mostKnown) feed.known.delete(oldest)
}
