import { randomBytes } from 'node:crypto'
import { makeInboxToken } from '../../src/core/inbox/inbox-token.ts'
import { apiKeyId } from '../../src/lib/api-key.ts'
import { createSealer } from '../../src/lib/seal.ts'
import { bulkBodies, inAppSteps } from '../lib/events.ts'
import { startListeners } from '../lib/listeners-thread.ts'
import { format, median } from '../lib/numbers.ts'
import { bySize, type Result, type Series } from '../lib/series.ts'
import { openStage, seedPeople, type Tenant } from '../lib/stage.ts'
import { runProduct } from './b-in-app.ts'

const people = 20_000
const listening = 1_000
const hourMs = 3_600_000

/** As series b, with and without people who listen to their inbox. Both take turns, so that a slow minute hits both. */
export const connected: Series = {
  id: 'i',
  title: 'End to end, in-app, while a thousand people listen',
  async run(bench) {
    const key = randomBytes(32)
    const stage = await openStage(bench.cluster, { ENCRYPTION_KEYS: `k1:${key.toString('base64')}` })
    const rounds = bySize(bench.size, { quick: 2, small: 1, medium: 4, full: 8 })
    const total = bySize(bench.size, { quick: 15_000, small: 5_000, medium: 20_000, full: 40_000 })
    const tenant = await stage.tenant()
    await stage.workflow(tenant, inAppSteps)
    const ids = await seedPeople(stage, tenant, people)
    const tokens = ids.slice(0, listening).map((id) => tokenOf(key, tenant, id))
    const run = () => runProduct(stage, tenant, bulkBodies(total / 100, people))
    await run()

    const [alone, beside]: [number[], number[]] = [[], []]
    let heard = 0
    for (let round = 1; round <= rounds; round++) {
      // In turns first and last: each run finds more rows than the one before.
      const isFirst = round % 2 === 1
      if (isFirst) alone.push(await run())
      const listeners = await startListeners({ url: stage.api.url, tokens })
      beside.push(await run())
      heard += await listeners.close()
      if (!isFirst) alone.push(await run())
      bench.say(
        `round ${round}: nobody listens ${format(alone.at(-1) ?? 0)}/s, ${format(listening)} listen ${format(beside.at(-1) ?? 0)}/s`,
      )
    }
    await stage.close()
    const ratios = beside.map((value, n) => value / (alone[n] ?? 1))
    return {
      figures: [
        { what: 'nobody listens', value: median(alone), unit: 'notifications/s' },
        { what: 'a thousand listen', value: median(beside), unit: 'notifications/s' },
        { what: 'ratio', value: median(ratios), unit: '', floor: { least: 0.8 }, goal: { least: 0.95 } },
      ],
      notes: [
        `${rounds} rounds of ${format(total)} to ${format(people)} people, ${format(listening)} of them connected to the one API node, from a thread of the load generator; they heard of ${format(heard)} messages while they came; ratios ${ratios.map((it) => it.toFixed(2)).join(', ')}.`,
      ],
      plot: {
        kind: 'bars',
        title: 'In-app, end to end',
        y: 'notifications/s',
        bars: [
          { name: 'nobody listens', value: median(alone), tone: 1 },
          { name: 'a thousand listen', value: median(beside) },
        ],
      },
    } satisfies Result
  },
}

/** Made here: a thousand sessions from one address would be told to wait. */
function tokenOf(key: Buffer, { key: apiKey, environmentId }: Tenant, subscriberId: string): string {
  const sealer = createSealer([{ id: 'k1', bytes: key }])
  const expiresAt = new Date(Date.now() + hourMs)
  const vouchedBy = apiKeyId(apiKey)
  return makeInboxToken(sealer, { environmentId, subscriberId, contextKeys: [], vouchedBy, lookOnly: false, expiresAt })
}
