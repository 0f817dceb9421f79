import { setTimeout as sleep } from 'node:timers/promises'
import { allowing, emailWebhook, makeSender, triggerEach, untilSettled } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { readMessages } from '../../oracles/sending.ts'
import { startCanaryListener } from '../../simulators/canary-listener.ts'
import { type Answer, startFakeDns, usingDns } from '../../simulators/fake-dns.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'

/** Stands for the public internet: an operator's allowed range, where the receiver lives. The canary is outside it. */
export const outsideHost = '127.0.0.99'
const canaryHosts = ['127.0.0.1', '::1']
// Longer than a connection is kept: the next message needs a new one, and asks the name server again.
const idleMs = 11_000

const fixed =
  (...answers: string[]): Answer =>
  () =>
    answers

/** Names that answer inside: alone, beside a good address, in the other family, among many. */
const zone: readonly [name: string, answer: Answer][] = [
  ['inside', fixed('127.0.0.1')],
  ['inside-six', fixed('::1')],
  ['mapped', fixed('::ffff:7f00:1')],
  ['compatible', fixed('::7f00:1')],
  ['any', fixed('0.0.0.0')],
  ['any-six', fixed('::')],
  ['other-loopback', fixed('127.8.8.8')],
  ['metadata', fixed('169.254.169.254')],
  ['private', fixed('10.0.0.1')],
  ['carrier', fixed('100.64.0.1')],
  ['local-six', fixed('fd00::1')],
  ['link-six', fixed('fe80::1')],
  ['nat64', fixed('64:ff9b::7f00:1')],
  ['sixtofour', fixed('2002:7f00:1::')],
  ['good-then-inside', fixed(outsideHost, '127.0.0.1')],
  ['inside-then-good', fixed('127.0.0.1', outsideHost)],
  ['good-and-six', fixed(outsideHost, '::1')],
  ['last-of-many', fixed(...times(20, () => outsideHost), '127.0.0.1')],
]
const flipping = 6

/**
 * DNS decides nothing by itself: whatever a name answers, now or the next time, no byte goes inside. A real name server
 * on loopback, asked by the program's own resolver.
 */
export async function rebinding(world: World): Promise<string> {
  const canary = await startCanaryListener(canaryHosts)
  const ledger = openLedger()
  const receiver = await startHttpSimulator(ledger, outsideHost, canary.port)
  const names = [...zone, ...flips()].map(([name, answer]): [string, Answer] => [`${name}.rebind.test`, answer])
  const dns = await startFakeDns(new Map(names))
  const settings = { ...allowing([canary.port], `${outsideHost}/32`), ...usingDns(dns) }
  const node = await world.startNode(settings, 'start')
  const hooks = names.map(([name]) =>
    receiver.add({ name: name.replaceAll('.', '-'), dedupes: true, script: () => ({ kind: 'ok' }) }),
  )
  const integrations = names.flatMap(([name], n) => [
    emailWebhook(`http://${name}:${canary.port}/${hooks[n]?.name}`, { identifier: name }),
    {
      providerId: 'nodemailer',
      identifier: `smtp-${name}`,
      credentials: { host: name, port: String(canary.port), from: 'team@example.com', ignoreTls: true },
    },
  ])
  const sender = await makeSender(world, node.url, 'email', integrations)
  const through = (identifier: string) => ({ overrides: { email: { integrationIdentifier: identifier } } })
  const web = names.map(([name]) => name)
  await triggerEach(node.url, sender, web, through)
  const mails = zone.map(([name]) => `smtp-${name}.rebind.test`)
  await triggerEach(node.url, sender, mails, through)
  const faults = collectFaults()
  // A canary that was reached says nothing in SMTP; that it was reached is what counts.
  const settle = () => untilSettled(world, [sender], 30_000).catch((error: Error) => faults.add(error.message))
  await settle()
  if (canary.connections.length === 0) await sleep(idleMs)
  const again = web.filter((name) => name.startsWith('flip-')).map((name) => `again-${name}`)
  await triggerEach(node.url, sender, again, (name) => through(name.slice('again-'.length)))
  await settle()
  for (const { to } of canary.connections) faults.add(`the canary was reached at ${to}`)
  const messages = new Map((await readMessages(world, sender)).map((message) => [message.about, message]))
  for (const name of [...web, ...mails, ...again]) {
    const wanted = name.startsWith('flip-') ? 'sent' : 'rejected'
    const { delivery, errorId } = messages.get(name) ?? {}
    if (delivery !== wanted) faults.add(`${name}: ${delivery} ${errorId} instead of ${wanted}`)
  }
  faults.end()
  const arrived = ledger.read().length
  const asked = [...dns.asked.values()].reduce((sum, count) => sum + count, 0)
  expectAtLeast(arrived, flipping, 'messages to names while they were good')
  expectAtLeast(asked, messages.size, 'questions to the name server')
  return `${zone.length} names that answer inside, over HTTP and SMTP, and ${flipping} that do from their second answer on (${asked} questions asked): ${messages.size - arrived} refused, ${arrived} sent while the answer was good, 0 connections to the canary`
}

function flips(): [string, Answer][] {
  return times(flipping, (n) => [`flip-${n}`, (time) => [time === 0 ? outsideHost : '127.0.0.1']])
}
