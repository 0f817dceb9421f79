import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import type { Arrivals, ProviderMessage, ProviderRequest } from '../provider.ts'

export type Provider = {
  port: number
  setLatency(latencyMs: number): void
  count(): Promise<number>
  /** Since the last time somebody asked. */
  arrivals(): Promise<Arrivals>
  stop(): Promise<void>
}

export async function startProvider(): Promise<Provider> {
  const child = fork(join(import.meta.dirname, '../provider.ts'))
  const stop = whenOver(async () => {
    if (child.exitCode !== null) return
    child.kill()
    await once(child, 'exit')
  })
  const reply = async () => ((await once(child, 'message')) as [ProviderMessage])[0]
  const ask = async (what: ProviderRequest) => {
    const answer = reply()
    child.send(what)
    return answer
  }
  const first = await reply()
  return {
    port: 'port' in first ? first.port : 0,
    setLatency: (latencyMs) => child.send({ latencyMs } satisfies ProviderRequest),
    async count() {
      const answer = await ask('count')
      return 'count' in answer ? answer.count : 0
    },
    async arrivals() {
      const answer = await ask('arrivals')
      return 'arrivals' in answer ? answer.arrivals : {}
    },
    stop,
  }
}
