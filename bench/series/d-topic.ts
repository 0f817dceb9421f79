import { setTimeout as sleep } from 'node:timers/promises'
import { progressBar } from '../../scripts/progress-bar.ts'
import { readSample, type Sample, writeBare } from '../bare.ts'
import { inAppSteps, payloadOf, workflowId } from '../lib/events.ts'
import { format } from '../lib/numbers.ts'
import { type Bench, bySize, type Figure, type Series } from '../lib/series.ts'
import { openStage, pageSizeOf, type Stage, seedPeople, type Tenant } from '../lib/stage.ts'

type FanOut = { members: number; seconds: number; perSecond: number; bare: number; memoryMb: number }

/** One trigger to a topic, until its last member has the message. */
export const toTopic: Series = {
  id: 'd',
  title: 'Topic fan-out',
  async run(bench) {
    const sizes = bySize(bench.size, {
      quick: [2_000, 10_000],
      small: [2_000, 10_000],
      medium: [10_000, 100_000],
      full: [10_000, 100_000, 1_000_000],
    })
    const stage = await openStage(bench.cluster)
    const [tenant, bareTenant] = [await stage.tenant(), await stage.tenant()]
    await stage.workflow(tenant, inAppSteps)
    const people = await seedPeople(stage, tenant, Math.max(...sizes))
    await makeTopics(stage, tenant, [500, ...sizes])
    await fanOut(stage, tenant, 500)

    const measured: FanOut[] = []
    for (const members of sizes) {
      const { seconds, memoryMb } = await fanOut(stage, tenant, members)
      const pageSize = await pageSizeOf(stage, tenant)
      const sample = await readSample({ url: stage.databaseUrl, ...tenant, notifications: pageSize, withEvents: false })
      const target = { url: stage.databaseUrl, environmentId: bareTenant.environmentId, people }
      // Its speed is known after so many; the product has written all of them.
      const total = Math.min(members, 200_000)
      const bare = await bestBare(sample, target, { total, pageSize })
      const perSecond = members / seconds
      measured.push({ members, seconds, perSecond, bare, memoryMb })
      bench.say(
        `${format(members)} members: ${format(seconds)} s, ${format(perSecond)}/s, bare ${format(bare)}/s, worker at most ${memoryMb} MB`,
      )
    }
    await stage.close()
    return {
      figures: measured.flatMap((it) => toFigures(bench, it, it.members === sizes.at(-1))),
      notes: [
        'From the call of the trigger to the commit of the last page. Memory: the most the worker had resident (VmHWM) until then. Bare: notification, job and message of each member; the event is one for all.',
      ],
      plot: {
        kind: 'lines',
        title: 'Fan-out to a topic',
        x: 'members',
        y: 'notifications/s',
        logX: true,
        dots: true,
        lines: [
          { name: 'Tidings', points: measured.map((it) => [it.members, it.perSecond] as const) },
          { name: 'bare PostgreSQL', points: measured.map((it) => [it.members, it.bare] as const) },
        ],
      },
    }
  },
}

/** By SQL: ten thousand requests would only cost time. A topic of n has the first n people. */
async function makeTopics(stage: Stage, tenant: Tenant, sizes: readonly number[]): Promise<void> {
  for (const members of sizes) {
    await stage.post(tenant, '/v2/topics', { key: `t-${members}` })
    const show = progressBar(members, 'members')
    for (let from = 0; from < members; from += 50_000) {
      await stage.sql(
        `insert into topic_subscription (environment_id, topic_id, id, subscriber_id)
         select s.environment_id, t.id, (substr(uuid_at(now())::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, s.id
         from generate_series($3::int, $4::int) n
         join subscriber s on s.environment_id = $1 and s.subscriber_id = 's-' || n
         join topic t on t.environment_id = $1 and t.key = $2`,
        [tenant.environmentId, `t-${members}`, from, Math.min(members, from + 50_000) - 1],
      )
      if (members > 50_000) show(Math.min(members, from + 50_000))
    }
  }
  await stage.sql('vacuum (analyze) topic_subscription')
}

async function fanOut(stage: Stage, tenant: Tenant, members: number): Promise<{ seconds: number; memoryMb: number }> {
  const started = performance.now()
  const to = { type: 'Topic', topicKey: `t-${members}` }
  const event = { name: workflowId, to, payload: payloadOf(1), transactionId: `fan-out-${members}` }
  await stage.post(tenant, '/v1/events/trigger', event)
  const show = progressBar(members, 'reached')
  while (true) {
    const [row] = await stage.sql<{ state: string; notified: number }>(
      `select e.state, e.notified_count as notified from event_key k
       join event e on e.environment_id = k.environment_id and e.id = k.event_id
       where k.environment_id = $1 and k.transaction_id = $2`,
      [tenant.environmentId, event.transactionId],
    )
    const seconds = (performance.now() - started) / 1000
    if (row?.state === 'expanded') {
      if (row.notified !== members) throw new Error(`${members} members, ${row.notified} were notified`)
      return { seconds, memoryMb: stage.worker.memoryMb('VmHWM') }
    }
    if (members >= 50_000) show(row?.notified ?? 0)
    if (seconds > 900) throw new Error(`${row?.notified} of ${members} after 15 minutes`)
    await sleep(members > 50_000 ? 250 : 25)
  }
}

async function bestBare(
  sample: Sample,
  target: Parameters<typeof writeBare>[1],
  options: { total: number; pageSize: number },
): Promise<number> {
  const tried: number[] = []
  for (const connections of [2, 4]) tried.push(await writeBare(sample, target, { ...options, connections }))
  return Math.max(...tried)
}

function toFigures({ size }: Bench, it: FanOut, isLargest: boolean): Figure[] {
  const who = `${format(it.members)} members`
  const ratio: Figure = { what: `${who}: ratio to bare`, value: it.perSecond / it.bare, unit: '' }
  const memory: Figure = { what: `${who}: memory of the worker`, value: it.memoryMb, unit: 'MB' }
  return [
    { what: `${who}: time`, value: it.seconds, unit: 's' },
    { what: `${who}: rate`, value: it.perSecond, unit: 'notifications/s' },
    { what: `${who}: bare`, value: it.bare, unit: 'notifications/s' },
    isLargest ? { ...ratio, floor: { least: size === 'full' ? 0.35 : 0.15 }, goal: { least: 0.7 } } : ratio,
    isLargest ? { ...memory, goal: { most: 300 } } : memory,
  ]
}
