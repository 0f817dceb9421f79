import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, expect, test, vi } from 'vitest'
import { type Client, useHarness } from '../../test/harness.ts'
import { readSamples, tableOf } from '../../test/metrics-text.ts'
import { allowing, emailStep, emailWebhook, makeIntegration } from '../../test/outside.ts'
import { startHttpReceiver } from '../../test/peers/http-receiver.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../test/pipeline.ts'
import { findLosses } from '../commands/conserve.ts'
import { readConservation } from '../store/history/conservation-rows.ts'
import checkConservation from './check-conservation.ts'

const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
const inbox = { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } }
const people = ['ada', 'bob', 'cem']
let env: Client

beforeAll(async () => {
  env = await h.environment()
  await makeIntegration(env, emailWebhook(receiver.url))
  await makeWorkflow(env, 'hello', { steps: [inbox, emailStep] })
})

/** One event to three people, in the inbox and by e-mail, all done. */
async function send(transactionId: string): Promise<void> {
  const to = people.map((subscriberId) => ({ subscriberId, email: `${subscriberId}@example.org` }))
  expect(await trigger(env, { to, transactionId })).toMatchObject({ status: 'processed' })
  await h.settled()
}

/** What is missing now, as `conserve` names it. */
async function lossesOf(client: Client): Promise<string[]> {
  const losses = await findLosses(h.ctx)
  return losses
    .filter((loss) => loss.environmentId === client.environmentId)
    .map((loss) => `${loss.missing} ${loss.table} of ${loss.of.split(' ')[0]}`)
    .sort()
}

async function wholeRound(): Promise<void> {
  const before = (await readConservation(h.admin)).round_ended_at?.getTime()
  h.ctx.clock = () => new Date(Date.now() + Math.random() * 1000)
  while ((await readConservation(h.admin)).round_ended_at?.getTime() === before) await checkConservation.run(h.ctx)
}

/** What is asked of the database is remembered for two seconds. */
async function expectMetric(missing: Record<string, number>): Promise<void> {
  const shown = async () => {
    const { text } = await h.send('GET', '/metrics')
    expect(tableOf(readSamples(text), 'tidings_conservation_missing', 'table')).toEqual(missing)
  }
  await vi.waitFor(shown, { timeout: 5_000, interval: 100 })
}

/** Each deletes one row, or one kind of rows, of the event with this transactionId. */
const damages = {
  event_key: {
    run: () => sql`delete from event_key where transaction_id = 'event_key'`,
    says: ['1 event_key of event'],
  },
  event: { run: () => sql`delete from event where transaction_id = 'event'`, says: ['1 event of transactionId'] },
  notification: {
    run: () => sql`
      with n as (delete from notification where ctid = (select ctid from notification where transaction_id = 'notification'
        limit 1) returning id),
      j as (delete from job using n where job.notification_id = n.id)
      delete from message using n where message.notification_id = n.id`,
    says: ['1 notification of event'],
  },
  all: {
    run: () => sql`
      with n as (delete from notification where transaction_id = 'all' returning id)
      delete from job using n where job.notification_id = n.id`,
    says: ['3 notification of event'],
  },
  job: {
    run: () => sql`delete from job where id = (select job_id from message where transaction_id = 'job' limit 1)`,
    says: ['1 job of notification'],
  },
  inbox: { run: () => deleteMessageOf('inbox', 'in_app'), says: ['1 message of job'] },
  mail: { run: () => deleteMessageOf('mail', 'email'), says: ['1 message of job'] },
  attempt: {
    run: () => sql`delete from attempt where message_id = (select id from message
      where transaction_id = 'attempt' and channel = 'email' limit 1)`,
    says: ['1 attempt of message'],
  },
}

function deleteMessageOf(transactionId: string, channel: string) {
  return sql`delete from message where id = (select id from message
    where transaction_id = ${transactionId} and channel = ${channel} limit 1)`
}

test('a row that is gone is named, whichever table it was of, and counted until a whole round finds nothing', async () => {
  const lines: string[] = []
  h.ctx.log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  for (const name of Object.keys(damages)) await send(name)
  expect(await lossesOf(env)).toEqual([])
  await wholeRound()
  await expectMetric({})

  const expected: string[] = []
  for (const [name, { run, says }] of Object.entries(damages)) {
    await run().execute(h.admin)
    expected.push(...says)
    expect(await lossesOf(env), name).toEqual(expected.sort())
  }
  await wholeRound()
  const counted = { event_key: 1, event: 1, notification: 4, job: 1, message: 2, attempt: 1 }
  await expectMetric(counted)
  expect(lines.join()).toContain('rows are missing')

  // Given up on: what is left over of them goes too, and the next round finds nothing.
  for (const table of ['event', 'event_key', 'notification']) {
    await sql`delete from ${sql.table(table)} where transaction_id in (${sql.join(Object.keys(damages))})`.execute(
      h.admin,
    )
  }
  await wholeRound()
  await expectMetric({})
})

test('what people delete, cancel and erase is not missing; neither is what still waits', async () => {
  await send('kept')
  const { data } = (await env.get('/v1/messages?transactionId=kept&limit=10')).body
  const [first] = data.filter((it: { channel: string }) => it.channel === 'email')
  expect((await env.delete(`/v1/messages/${first._id}`)).status).toBe(200)
  expect((await env.post('/v2/subscribers/ada/notifications/delete', {})).status).toBe(204)
  expect((await env.delete('/v2/subscribers/bob')).status).toBe(200)
  await h.drain()
  // Canceled before its expansion: nobody was promised anything.
  h.ctx.clock = () => new Date()
  await trigger(env, { to: people, transactionId: 'canceled' })
  await env.delete('/v1/events/trigger/canceled')
  await h.settled()
  expect(await lossesOf(env)).toEqual([])
})

test('an event larger than a page is compared in parts', async () => {
  const many = await h.environment()
  await makeWorkflow(many)
  await makeSubscribers(
    many,
    Array.from({ length: 2_100 }, (_, n) => `p${n}`),
  )
  await many.post('/v1/events/trigger/broadcast', { name: 'hello', payload: {}, transactionId: 'many' })
  await h.drain()
  expect(await lossesOf(many)).toEqual([])
  const gone = sql`select id from notification where environment_id = ${many.environmentId} order by id desc limit 1`
  await sql`delete from job where notification_id = (${gone})`.execute(h.admin)
  await sql`delete from notification where id = (${gone})`.execute(h.admin)
  expect(await lossesOf(many)).toEqual(['1 notification of event'])
})
