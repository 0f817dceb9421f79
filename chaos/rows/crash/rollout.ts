import { setTimeout as sleep } from 'node:timers/promises'
import { NoReply, send } from '../../lib/http.ts'
import {
  type Acknowledged,
  allowing,
  genericSms,
  makeSender,
  smtp,
  triggerEach,
  untilSettled,
} from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import type { ApiNode, Role } from '../../lib/process.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { onlyQueued } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { judgeSending, table } from '../../oracles/sending.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'
import { startSmtpSimulator } from '../../simulators/smtp-simulator.ts'

const answerMs = 3_000
// Of each provider, with every request: a little more mail than the workers' connections can take.
const perBulk = 4
const pauseMs = 250
const probeEveryMs = 200

/**
 * A new version is rolled out under load: workers and API nodes are stopped and replaced one after the other, while
 * providers without keys take 3 s for each message. Nobody gets a message twice, and no request fails.
 */
export async function rollout(world: World): Promise<string> {
  const rounds = world.small ? 1 : 2
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const texts = http.add({ name: 'texts', script: () => ({ kind: 'ok', delayMs: answerMs }) })
  const mail = await startSmtpSimulator(ledger, 'mails', () => ({ kind: 'ok', delayMs: answerMs }))
  const settings = { ...allowing([http.port, mail.port]), STOP_DELAY_SECONDS: '2' }
  // One API node leaves everything to the workers, as the version before did; the other ends small events by itself.
  const start = (role: Role, place: number) =>
    world.startNode(role === 'api' && place === 0 ? { ...settings, ...onlyQueued } : settings, role)
  const apis = [await start('api', 0), await start('api', 1)]
  const workers = [await start('worker', 0), await start('worker', 1)]
  const url = () => apis[0]?.url ?? ''
  const again = { configurations: { whenUnknown: 'atLeastOnce' } }
  const senders = {
    texts: await makeSender(world, url(), 'sms', [{ ...genericSms(http.url(texts)), ...again }]),
    mails: await makeSender(world, url(), 'email', [smtp(mail.port)]),
  }

  const balancer = startBalancer(apis)
  const acknowledged: Record<keyof typeof senders, Acknowledged[]> = { texts: [], mails: [] }
  const failed: string[] = []
  let isOver = false
  const client = async (name: keyof typeof senders) => {
    for (let n = 0; !isOver; n++) {
      const names = times(perBulk, (i) => `${name}-${n}-${i}`)
      // A failed request is told at the end: one is as bad as many.
      try {
        acknowledged[name].push(...(await triggerEach(balancer.pick(), senders[name], names)))
      } catch (error) {
        if (!(error instanceof NoReply)) throw error
        failed.push(error.message)
      }
      await sleep(pauseMs)
    }
  }
  const load = Promise.all([client('texts'), client('mails')])
  // Told when it is waited for.
  load.catch(() => {})
  await sleep(answerMs)

  const drains: Record<string, number[]> = { worker: [], api: [] }
  let underWay = 0
  for (let round = 0; round < rounds; round++) {
    for (const [role, nodes] of [['worker', workers] as const, ['api', apis] as const]) {
      for (const [place, node] of nodes.entries()) {
        const [open] = await world.sql<{ count: number }>('select count(*)::int from attempt where outcome is null')
        underWay += role === 'worker' ? (open?.count ?? 0) : 0
        const signaled = performance.now()
        const ended = node.stop()
        if (role === 'api')
          expectThat(await saysNotReady(node.url), 'an API node was gone before it said it is not ready')
        expectEqual(await ended, 'exit 0', `how a ${role} ended:\n${node.output()}`)
        drains[role]?.push((performance.now() - signaled) / 1000)
        nodes[place] = await start(role, place)
      }
    }
  }
  balancer.stop()
  isOver = true
  await load
  const settled = await untilSettled(world, Object.values(senders), 120_000)
  const tallies = []
  for (const name of ['texts', 'mails'] as const) {
    const given = { world, url: url(), sender: senders[name], acknowledged: acknowledged[name], keyed: false }
    const tally = await judgeSending({ ...given, entries: ledger.read(name) })
    tallies.push({ name, tally, seconds: settled })
    expectEqual([tally.doubles, tally.unknown], [0, 0], `${name}: doubles, and tries that nobody recorded`)
    expectEqual(tally.arrived, tally.acknowledged, `${name} that arrived`)
    expectEqual(tally.requests, tally.acknowledged, `${name}: calls of the provider`)
  }
  expectThat(failed.length === 0, `${failed.length} requests failed, such as ${failed[0]}`)
  expectAtLeast(underWay, rounds * 20, 'sends under way when workers were told to stop')
  const slowest = (role: string) => `${Math.max(...(drains[role] ?? [])).toFixed(1)} s`
  return `${rounds} × 2 workers and 2 API nodes replaced, ${underWay} sends under way: 0 doubles, 0 failed requests; drained within ${slowest('worker')} (worker) and ${slowest('api')} (API, 2 s of it not ready)${table(tallies)}`
}

/** Whether a node that was told to stop says that it is not ready, while it still answers. */
async function saysNotReady(url: string): Promise<boolean> {
  for (;;) {
    const reply = await send(url, 'GET', '/health/ready').catch(() => null)
    if (reply?.status !== 200) return reply?.status === 503
    await sleep(20)
  }
}

/** Asks each node whether it is ready, as a load balancer does, and sends requests only to those. */
function startBalancer(nodes: readonly ApiNode[]): { pick(): string; stop(): void } {
  let ready = nodes.map((node) => node.url)
  let turn = 0
  let isOver = false
  const probe = async () => {
    while (!isOver) {
      const answers = await Promise.all(
        nodes.map((node) =>
          send(node.url, 'GET', '/health/ready').then(
            (reply) => (reply.status === 200 ? node.url : null),
            () => null,
          ),
        ),
      )
      ready = answers.filter((url) => url !== null)
      await sleep(probeEveryMs)
    }
  }
  void probe()
  return {
    pick() {
      const url = ready[turn++ % ready.length]
      if (url === undefined) throw new NoReply('no node is ready')
      return url
    },
    stop() {
      isOver = true
    },
  }
}
