import { setTimeout as sleep } from 'node:timers/promises'
import { allowing, emailWebhook, makeSender, triggerEach, untilSettled } from '../../lib/outside-stage.ts'
import { collectFaults, expectAtLeast } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { readMessages } from '../../oracles/sending.ts'
import { startCanaryListener } from '../../simulators/canary-listener.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'
import { outsideHost } from './rebinding.ts'

const statuses = [300, 301, 302, 303, 305, 307, 308]

/** A receiver that may be reached sends us elsewhere: inside, or to another door of its own. Nobody goes. */
export async function redirects(world: World): Promise<string> {
  const canary = await startCanaryListener(['127.0.0.1', '::1'])
  const ledger = openLedger()
  const receiver = await startHttpSimulator(ledger, outsideHost, canary.port)
  const followed = receiver.add({ name: 'followed', script: () => ({ kind: 'ok' }) })
  const targets: Record<string, string>[] = [
    { location: `http://127.0.0.1:${canary.port}/` },
    { location: `//127.0.0.1:${canary.port}/` },
    { location: `http://[::1]:${canary.port}/` },
    { location: `http://2130706433:${canary.port}/` },
    { location: `http://localhost:${canary.port}/` },
    { location: receiver.url(followed) },
    { location: '/followed' },
    { location: 'file:///etc/passwd' },
    { refresh: `0; url=http://127.0.0.1:${canary.port}/` },
    { 'alt-svc': `http/1.1="127.0.0.1:${canary.port}"; ma=60`, location: '/followed' },
  ]
  const routes = statuses.flatMap((status) =>
    targets.map((headers, n) =>
      receiver.add({ name: `moved-${status}-${n}`, script: () => ({ kind: 'refuse', status, headers }) }),
    ),
  )
  const node = await world.startNode(allowing([canary.port], `${outsideHost}/32`), 'start')
  const integrations = routes.map((route) => emailWebhook(receiver.url(route), { identifier: route.name }))
  const sender = await makeSender(world, node.url, 'email', integrations)
  const names = routes.map((route) => route.name)
  await triggerEach(node.url, sender, names, (identifier) => ({
    overrides: { email: { integrationIdentifier: identifier } },
  }))
  const faults = collectFaults()
  await untilSettled(world, [sender], 30_000).catch((error: Error) => faults.add(error.message))
  await sleep(500)
  for (const { to } of canary.connections) faults.add(`the canary was reached at ${to}`)
  if (ledger.count('followed') > 0) faults.add(`${ledger.count('followed')} redirects were followed`)
  const messages = await readMessages(world, sender)
  for (const { about, delivery, errorId } of messages) {
    if (delivery !== 'rejected') faults.add(`${about}: ${delivery} ${errorId}`)
    if (ledger.count(about) !== 1) faults.add(`${about} was requested ${ledger.count(about)} times`)
  }
  faults.end()
  expectAtLeast(messages.length, routes.length, 'redirected messages')
  return `${messages.length} answers of ${statuses.join(', ')} to ${targets.length} places: none followed, each rejected, 0 connections to the canary`
}
