import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { writePatiently } from '../../store/connect/write-patiently.ts'
import type { Db, Env } from '../../store/database.ts'
import { type Ending, recordDeliveries } from '../../store/webhooks/deliveries.ts'
import { disableEndpoint, type EndpointRow, setFailingSince } from '../../store/webhooks/endpoints.ts'
import { disabledAfterMs } from './retry.ts'
import type { Answer } from './send-webhook.ts'

// Answers that come within this time are recorded in one transaction.
const gatherMs = 20
const mostTogether = 100

export type Recorder = {
  record(ending: Ending, answer: Answer): void
  /** Nothing more is to be sent: the endpoint was disabled. */
  isOver(): boolean
  /** Waits until everything is recorded. */
  end(): Promise<void>
}

type Waiting = { ending: Ending; answer: Answer }

/** Records what became of the tries at one endpoint, and what they say about it. */
export function createRecorder(ctx: Ctx, env: Env, endpoint: EndpointRow): Recorder {
  const waiting: Waiting[] = []
  let writing: Promise<void> | null = null
  let failingSince = endpoint.failing_since
  let isOver = false

  /** Returns why it is to be disabled, if it is. */
  async function judge(db: Db, some: readonly Waiting[], now: Date): Promise<string | null> {
    const kinds = some.map(({ answer }) => answer.outcome)
    if (kinds.some((it) => it.kind === 'rejected' && it.because === 'gone')) return 'It answered 410 (gone).'
    if (kinds.some((it) => it.kind === 'sent')) {
      if (failingSince) await setFailingSince(db, env, endpoint.id, null)
      failingSince = null
      return null
    }
    const hasFailed = some.some(({ ending }) => ending.try?.outcome === 'failed')
    if (!hasFailed) return null
    if (!failingSince) await setFailingSince(db, env, endpoint.id, now)
    failingSince ??= now
    if (now.getTime() - failingSince.getTime() < disabledAfterMs) return null
    return `Nothing could be delivered since ${failingSince.toISOString()}.`
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < mostTogether) await sleep(gatherMs)
      const some = waiting.splice(0, mostTogether)
      const endings = some.map(({ ending }) => ending)
      const now = ctx.clock()
      const before = failingSince
      const record = async (db: Db) => {
        failingSince = before
        await recordDeliveries(db, env, endpoint.id, endings)
        const why = await judge(db, some, now)
        return why !== null && (await disableEndpoint(db, env, endpoint.id, why, now)) ? why : null
      }
      let disabled: string | null = null
      try {
        await writePatiently(async () => {
          disabled = await ctx.database.write(env, record)
        })
      } catch (error) {
        // They are made again: they may have arrived.
        ctx.log.error({ err: error, endpointId: endpoint.id }, 'what became of webhooks could not be recorded')
        continue
      }
      for (const { ending } of some) if (ending.try) ctx.metrics.webhookTries.inc({ outcome: ending.try.outcome })
      if (disabled === null) continue
      isOver = true
      ctx.metrics.webhooksDisabled.inc()
      ctx.log.warn({ environmentId: env.environmentId, endpointId: endpoint.id }, 'a webhook endpoint was disabled')
    }
    writing = null
  }

  return {
    record(ending, answer) {
      waiting.push({ ending, answer })
      writing ??= write()
    },
    isOver: () => isOver,
    async end() {
      while (writing) await writing
    },
  }
}
