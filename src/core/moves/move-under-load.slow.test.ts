import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { type Client, client, type Reply, sender } from '../../../test/harness.ts'
import { inbox, untilQuiet } from '../../../test/moves/filled-environment.ts'
import { type CellName, otherCell, steps, useTwoCells } from '../../../test/moves/two-cells.ts'
import { allowing, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'
import { findLosses } from '../../commands/conserve.ts'

const receiver = await startHttpReceiver()
afterAll(() => receiver.close())
const two = useTwoCells()

const mail = { name: 'Mail', type: 'email', controlValues: { subject: '{{payload.n}}', body: '<p>{{payload.n}}</p>' } }
const wait = { name: 'Wait', type: 'delay', controlValues: { amount: 4, unit: 'seconds' } }
const gather = { name: 'Digest', type: 'digest', controlValues: { amount: 4, unit: 'seconds' } }

/** What a gateway does: asks where it was last, follows those who know better, and waits while it is held. */
function router(urls: Record<CellName, string>, first: CellName) {
  let at = first
  const slowest = { ms: 0 }
  const send: ReturnType<typeof sender> = async (...args) => {
    const began = performance.now()
    for (;;) {
      const reply: Reply = await sender(urls[at])(...args)
      if (reply.status === 421) at = reply.headers.get('tidings-cell') as CellName
      else if (reply.status === 503 && reply.headers.get('tidings-held')) await sleep(20)
      else {
        slowest.ms = Math.max(slowest.ms, performance.now() - began)
        return reply
      }
    }
  }
  return { send, slowest }
}

describe('an environment moved under load, there and back', { timeout: 300_000 }, () => {
  test('nothing is lost, nothing is doubled, timers fire once, no call fails', async () => {
    const settings = allowing(receiver.port)
    const [a, b] = await Promise.all([two.startNode('ca', settings), two.startNode('cb', settings)])
    const made = await two.environment('ca')
    const { send, slowest } = router({ ca: a.url, cb: b.url }, 'ca')
    const env: Client = { ...client(send, made.key), ...made, organizationId: '' }

    // Every fifth mail is refused at first: its retry waits. The others take their time.
    const seen = new Map<string, number>()
    receiver.answer = async ({ body }) => {
      const n = /"subject":"([^"]+)"/.exec(body.toString())?.[1] ?? body.toString().slice(0, 200)
      const times = (seen.get(n) ?? 0) + 1
      seen.set(n, times)
      if (times === 1 && Number(n.split('-')[1]) % 5 === 0) return { status: 503 }
      await sleep(50)
      return { status: 200, json: {} }
    }
    await makeIntegration(env, emailWebhook(`${receiver.url}/`))
    await makeWorkflow(env, 'mail', { steps: [inbox, mail] })
    await makeWorkflow(env, 'wait', { steps: [inbox, wait, mail] })
    await makeWorkflow(env, 'digest', { steps: [gather, inbox] })

    const acknowledged: { n: string; name: string; transactionId: string }[] = []
    let stopped = false
    const load = Promise.all(
      ['mail', 'wait', 'digest', 'mail'].map(async (name, who) => {
        for (let count = 0; !stopped; count++) {
          const n = `${name}${who}-${count}`
          const to = {
            subscriberId: name === 'digest' ? `d${count % 3}` : `s${count % 20}`,
            email: `s${count % 20}@example.org`,
          }
          const reply = await env.post('/v1/events/trigger', { name, to, payload: { n }, transactionId: n })
          expect(reply.status, reply.text).toBe(201)
          acknowledged.push({ n, name, transactionId: n })
          await sleep(30)
        }
      }),
    )
    await sleep(2_000)
    for (const to of ['cb', 'ca'] as const) {
      const { times, differences } = await two.move(made.environmentId, to)
      console.log(
        `under load to ${to}:`,
        times,
        `${acknowledged.length} acknowledged, slowest call ${Math.round(slowest.ms)} ms`,
      )
      expect(differences).toEqual([])
      expect(times.held).toBeLessThan(10_000)
      expect(await two.statesOf(made.environmentId)).toEqual({ [to]: 'active', [otherCell(to)]: 'departed' })
      await sleep(1_500)
    }
    stopped = true
    await load
    const { db } = two.cells.get('ca').database
    const waiting = async () => {
      const { rows } = await sql<{ open: string }>`
        select (select count(*) from job where environment_id = ${made.environmentId} and status in ('delayed', 'pending', 'queued'))
          + (select count(*) from message where environment_id = ${made.environmentId} and delivery = 'open') as open`.execute(
        db,
      )
      return Number(rows[0]?.open)
    }
    await expect.poll(waiting, { timeout: 120_000, interval: 200 }).toBe(0)
    await untilQuiet(db, made.environmentId)

    // Each accepted event has its messages, once; each mail was sent once, or twice where the first was refused.
    const { rows } = await sql<{ t: string; inbox: number; mails: number }>`
      select e.transaction_id as t,
        (select count(*)::int from message m where m.environment_id = e.environment_id and m.event_id = e.id and m.channel = 'in_app') as inbox,
        (select count(*)::int from message m where m.environment_id = e.environment_id and m.event_id = e.id
          and m.channel = 'email' and m.delivery = 'sent') as mails
      from event e where e.environment_id = ${made.environmentId}`.execute(db)
    const found = new Map(rows.map((row) => [row.t, row]))
    expect(found.size).toBe(acknowledged.length)
    expect(acknowledged.length).toBeGreaterThan(100)
    const wrong = acknowledged.filter(({ name, transactionId, n }) => {
      const row = found.get(transactionId)
      if (name === 'digest') return !row
      const isRefused = Number(n.split('-')[1]) % 5 === 0
      return row?.inbox !== 1 || row.mails !== 1 || seen.get(n) !== (isRefused ? 2 : 1)
    })
    expect(wrong.map(({ n }) => [n, found.get(n), seen.get(n)])).toEqual([])
    // Every event of a digest is in exactly one.
    const digests = await sql<{ members: number; carriers: number; messages: number }>`
      select count(*) filter (where status = 'merged')::int as members, count(*) filter (where status = 'completed')::int as carriers,
        (select count(*)::int from message m join event e on e.environment_id = m.environment_id and e.id = m.event_id
          where m.environment_id = ${made.environmentId} and e.transaction_id like 'digest%') as messages
      from job where environment_id = ${made.environmentId} and type = 'digest'`.execute(db)
    const [digest] = digests.rows
    expect((digest?.members ?? 0) + (digest?.carriers ?? 0)).toBe(
      acknowledged.filter(({ name }) => name === 'digest').length,
    )
    expect(digest?.messages).toBe(digest?.carriers)
    expect(await findLosses(a.ctx)).toEqual([])
    // The numbers moved, too.
    const counted = await sql<{ n: string }>`select sum(n) as n from (
      select n from outcome_rollup where environment_id = ${made.environmentId} and outcome = 'accepted'
      union all select n from outcome_tally where environment_id = ${made.environmentId} and outcome = 'accepted') both_tables`.execute(
      db,
    )
    expect(Number(counted.rows[0]?.n)).toBe(acknowledged.length)
    expect(await two.leftBehind()).toEqual([])
  })

  test('a try that is under way is waited for: a provider without keys is called once', async () => {
    const settings = allowing(receiver.port)
    const [a, b] = await Promise.all([two.startNode('ca', settings), two.startNode('cb', settings)])
    const made = await two.environment('ca')
    const { send } = router({ ca: a.url, cb: b.url }, 'ca')
    const env: Client = { ...client(send, made.key), ...made, organizationId: '' }
    receiver.requests.length = 0
    receiver.answer = async () => {
      await sleep(6_000)
      return { status: 200, json: {} }
    }
    await makeIntegration(env, emailWebhook(`${receiver.url}/`))
    await makeWorkflow(env, 'mail', { steps: [mail] })
    let begunAt = ''
    await two.move(
      made.environmentId,
      'cb',
      steps(async (name) => {
        if (name === 'verified') {
          const to = { subscriberId: 's', email: 's@example.org' }
          expect((await env.post('/v1/events/trigger', { name: 'mail', to, payload: { n: '1' } })).status).toBe(201)
          await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(1)
        }
        if (name === 'frozen') {
          const { rows } = await sql<{
            delivery: string
          }>`select delivery from message where environment_id = ${made.environmentId}`.execute(
            two.cells.get('ca').database.db,
          )
          begunAt = rows[0]?.delivery ?? ''
        }
      }),
    )
    expect(begunAt).toBe('sent')
    await sleep(3_000)
    expect(receiver.requests).toHaveLength(1)
    expect((await env.get('/v1/messages?limit=10')).body.data).toMatchObject([{ status: 'sent' }])
  })
})
