/**
 * npm run seed -- --subscribers 1000000
 * npm run seed -- --messages 5000000      (history of the hello workflow, spread over four weeks and the subscribers there are)
 * npm run seed -- --workflows 300 --topics 2000     (of every type of step; of a hundred people each)
 *
 * Fills the first environment of the database (DATABASE_URL, or the private PostgreSQL) with people that look like
 * people, through the same statement the API uses. Running it again adds more.
 */
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { prepare } from '../src/commands/prepare.ts'
import { readConfig } from '../src/config.ts'
import type { Ctx } from '../src/context.ts'
import { listEnvironments } from '../src/store/access/environments.ts'
import type { Env } from '../src/store/database.ts'
import { insertSubscribers, type SubscriberPatch } from '../src/store/subscribers.ts'
import { seedTopics, seedWorkflows } from './import/seed-groups.ts'
import { progressBar } from './progress-bar.ts'
import { seedHistory } from './seed-history.ts'

const batchSize = 5_000
const inFlight = 2

const firstNames = [
  'Ada',
  'Grace',
  'Alan',
  'Edsger',
  'Barbara',
  'Donald',
  'Radia',
  'Ken',
  'Margaret',
  'Linus',
  'Łucja',
  '明',
]
const lastNames = [
  'Lovelace',
  'Hopper',
  'Turing',
  'Dijkstra',
  'Liskov',
  'Knuth',
  'Perlman',
  'Thompson',
  'Hamilton',
  'Nowak',
  '李',
]
const domains = ['example.com', 'example.org', 'mail.example.net', 'corp.example']

const number = { type: 'string', default: '0' } as const
const { values } = parseArgs({ options: { subscribers: number, messages: number, workflows: number, topics: number } })
if (Number(values.workflows) > 0) await seedWorkflows(readConfig, Number(values.workflows))
const { ctx, newKey, close } = await prepare(readConfig(), console.log)
if (newKey) console.log(`API key: ${newKey}`)
const [environment] = await listEnvironments(ctx.database.db)
if (!environment) throw new Error('prepare() makes an environment')
const env = { environmentId: environment.id, organizationId: environment.organizationId, keyId: '' }
if (Number(values.subscribers) > 0) await seedSubscribers(ctx, env, Number(values.subscribers))
if (Number(values.topics) > 0) await seedTopics(ctx.database.db, env, Number(values.topics), ctx.clock())
if (Number(values.messages) > 0)
  await seedHistory(ctx.database.db, env, { total: Number(values.messages), now: ctx.clock(), batchSize: 20_000 })
await close()

async function seedSubscribers(ctx: Ctx, env: Env, total: number): Promise<void> {
  const { db } = ctx.database
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from subscriber where environment_id = ${env.environmentId}`.execute(db)
  const first = Number(rows[0]?.n ?? 0)
  const show = progressBar(total, 'subscribers')
  let [next, done] = [0, 0]
  const lane = async () => {
    while (next < total) {
      const count = Math.min(batchSize, total - next)
      const from = first + next
      next += count
      await insertSubscribers(
        db,
        env,
        Array.from({ length: count }, (_, index) => person(from + index)),
        ctx.clock(),
      )
      done += count
      show(done)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  console.log('vacuum analyze, so that counts need not visit the table …')
  await sql`set statement_timeout = 0`.execute(db)
  await sql`vacuum (analyze) subscriber`.execute(db)
}

function person(n: number): SubscriberPatch {
  const pick = (list: readonly string[], step: number) => list[Math.floor(n / step) % list.length] ?? ''
  const [firstName, lastName] = [pick(firstNames, 1), pick(lastNames, firstNames.length)]
  return {
    subscriberId: `user-${n.toString(36).padStart(6, '0')}`,
    firstName,
    lastName,
    email: `${firstName}.${lastName}.${n}@${pick(domains, 7)}`.toLowerCase(),
    phone: `+49${(1_500_000_000 + n * 7919).toString()}`,
    locale: 'en-US',
    timezone: 'Europe/Berlin',
    data: { plan: n % 10 === 0 ? 'pro' : 'free', n },
  }
}
