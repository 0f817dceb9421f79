import { allowing, startNodes, until } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { expectAtLeast } from '../../lib/red.ts'
import { hookNote, shortBudgets } from '../../lib/short-budgets.ts'
import type { World } from '../../lib/world.ts'
import { startWebhookReceiver } from '../../simulators/webhook-receiver.ts'
import { addEndpoint, judgeTold, makeTeller, tell, untilTold } from './stage.ts'

const kills = 10

/** Workers die by kill -9 with webhooks under way; whoever has the lane of the endpoint is killed first. */
export async function killedWhileTelling(world: World): Promise<string> {
  const rounds = world.small ? 2 : kills
  const perRound = world.small ? 100 : 200
  const { random } = world
  const receiver = await startWebhookReceiver(() => ({ kind: 'ok', delayMs: random.integer(50, 400) }))
  const settings = { ...allowing([receiver.port]), ...shortBudgets }
  const api = await world.startNode(settings, 'api')
  const current = (await startNodes(world, settings, ['worker', 'worker'])).map((node) => Promise.resolve(node))
  const tenant = await makeTeller(world, api.url)
  const endpoint = await addEndpoint(api.url, tenant, receiver)
  let [underFire, lost] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    const before = receiver.heard.length
    await tell(
      api.url,
      tenant,
      times(perRound, (n) => `told-${round}-${n}`),
    )
    const enough = before + random.integer(20, 80)
    await until(() => receiver.heard.length >= enough, 90_000, `request ${enough} of round ${round}`)
    // Which of the two has the lane is not ours to know: both die, one after the other.
    for (const n of [0, 1]) {
      await (await current[n])?.kill()
      const [open] = await world.sql<{ count: number }>('select count(*)::int from webhook_delivery where in_flight')
      if (n === 1 && (open?.count ?? 0) > 0) underFire++
      lost += n === 1 ? (open?.count ?? 0) : 0
      current[n] = world.startNode(settings, 'worker')
    }
    await Promise.all(current)
  }
  const seconds = await untilTold(world, tenant, perRound * rounds, 90_000)
  const { events, requests, again } = await judgeTold(world, tenant, endpoint)
  expectAtLeast(underFire, Math.ceil(rounds * 0.7), 'kills while webhooks were under way')
  expectAtLeast(events, 2 * perRound * rounds, 'events')
  return `${rounds} × kill -9 of both workers, ${underFire} with webhooks under way, ${lost} in all (${hookNote}); ${events} events, 0 lost, ${requests} requests, ${again} again, each by its id and body, every signature right; all told ${seconds.toFixed(1)} s after the last`
}
