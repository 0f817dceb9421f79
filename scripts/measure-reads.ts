/**
 * npm run measure-reads     (after: npm run seed -- --messages 5000000)
 *
 * The first pages of feed, messages and activity: the plan of each (which indexes, no sequential scan of history) and
 * p50/p99 over HTTP. Exits 1 when a plan scans history or a p99 passes the limit.
 */
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { listFeed } from '../src/store/history/feed.ts'
import { countFeed } from '../src/store/history/feed-counts.ts'
import { listMessages } from '../src/store/history/messages.ts'
import { listNotifications } from '../src/store/history/notifications.ts'
import { openMeasuredServer } from './measured-server.ts'

const { values } = parseArgs({ options: { p99: { type: 'string', default: '50' } } })
const { ctx, env, measure, plansOf, close } = await openMeasuredServer()
const { rows } = await sql<{
  id: string
  subscriber_id: string
  workflow_id: string
  transaction_id: string
  event_id: string
}>`
  select s.id, s.subscriber_id, m.workflow_id, m.transaction_id, m.event_id from message m
  join subscriber s on s.environment_id = m.environment_id and s.id = m.subscriber_id
  where m.environment_id = ${env.environmentId} order by m.id desc limit 1`.execute(ctx.database.db)
const [some] = rows
if (!some) throw new Error('no messages: npm run seed -- --subscribers 20000 --messages 5000000')
const page = { page: 0, limit: 10 }
const now = new Date()
const shown = { archived: false, snoozed: false }
const feed = `/v1/subscribers/${some.subscriber_id}/notifications/feed`
const cases = [
  {
    what: 'feed',
    path: feed,
    plan: () => plansOf((db) => listFeed(db, env, { subscriberId: some.id, filter: shown, page, now })),
  },
  {
    what: 'feed, unread',
    path: `${feed}?read=false`,
    plan: () =>
      plansOf((db) => listFeed(db, env, { subscriberId: some.id, filter: { ...shown, read: false }, page, now })),
  },
  {
    what: 'unseen, counted',
    path: `/v1/subscribers/${some.subscriber_id}/notifications/unseen`,
    plan: () =>
      plansOf((db) =>
        countFeed(db, env, { subscriberId: some.id, filters: [{ ...shown, seen: false }], now, limit: 100 }),
      ),
  },
  { what: 'messages', path: '/v1/messages', plan: () => plansOf((db) => listMessages(db, env, {}, page)) },
  {
    what: 'messages of a subscriber',
    path: `/v1/messages?subscriberId=${some.subscriber_id}`,
    plan: () => plansOf((db) => listMessages(db, env, { subscriberIds: [some.id] }, page)),
  },
  { what: 'activity', path: '/v1/notifications', plan: () => plansOf((db) => listNotifications(db, env, {}, page)) },
  {
    what: 'activity of a workflow',
    path: `/v1/notifications?templates=${some.workflow_id}`,
    plan: () => plansOf((db) => listNotifications(db, env, { templates: [some.workflow_id] }, page)),
  },
  {
    what: 'activity of a subscriber',
    path: `/v1/notifications?subscriberIds=${some.subscriber_id}`,
    plan: () => plansOf((db) => listNotifications(db, env, { subscriberIds: [some.subscriber_id] }, page)),
  },
]
let failed = false
console.log(`${'case'.padEnd(28)}  p50 ms  p99 ms  total   plan`)
for (const { what, path, plan } of cases) {
  const { p50, p99, body } = await measure<{ totalCount?: number }>(path)
  const scans = await plan()
  const bad = p99 > Number(values.p99) || scans.some((scan) => /^Seq Scan on (notification|job|message)_2/.test(scan))
  failed ||= bad
  const figures = `${p50.toFixed(1).padStart(6)}  ${p99.toFixed(1).padStart(6)}  ${String(body.totalCount ?? '-').padEnd(7)}`
  console.log(`${what.padEnd(28)}  ${figures} ${scans.join(' · ')}${bad ? '   <-- too slow, or no index' : ''}`)
}
await close()
process.exitCode = failed ? 1 : 0
