import { setTimeout as sleep } from 'node:timers/promises'
import { bulkBodies, inAppSteps } from '../lib/events.ts'
import { format, median } from '../lib/numbers.ts'
import { type Receiver, startReceiver } from '../lib/receiver-process.ts'
import { bySize, type Result, type Series } from '../lib/series.ts'
import { openStage, type Stage, seedPeople, type Tenant } from '../lib/stage.ts'
import { runProduct } from './b-in-app.ts'

const people = 20_000
const answerMs = 100
const mostMs = 300_000

/** `written`: its events are written down, and nobody delivers them before the run is over. */
const kinds = ['without', 'written', 'told'] as const
type Kind = (typeof kinds)[number]

/**
 * As series b, with and without one webhook endpoint that hears of everything. Both take turns, so that a slow minute hits
 * both. Whoever runs next waits until everything is delivered.
 */
export const told: Series = {
  id: 'l',
  title: 'End to end, in-app, while a webhook endpoint hears of everything',
  async run(bench) {
    const receiver = await startReceiver()
    receiver.setAnswer(answerMs)
    const settings = { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(receiver.port) }
    const stage = await openStage(bench.cluster, settings)
    const rounds = bySize(bench.size, { quick: 2, small: 1, medium: 4, full: 6 })
    const total = bySize(bench.size, { quick: 15_000, small: 5_000, medium: 20_000, full: 40_000 })
    const [silent, heard] = [await makeTenant(stage), await makeTenant(stage)]
    await stage.post(heard, '/v1/webhook-endpoints', { url: receiver.url })
    const run = async (kind: Kind) => {
      if (kind === 'written') await hold(stage, true)
      const tenant = kind === 'without' ? silent : heard
      const perSecond = await runProduct(stage, tenant, bulkBodies(total / 100, people))
      if (kind === 'written') await hold(stage, false)
      return { perSecond, behind: await drained(stage, heard, receiver) }
    }
    await run('without')
    await run('told')
    const found: Record<Kind, number[]> = { without: [], written: [], told: [] }
    const behind: number[] = []
    for (let round = 1; round <= rounds; round++) {
      // In turns first and last: each run finds more rows than the one before.
      for (const kind of round % 2 === 1 ? kinds : kinds.toReversed()) {
        const result = await run(kind)
        found[kind].push(result.perSecond)
        if (kind === 'told') behind.push(result.behind)
      }
      bench.say(
        `round ${round}: nobody hears ${format(found.without.at(-1) ?? 0)}/s, only written down ${format(found.written.at(-1) ?? 0)}/s, one hears of everything ${format(found.told.at(-1) ?? 0)}/s, delivered ${format(behind.at(-1) ?? 0)} s later`,
      )
    }
    const { events, calls } = await receiver.heard()
    await stage.close()
    await receiver.stop()
    const ratiosOf = (kind: Kind) => found[kind].map((value, n) => value / (found.without[n] ?? 1))
    const ratios = ratiosOf('told')
    return {
      figures: [
        { what: 'nobody hears', value: median(found.without), unit: 'notifications/s' },
        { what: 'one endpoint hears of everything', value: median(found.told), unit: 'notifications/s' },
        {
          what: 'ratio',
          value: median(ratios),
          unit: '',
          floor: { least: bench.size === 'full' ? 0.7 : 0.5 },
          goal: { least: 0.85 },
        },
        { what: 'ratio while nothing is delivered, only written down', value: median(ratiosOf('written')), unit: '' },
        { what: 'delivered after the last message', value: median(behind), unit: 's' },
      ],
      notes: [
        `${rounds} rounds of ${format(total)}; two events a notification (message.sent, notification.completed) to a receiver that answers after ${answerMs} ms, ${format(events)} in all, ${calls - events} of them twice; ratios ${ratios.map((it) => it.toFixed(2)).join(', ')}.`,
      ],
      plot: {
        kind: 'bars',
        title: 'In-app, end to end, with and without an endpoint',
        y: 'notifications/s',
        bars: [
          { name: 'nobody hears', value: median(found.without), tone: 1 },
          { name: 'only written down', value: median(found.written) },
          { name: 'one hears of everything', value: median(found.told) },
        ],
      },
    } satisfies Result
  },
}

async function makeTenant(stage: Stage): Promise<Tenant> {
  const tenant = await stage.tenant()
  await stage.workflow(tenant, inAppSteps)
  await seedPeople(stage, tenant, people)
  return tenant
}

/** Nobody begins to deliver, or may again. */
async function hold(stage: Stage, isHeld: boolean): Promise<void> {
  const until = isHeld ? "now() + interval '1 hour'" : 'now()'
  await stage.sql(`update webhook_endpoint set busy_by = null, busy_until = ${until}`)
}

/** Until nothing waits any more. Answers how long that took. */
async function drained(stage: Stage, { environmentId }: Tenant, receiver: Receiver): Promise<number> {
  const started = performance.now()
  for (;;) {
    const [row] = await stage.sql<{ open: boolean }>(
      `select exists (select from webhook_delivery where environment_id = $1 and next_at is not null)
         or exists (select from webhook_page where environment_id = $1) as open`,
      [environmentId],
    )
    const ms = performance.now() - started
    if (!row?.open) return ms / 1000
    if (ms > mostMs) throw new Error(`${await receiver.count()} arrived, and events still wait`)
    await sleep(200)
  }
}
