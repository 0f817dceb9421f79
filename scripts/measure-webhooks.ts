/**
 * npm run measure-webhooks      (--answer 100 --rate 1000 --seconds 20 --backlog 20000)
 *
 * One endpoint whose receiver answers after 100 ms. First it drains what has piled up: the most that one endpoint is told
 * in a second. Then so many in-app messages a second are triggered, each an event, and the time from the change to the
 * receiver is printed. On a PostgreSQL of its own, with an API process, a worker and a receiver. Exits 1 when fewer arrive
 * than were triggered, or the endpoint falls behind.
 */
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startCluster } from '../bench/lib/cluster.ts'
import { bulkBodies, bulkPath, inAppSteps } from '../bench/lib/events.ts'
import { sendLoad } from '../bench/lib/load.ts'
import { format, quantile } from '../bench/lib/numbers.ts'
import { type Receiver, startReceiver } from '../bench/lib/receiver-process.ts'
import { openStage, type Stage, seedPeople, type Tenant, untilExpanded } from '../bench/lib/stage.ts'
import { readUsage, spentBetween, type Usage } from '../bench/lib/usage.ts'
import { runToEnd } from '../chaos/lib/clean-up.ts'

const { values } = parseArgs({
  options: {
    answer: { type: 'string', default: '100' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    backlog: { type: 'string', default: '20000' },
  },
})
const [answerMs, rate, seconds] = [Number(values.answer), Number(values.rate), Number(values.seconds)]
const backlog = Math.ceil(Number(values.backlog) / 100) * 100
const people = 20_000
// A lag that grows without end is told by this: the last events of the load must not be later than that.
const mostBehindMs = 5_000

await runToEnd(async () => {
  const receiver = await startReceiver()
  receiver.setAnswer(answerMs)
  const settings = { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(receiver.port) }
  const stage = await openStage(await startCluster(), settings)
  const tenant = await stage.tenant()
  await stage.workflow(tenant, inAppSteps)
  await seedPeople(stage, tenant, people)
  const made = await stage.post(tenant, '/v1/webhook-endpoints', { url: receiver.url, eventTypes: ['message.sent'] })
  const endpoint = `/v1/webhook-endpoints/${(made as { _id: string })._id}`
  console.log(`a receiver that answers after ${answerMs} ms · ${loadText()}`)
  const most = await drain(stage, tenant, receiver, endpoint)
  const isBorne = await sustain(stage, tenant, receiver)
  await stage.close()
  await receiver.stop()
  console.log(`${most >= rate && isBorne ? 'as' : 'NOT as'} wanted: ${format(rate)}/s · ${loadText()}`)
  process.exitCode = most >= rate && isBorne ? 0 : 1
})

/** What has piled up goes out as fast as it can. Answers events per second, without the first and the last tenth. */
async function drain(stage: Stage, tenant: Tenant, receiver: Receiver, endpoint: string): Promise<number> {
  await trigger(stage, tenant, 1_000, undefined)
  await untilHeard(receiver, 1_000)
  await receiver.heard()
  // Nobody begins meanwhile.
  const hold = (until: string) => stage.sql(`update webhook_endpoint set busy_by = null, busy_until = ${until}`)
  await sleep(1_000)
  await hold("now() + interval '1 hour'")
  await trigger(stage, tenant, backlog, undefined)
  await untilExpanded(stage, tenant, 180_000)
  await sleep(1_000)
  const before = await readUsage(stage)
  await hold('now()')
  const marks: { at: number; events: number }[] = []
  for (let events = 0; events < backlog; await sleep(100)) {
    events = await receiver.count()
    marks.push({ at: performance.now(), events })
    if (performance.now() - (marks[0]?.at ?? 0) > 180_000)
      throw new Error(`${events} of ${backlog} arrived: ${endpoint}`)
  }
  const spent = spentBetween(before, await readUsage(stage))
  const heard = await receiver.heard()
  const inside = marks.filter(({ events }) => events >= backlog / 10 && events <= (backlog * 9) / 10)
  const [first, last] = [inside[0], inside.at(-1)]
  const perSecond = first && last ? ((last.events - first.events) / (last.at - first.at)) * 1000 : 0
  const bound = (heard.mostAtOnce / Math.max(answerMs, 1)) * 1000
  console.log(
    `${format(backlog)} waiting: ${format(perSecond)}/s, at most ${heard.mostAtOnce} calls at once, which allow ${format(bound)}/s (ratio ${(perSecond / bound).toFixed(2)}); ${heard.calls - heard.events} came twice`,
  )
  console.log(`  for each: ${costText(spent, backlog)} · ${loadText()}`)
  return perSecond
}

/** As much as asked for, for so long. */
async function sustain(stage: Stage, tenant: Tenant, receiver: Receiver): Promise<boolean> {
  const total = Math.ceil((rate * seconds) / 100) * 100
  const before = await readUsage(stage)
  await trigger(stage, tenant, total, rate / 100)
  await untilHeard(receiver, total)
  const spent = spentBetween(before, await readUsage(stage))
  const { lags, calls, events, firstAt, lastAt, mostAtOnce } = await receiver.heard()
  const perSecond = (events / (lastAt - firstAt)) * 1000
  const end = quantile(lags.slice(-Math.ceil(rate)), 0.5)
  console.log(
    `${format(rate)}/s for ${seconds} s: ${format(perSecond)}/s delivered, lag p50 ${format(quantile(lags, 0.5))} ms, p99 ${format(quantile(lags, 0.99))} ms, p50 of the last second ${format(end)} ms; at most ${mostAtOnce} calls at once, ${calls - events} came twice`,
  )
  console.log(`  for each, with its trigger: ${costText(spent, total)} · ${loadText()}`)
  return end < mostBehindMs
}

async function trigger(stage: Stage, tenant: Tenant, events: number, perSecond: number | undefined): Promise<void> {
  const target = { url: stage.api.url, key: tenant.key, path: bulkPath }
  const bodies = bulkBodies(events / 100, people)
  await sendLoad(target, { bodies, connections: 4, ...(perSecond && { perSecond }) })
}

async function untilHeard(receiver: Receiver, events: number): Promise<void> {
  for (const deadline = Date.now() + 180_000; ; await sleep(50)) {
    const count = await receiver.count()
    if (count >= events) return
    if (Date.now() > deadline) throw new Error(`${count} of ${events} arrived`)
  }
}

function costText(spent: Usage, events: number): string {
  const per = (value: number) => format(value / events)
  const statements = spent.statements === null ? '' : `, ${per(spent.statements)} statements`
  return `processor ms: API ${per(spent.apiCpuMs)}, worker ${per(spent.workerCpuMs)}, PostgreSQL ${per(spent.postgresCpuMs)}${statements}, ${per(spent.transactions)} transactions`
}

function loadText(): string {
  return `load average ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} cores`
}
