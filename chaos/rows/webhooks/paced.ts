import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { allowing, startNodes } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, expectEqual } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { startWebhookReceiver } from '../../simulators/webhook-receiver.ts'
import { addEndpoint, judgeTold, makeTeller, tell, triesAt, untilTold } from './stage.ts'

const pauseMs = 3_000
// Calls that had left before the first 429 was read, and a machine that is busy.
const unawareMs = 700
// An answer is read some milliseconds after it was given, and the pause begins then.
const soonerMs = 20
const everyNth = 40
const [perTurn, turnMs] = [4, 150]

/** A receiver asks two workers to wait, again and again. They do, nothing counts as a failure, and everything arrives. */
export async function paced(world: World): Promise<string> {
  const [count, windows] = world.small ? [120, 2] : [400, 5]
  let [since, begun, pausedUntil] = [0, 0, 0]
  const starts: number[] = []
  const receiver = await startWebhookReceiver((call) => {
    if (call.at < pausedUntil) return refusal
    if (++since % everyNth === 0 && begun < windows) {
      begun++
      starts.push(call.at)
      pausedUntil = call.at + pauseMs
      return refusal
    }
    return { kind: 'ok', delayMs: 20 }
  })
  const [api] = await startNodes(world, allowing([receiver.port]), ['start', 'worker'])
  const url = api?.url ?? ''
  const tenant = await makeTeller(world, url)
  const endpoint = await addEndpoint(url, tenant, receiver)
  // All through the pauses something is new, so that nobody is silent for want of events.
  for (let n = 0; n < count; n += perTurn) {
    await tell(
      url,
      tenant,
      times(perTurn, (m) => `paced-${n + m}`),
    )
    await sleep(turnMs)
  }
  await untilTold(world, tenant, count, 90_000)
  const { events } = await judgeTold(world, tenant, endpoint)
  const faults = collectFaults()
  for (const start of starts) {
    const early = receiver.heard.filter((it) => it.at > start + unawareMs && it.at < start + pauseMs - soonerMs)
    if (early.length > 0)
      faults.add(`${early.length} calls within the pause, one ${(early[0]?.at ?? 0) - start} ms after it began`)
  }
  const tries = await triesAt(world, endpoint)
  const failed = tries.filter((row) => row.failures > 0 || row.outcomes.includes('failed'))
  if (failed.length > 0) faults.add(`${failed.length} events count a 429 as a failure: ${JSON.stringify(failed[0])}`)
  faults.end()
  const known = await send(url, 'GET', `/v1/webhook-endpoints/${endpoint.id}`, { key: tenant.key })
  expectEqual([at(known.body, 'status'), at(known.body, 'failingSince')], ['enabled', null], 'the endpoint afterwards')
  const refused = receiver.heard.filter((it) => it.action === '429').length
  expectEqual(begun, windows, 'pauses asked for')
  expectAtLeast(refused, windows, 'calls that were refused')
  return `${windows} × 429 with Retry-After ${pauseMs / 1000}, two workers: ${refused} calls refused, all within ${unawareMs} ms, none in the rest of the pause; ${events} events arrived, 0 failures counted, the endpoint enabled`
}

const refusal = { kind: 'refuse', status: 429, headers: { 'retry-after': String(pauseMs / 1000) } } as const
