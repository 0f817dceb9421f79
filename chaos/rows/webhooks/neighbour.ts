import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../../lib/http.ts'
import { allowing, until } from '../../lib/outside-stage.ts'
import { expectAtLeast, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../simulators/webhook-receiver.ts'
import { addEndpoint, judgeTold, makeTeller, tell } from './stage.ts'

// What a machine's own unrest makes of a percentile, and the half second in which a lane begins: below it nothing is told apart.
const floorMs = 1_000
const everyMs = 60

type Phase = { name: string; p50: number; p99: number }

/** A receiver that is fast, alone; then beside one that hangs and one that answers 500 to everything, in one environment. */
export async function slowBesideFast(world: World): Promise<string> {
  const count = world.small ? 100 : 250
  const fast = await startWebhookReceiver(() => ({ kind: 'ok' }))
  const hanging = await startWebhookReceiver(() => ({ kind: 'hang' }))
  const failing = await startWebhookReceiver(() => ({ kind: 'refuse', status: 500 }))
  const node = await world.startNode(allowing([fast.port, hanging.port, failing.port]), 'start')
  const tenant = await makeTeller(world, node.url)
  const endpoint = await addEndpoint(node.url, tenant, fast)
  await measure(node.url, tenant, fast, 'warm', 30)
  const alone = await measure(node.url, tenant, fast, 'alone', count)
  for (const bad of [hanging, failing]) await addEndpoint(node.url, tenant, bad)
  await measure(node.url, tenant, fast, 'filling', 60)
  const beside = await measure(node.url, tenant, fast, 'beside', count)
  const { events } = await judgeTold(world, tenant, endpoint)
  expectAtLeast(hanging.heard.length, 10, 'calls that hang')
  expectAtLeast(failing.heard.length, 10, 'calls that failed')
  const most = 2 * Math.max(alone.p99, floorMs)
  const both = `${toText(alone)}; ${toText(beside)}`
  expectThat(beside.p99 < most, `a fast receiver beside two that are not: ${both} (at most ${most.toFixed(0)} ms)`)
  return `${both} (below ${most.toFixed(0)} ms); ${events} events, each arrived; ${hanging.heard.length} calls hung, ${failing.heard.length} failed`
}

const toText = ({ name, p50, p99 }: Phase) => `${name}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`

/** One after the other, and how long each took from its change to the receiver. */
async function measure(
  url: string,
  tenant: Tenant,
  receiver: WebhookReceiver,
  name: string,
  count: number,
): Promise<Phase> {
  const before = receiver.heard.length
  for (let n = 0; n < count; n++) {
    await tell(url, tenant, [`${name}-${n}`])
    await sleep(everyMs)
  }
  await until(() => receiver.heard.length >= before + 2 * count, 60_000, `the events of "${name}" at the fast receiver`)
  const took = receiver.heard
    .slice(before)
    .map(({ at, body }) => at - Date.parse(JSON.parse(body).timestamp))
    .sort((a, b) => a - b)
  const percentile = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
  return { name, p50: percentile(0.5), p99: percentile(0.99) }
}
