import type { Ctx } from '../../context.ts'
import { envOf } from '../../store/database.ts'
import { type Hint, type HintListener, listenForHints } from '../../store/hints.ts'
import type { FeedRow } from '../../store/history/feed.ts'
import { type FeedLook, listFeedMessages, lookAtFeeds, type WatchedFeed } from '../../store/history/feed-counts.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { getWorkflows, type Workflow } from '../workflows/workflow.ts'
import { mostUnread } from './open-session.ts'

/** What a browser is told. The rows are the truth: whoever misses one finds it there. */
export type LiveNews =
  | { kind: 'received'; row: FeedRow; subscriber: SubscriberRow; workflow: Workflow | undefined }
  | { kind: 'counts'; look: FeedLook }

export type LiveListener = { tell(news: LiveNews): void }

export type LiveFeeds = {
  /** Tells the listener what the feed shows, and from then on what is new. Returns how to leave. */
  join(feed: WatchedFeed, subscriber: SubscriberRow, listener: LiveListener): () => void
  /** How many listen on this node. */
  size(): number
  close(): Promise<void>
}

type Watched = WatchedFeed & {
  subscriber: SubscriberRow
  listeners: Set<LiveListener>
  /** Messages that its listeners were told of, or found when they came. */
  known: Set<string>
  /** Messages that a hint named. */
  hinted: Set<string>
  /** Who came since the last look, and must be told what there is. */
  fresh: Set<LiveListener>
  /** The counts they were told last. */
  told: string
  lookedAt: number
}

const settings = {
  // Hints of one page of recipients come together.
  gatherMs: 10,
  // In one statement.
  feedsAtOnce: 500,
  // Everybody is looked at this often, whatever hints came: one statement a second, for a part of them.
  lookEveryMs: 15_000,
  mostKnown: 100,
}

/** The feeds that browsers look at through this node. A node without any asks the database nothing. */
export function createLiveFeeds(ctx: Ctx): LiveFeeds {
  const feeds = new Map<string, Watched>()
  const bySubscriber = new Map<string, Set<Watched>>()
  const waiting = new Set<Watched>()
  let [listener, poll, gather]: [HintListener?, NodeJS.Timeout?, NodeJS.Timeout?] = []
  let looking: Promise<void> | undefined
  let [count, closed] = [0, false]

  function onHints(hints: readonly Hint[]): void {
    for (const { subscriberId, messageId } of hints) {
      for (const feed of bySubscriber.get(subscriberId) ?? []) {
        if (messageId) feed.hinted.add(messageId)
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
    for (const feed of taken) waiting.delete(feed)
    const hinted = taken.map((feed) => {
      const ids = [...feed.hinted]
      feed.hinted.clear()
      return ids
    })
    try {
      const asked = taken.map(({ environmentId, subscriberId, contextKeys }) => ({
        environmentId,
        subscriberId,
        contextKeys,
      }))
      const looks = await lookAtFeeds(ctx.database.db, asked, { now: ctx.clock(), most: mostUnread })
      const wanted = taken.map((feed, n) => newsOf(feed, hinted[n] ?? [], looks[n]))
      const rows = await loadRows(ctx, taken, wanted)
      for (const [n, feed] of taken.entries()) {
        const found = looks[n]
        if (found) tellAll(feed, found, wanted[n] ?? [], rows)
      }
    } catch (error) {
      // The next look of all finds what this one did not.
      ctx.log.debug({ err: error }, 'feeds that are watched could not be read')
      for (const feed of taken) if (feed.fresh.size > 0) waiting.add(feed)
      await new Promise((resolve) => setTimeout(resolve, 1_000).unref())
    }
  }

  /** A part of them each second, those first that were not looked at for longest. */
  function pollSome(): void {
    const part = Math.min(Math.ceil((feeds.size * 1_000) / settings.lookEveryMs), settings.feedsAtOnce)
    const due = performance.now() - settings.lookEveryMs + 1_000
    for (const feed of feeds.values()) {
      if (waiting.size >= part) break
      if (feed.lookedAt < due) waiting.add(feed)
    }
    lookSoon()
  }

  function begin(): void {
    listener ??= listenForHints(ctx.database.url, {
      onHints,
      // What was said while nobody listened is found by looking at all, part by part.
      onBegin() {
        for (const feed of feeds.values()) feed.lookedAt = 0
      },
      onFault: (error) => ctx.log.debug({ err: error }, 'hints are not heard; feeds are looked at every 15 s'),
    })
    poll ??= setInterval(pollSome, 1_000)
  }

  function rest(): void {
    clearInterval(poll)
    poll = undefined
    void listener?.close()
    listener = undefined
  }

  return {
    join(feed, subscriber, one) {
      const key = [feed.environmentId, feed.subscriberId, ...feed.contextKeys].join(' ')
      const watched = feeds.get(key) ?? newWatched(feed, subscriber)
      feeds.set(key, watched)
      const ofPerson = bySubscriber.get(feed.subscriberId) ?? new Set()
      bySubscriber.set(feed.subscriberId, ofPerson.add(watched))
      watched.listeners.add(one)
      watched.fresh.add(one)
      count++
      begin()
      waiting.add(watched)
      lookSoon()
      return () => {
        if (!watched.listeners.delete(one)) return
        watched.fresh.delete(one)
        count--
        if (watched.listeners.size > 0) return
        feeds.delete(key)
        waiting.delete(watched)
        ofPerson.delete(watched)
        if (ofPerson.size === 0) bySubscriber.delete(feed.subscriberId)
        if (feeds.size === 0) rest()
      }
    },
    size: () => count,
    async close() {
      closed = true
      clearTimeout(gather)
      clearInterval(poll)
      await listener?.close()
      await looking
    },
  }
}

function newWatched(feed: WatchedFeed, subscriber: SubscriberRow): Watched {
  const empty = { listeners: new Set<LiveListener>(), known: new Set<string>(), hinted: new Set<string>() }
  return { ...feed, ...empty, subscriber, fresh: new Set(), told: '', lookedAt: 0 }
}

/** Messages to tell of: those that a hint named, and unread ones that we have not met, oldest first. */
function newsOf(feed: Watched, hinted: readonly string[], look: FeedLook | undefined): string[] {
  const isFirst = feed.told === ''
  const unknown = isFirst ? [] : (look?.newestIds ?? []).filter((id) => !feed.known.has(id))
  const ids = new Set([...hinted.filter((id) => !feed.known.has(id)), ...unknown])
  for (const id of [...(look?.newestIds ?? []), ...ids]) feed.known.add(id)
  for (const id of feed.known) {
    if (feed.known.size <= settings.mostKnown) break
    feed.known.delete(id)
  }
  return [...ids].sort()
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

function tellAll(
  feed: Watched,
  look: FeedLook,
  ids: readonly string[],
  rows: ReadonlyMap<string, { row: FeedRow; workflow: Workflow | undefined }>,
): void {
  const contexts = feed.contextKeys.join(' ')
  for (const id of ids) {
    const found = rows.get(id)
    // A hint names the person; the feed may be one of other contexts.
    if (!found || (found.row.context_keys ?? []).join(' ') !== contexts) continue
    for (const listener of feed.listeners) {
      if (!feed.fresh.has(listener)) listener.tell({ kind: 'received', ...found, subscriber: feed.subscriber })
    }
  }
  const counts = JSON.stringify([look.unread, look.unseen])
  const isNews = counts !== feed.told || ids.length > 0
  for (const listener of isNews ? feed.listeners : feed.fresh) listener.tell({ kind: 'counts', look })
  feed.told = counts
  feed.fresh.clear()
  feed.lookedAt = performance.now()
}
