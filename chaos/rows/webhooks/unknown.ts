import { allowing, startNodes } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast } from '../../lib/red.ts'
import { hookNote, shortBudgets } from '../../lib/short-budgets.ts'
import type { World } from '../../lib/world.ts'
import type { Action } from '../../simulators/provider-simulator.ts'
import { startWebhookReceiver } from '../../simulators/webhook-receiver.ts'
import { addEndpoint, judgeTold, makeTeller, tell, triesAt, untilTold } from './stage.ts'

// The first pause is 5 s, a tenth more or less.
const earliestMs = 4_400
// Longer than a call may take.
const tooLateMs = 14_000
const bad: Action[] = [
  { kind: 'accept then reset' },
  { kind: 'ok', delayMs: tooLateMs },
  { kind: 'garbage' },
  { kind: 'refuse', status: 502 },
]

/** One event in eight is taken by its receiver, and nobody hears so. It comes again, by the same id, and not at once. */
export async function unknownAnswers(world: World): Promise<string> {
  const count = world.small ? 100 : 400
  let dealt = 0
  const receiver = await startWebhookReceiver(({ before, index }) => {
    const isBad = before === 0 && index % 8 === 3
    return (isBad && bad[dealt++ % bad.length]) || { kind: 'ok', delayMs: 20 }
  })
  const settings = { ...allowing([receiver.port]), ...shortBudgets }
  const [api] = await startNodes(world, settings, ['start', 'worker'])
  const url = api?.url ?? ''
  const tenant = await makeTeller(world, url)
  const endpoint = await addEndpoint(url, tenant, receiver)
  await tell(
    url,
    tenant,
    times(count, (n) => `unknown-${n}`),
  )
  await untilTold(world, tenant, count, 90_000)
  const { events, requests, again } = await judgeTold(world, tenant, endpoint)
  const faults = collectFaults()
  const tries = new Map((await triesAt(world, endpoint)).map((row) => [row.id, row]))
  for (const [id, [first, second, ...more]] of Map.groupBy(receiver.heard, (it) => it.id)) {
    const outcomes = String(tries.get(id)?.outcomes)
    const isDoubtful = first?.action !== 'ok' || second !== undefined
    if (outcomes !== (isDoubtful ? 'failed,delivered' : 'delivered')) faults.add(`${id}: the tries are ${outcomes}`)
    if (!first || !second) continue
    if (more.length > 0) faults.add(`${id} came ${2 + more.length} times`)
    if (second.at - first.at < earliestMs) faults.add(`${id} came again after ${second.at - first.at} ms`)
  }
  if (again !== dealt) faults.add(`${dealt} faults were dealt out, and ${again} requests came again`)
  faults.end()
  expectAtLeast(dealt, events / 16, 'faults dealt out')
  return `${dealt} of ${events} events were taken and not acknowledged (cut, too late, no HTTP, 502; ${hookNote}): each came again once, by its id and body, no sooner than ${earliestMs / 1000} s later; ${requests} requests, every signature right`
}
