/**
 * npm run check-patroni     (as root on Linux; needs Debian's patroni, etcd-server, haproxy and postgresql)
 *
 * The files of deploy/patroni as they are: three nodes on this machine, the program on them through HAProxy and by the
 * addresses of all three, the primary killed with its Patroni under load, then the node back as a standby. Whatever was
 * acknowledged must be there once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { runToEnd } from '../../chaos/lib/clean-up.ts'
import { textAt } from '../../chaos/lib/json.ts'
import { patient } from '../../chaos/lib/patience.ts'
import type { ApiNode } from '../../chaos/lib/process.ts'
import { expectEqual, expectThat } from '../../chaos/lib/red.ts'
import { until } from '../../test/postgres/children.ts'
import { startPatroni } from '../../test/postgres/patroni.ts'
import { bodyOf, countInbox, countOpen, install, startLoad } from './installation.ts'

const say = (line: string) => console.log(line)

await runToEnd(async () => {
  const cluster = await startPatroni()
  const before = await cluster.untilWhole()
  const killed = cluster.member(before.leader)
  say(`three nodes: ${before.leader} is primary, ${before.synchronous} synchronous; the files passed their own checks`)
  const installation = await install(cluster)
  const ways = ['through HAProxy', 'by three hosts']
  const nodes = [await installation.start('api'), await installation.start('api', installation.hostsUrl)]
  await installation.start('worker', installation.hostsUrl)
  const load = startLoad(installation, nodes, { lanes: 4, pauseMs: 50, prefix: 'event' })
  await sleep(5_000)

  const killedAt = Date.now()
  await killed.kill()
  const promoted = await cluster.untilOtherLeader(before.leader)
  const promotedMs = Date.now() - killedAt
  expectThat(before.synchronous.includes(promoted), 'only the synchronous standby may be promoted')
  const firsts: string[] = []
  for (const [node, way] of ways.entries()) {
    const first = await until(`an acknowledgement ${way}`, patient(60_000), async () =>
      load.acknowledged.find((it) => it.node === node && it.acknowledgedAt > killedAt + 1_000),
    )
    firsts.push(`${first.acknowledgedAt - killedAt} ms ${way}`)
  }
  killed.start()
  await cluster.untilWhole()
  const rejoinedMs = Date.now() - killedAt
  await sleep(3_000)
  await load.stop()
  await until('nothing waits any more', patient(120_000), async () => (await countOpen(installation.databaseUrl)) === 0)

  const inbox = await countInbox(installation.databaseUrl)
  const wrong = load.acknowledged.filter(({ id }) => inbox.get(id) !== 1)
  expectEqual(wrong.length, 0, `acknowledged and not there once, such as ${JSON.stringify(wrong[0])}`)
  const mails = Map.groupBy(installation.ledger.read('mail'), (entry) => entry.about)
  const unsent = load.acknowledged.filter(({ id }) => !mails.has(id))
  expectEqual(unsent.length, 0, `acknowledged and never sent, such as ${unsent[0]?.id}`)
  const twice = [...mails.values()].filter((entries) => entries.length > 1)
  const strange = twice.filter((entries) => new Set(entries.map(({ id }) => id)).size > 1)
  expectEqual(strange.length, 0, 'mails sent twice under different ids')
  const odd = [...load.refused].filter(([status]) => status !== 503)
  expectEqual(JSON.stringify(odd), '[]', 'answers other than 201 and 503')
  expectThat(load.acknowledged.length > 100, `only ${load.acknowledged.length} were acknowledged`)
  say(await installation.conserve())
  say(
    `primary killed: another after ${promotedMs} ms, first acknowledgement after ${firsts.join(', ')}; the killed one back as a standby after ${rejoinedMs} ms; ` +
      `${load.acknowledged.length} acknowledged, 0 lost, 0 doubled; ${load.refused.get(503) ?? 0} answers 503; ${twice.length} mails sent again under their own id`,
  )
  await loseStandbys()

  /** Strict: with no standby left nothing is acknowledged, the metrics say why, and with the standbys all of it comes back. */
  async function loseStandbys(): Promise<void> {
    const [node] = nodes
    if (!node) throw new Error('there is no node')
    await untilStandbys(node, 1)
    const { leader } = await cluster.untilWhole()
    const standbys = cluster.members.filter(({ name }) => name !== leader)
    await Promise.all(standbys.map((it) => it.kill()))
    const event = bodyOf({ id: 'without-standby', workflow: 'at-once' })
    const trigger = () => installation.call(node, 'POST', '/v1/events/trigger', event)
    const began = performance.now()
    const alone = await trigger()
    expectEqual(alone.status, 503, `a trigger without a standby: ${alone.text}`)
    const waited = Math.round(performance.now() - began)
    await untilStandbys(node, 0)
    for (const it of standbys) it.start()
    await cluster.untilWhole()
    await until('the repetition', patient(60_000), async () => (await trigger()).status === 201)
    await untilStandbys(node, 1)
    say(
      `both standbys killed: 503 after ${waited} ms (${textAt(alone.body, 'code')}), /metrics said so; back with them`,
    )
  }
})

async function untilStandbys(node: ApiNode, streaming: number): Promise<void> {
  const lines = [`{state="wanted"} 1`, `{state="streaming"} ${streaming}`]
  await until(`${streaming} synchronous standbys in /metrics`, patient(60_000), async () => {
    const text = await (await fetch(`${node.url}/metrics`)).text()
    return lines.every((line) => text.includes(`tidings_database_synchronous_standbys${line}\n`))
  })
}
