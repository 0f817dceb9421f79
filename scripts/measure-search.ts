/**
 * npm run measure-search     (after: npm run seed -- --subscribers 1000000)
 *
 * Every filter and both ends of every order of GET /v2/subscribers: the plan of each statement (no sequential scan) and
 * p50/p99 over HTTP. Exits 1 when a plan has a sequential scan or a p99 (or with --p50 a p50) passes its limit.
 */
import { parseArgs } from 'node:util'
import { type SubscriberFilter, searchSubscribers } from '../src/store/subscribers.ts'
import { openMeasuredServer } from './measured-server.ts'

const { values } = parseArgs({ options: { p50: { type: 'string' }, p99: { type: 'string', default: '50' } } })
// A machine on which others work stops for a second now and then: there only the half says something.
const p50LimitMs = values.p50 === undefined ? Number.POSITIVE_INFINITY : Number(values.p50)
const p99LimitMs = values.p50 === undefined ? Number(values.p99) : Number.POSITIVE_INFINITY
// A term that tens of thousands match: the page is quick, but counting them up to 50,001 means reading each one. A term
// too short for the index: the whole environment is read.
const broadP99LimitMs = 6 * p99LimitMs

type Case = { what: string; filter: SubscriberFilter; orderBy?: string; direction?: 'ASC' | 'DESC'; broad?: true }
const cases: Case[] = [
  ...['_id', 'createdAt', 'updatedAt', 'subscriberId'].flatMap((orderBy) =>
    (['ASC', 'DESC'] as const).map((direction) => ({ what: 'list', filter: {}, orderBy, direction })),
  ),
  { what: 'subscriberId', filter: { subscriberId: 'user-00abcd' } },
  { what: 'e-mail, one match', filter: { email: 'dijkstra.123456@' } },
  { what: 'e-mail, 1 in 4', filter: { email: 'example.org' }, broad: true },
  { what: 'e-mail, no match', filter: { email: 'zzqzzq' } },
  { what: 'phone, few', filter: { phone: '2477631' } },
  { what: 'name, 1 in 12', filter: { name: 'Grace' }, broad: true },
  { what: 'name, first and last', filter: { name: 'Ada Lovelace' } },
  { what: 'name, no match', filter: { name: 'Nobody' } },
  { what: 'name and e-mail', filter: { name: 'Ada', email: '777' } },
  { what: 'anywhere, one match', filter: { search: 'DIJKSTRA.123456@' } },
  { what: 'anywhere, a whole id', filter: { search: 'user-00abcd' } },
  { what: 'anywhere, no match', filter: { search: 'zzqzzq' } },
  { what: 'anywhere, 1 in 12', filter: { search: 'grace' }, broad: true },
  { what: 'anywhere, short term', filter: { search: 'da' }, broad: true },
  { what: 'short term, many', filter: { name: 'da' }, broad: true },
  { what: 'short term, none', filter: { name: 'zq' }, broad: true },
]

const { env, measure, plansOf, close } = await openMeasuredServer()
let failed = false
console.log(`${'case'.padEnd(44)}  p50 ms  p99 ms   total  plan`)
for (const { what, filter, orderBy = '_id', direction = 'DESC', broad } of cases) {
  const query = new URLSearchParams({ ...filter, orderBy, orderDirection: direction, limit: '10' })
  const { p50, p99, body } = await measure<{ totalCount: number; totalCountCapped: boolean }>(
    `/v2/subscribers?${query}`,
  )
  const scans = await plansOf((db) => searchSubscribers(db, env, filter, { limit: 10, orderBy, direction }))
  const bad =
    p99 > (broad ? broadP99LimitMs : p99LimitMs) ||
    p50 > (broad ? 6 * p50LimitMs : p50LimitMs) ||
    (!broad && scans.some((scan) => scan.startsWith('Seq Scan')))
  failed ||= bad
  const name = `${what} (${orderBy} ${direction})`.padEnd(44)
  const total = `${body.totalCount}${body.totalCountCapped ? '+' : ''}`
  const figures = `${p50.toFixed(1).padStart(6)}  ${p99.toFixed(1).padStart(6)}  ${total}`.padEnd(24)
  console.log(`${name}  ${figures} ${scans.join(' · ')}${bad ? '   <-- too slow, or no index' : ''}`)
}
await close()
process.exitCode = failed ? 1 : 0
