import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Tenant } from '../../lib/http.ts'
import { makeWorkflow, workflowId } from '../../lib/trigger-load.ts'
import { type Call, noReply } from './mixed-load.ts'

export type Probe = {
  calls: readonly Call[]
  stop(): Promise<void>
}

/** One event after the other to one tenant, each an inbox message; how long each call takes. */
export async function startProbe(url: string, tenant: Tenant, everyMs = 50): Promise<Probe> {
  await makeWorkflow(url, tenant)
  const calls: Call[] = []
  let stopped = false
  const run = async () => {
    for (let n = 0; !stopped; n++) {
      const started = performance.now()
      const body = { name: workflowId, transactionId: `probe-${n}`, to: `person-${n % 20}` }
      const reply = await send(url, 'POST', '/v1/events/trigger', { key: tenant.key, body }).catch(noReply)
      calls.push({ started, ms: performance.now() - started, status: reply?.status ?? null })
      await sleep(everyMs)
    }
  }
  const done = run()
  return {
    calls,
    async stop() {
      stopped = true
      await done
    },
  }
}

export type Latency = { count: number; p50: number; p99: number; most: number; failed: number }

export function latencyOf(calls: readonly Call[], from = 0, to = Number.POSITIVE_INFINITY): Latency {
  const some = calls.filter(({ started }) => started >= from && started < to)
  const sorted = some.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const failed = some.filter(({ status }) => status !== 201).length
  return { count: some.length, p50: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? Number.NaN, failed }
}

export const tell = ({ p50, p99, count }: Latency) => `${p50.toFixed(0)}/${p99.toFixed(0)} ms (${count})`
