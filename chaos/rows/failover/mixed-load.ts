import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../../lib/http.ts'
import {
  addressOf,
  allowing,
  emailWebhook,
  genericSms,
  makeSender,
  type Sender,
  senderWorkflow,
} from '../../lib/outside-stage.ts'
import type { ApiNode, Settings } from '../../lib/process.ts'
import { expectAtLeast, expectEqual } from '../../lib/red.ts'
import { shortBudgets } from '../../lib/short-budgets.ts'
import { makeSingleWorkflows, type SingleLoad, startSingleLoad } from '../../lib/single-load.ts'
import { type Load, makeWorkflow, startLoad, type Try, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { type Ledger, openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'
import { makeWaitingWorkflows } from '../crash/waiting.ts'
import { type NamedLoad, startNamedLoad } from './named-load.ts'
import { waitFor } from './waits.ts'

/** Everything at once: bulks and single triggers to inboxes, mails, texts, delays and digests. */
export type MixedLoad = {
  nodes: readonly ApiNode[]
  ledger: Ledger
  inbox: { tenant: Tenant; load: Load }
  singles: { tenant: Tenant; load: SingleLoad }
  /** The provider knows our key and drops what it has. */
  mails: { sender: Sender; load: NamedLoad }
  /** The provider knows no key; what it was sent can be traced. */
  texts: { sender: Sender; load: NamedLoad }
  waits: { tenant: Tenant; loads: NamedLoad[] }
  tries(): Try[]
  acknowledged(): number
  hasFailed(): boolean
  stop(): Promise<void>
}

type Options = {
  /** One node for each: how it finds its database. */
  settings: readonly Settings[]
  waitSeconds: number
  /** No fault keeps a client waiting for longer. */
  settleMs: number
}

export async function startMixedLoad(world: World, { settings, waitSeconds, settleMs }: Options): Promise<MixedLoad> {
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const slow = () => ({ kind: 'ok', delayMs: world.random.integer(20, 300) }) as const
  const [atOnce, mail, text] = [
    http.add({ name: 'singles', dedupes: true, script: slow }),
    http.add({ name: 'mails', dedupes: true, script: slow }),
    http.add({ name: 'texts', script: slow }),
  ].map((route) => http.url(route)) as [string, string, string]
  const nodes: ApiNode[] = []
  for (const own of settings)
    nodes.push(await world.startNode({ ...allowing([http.port]), ...shortBudgets, ...own }, 'start'))
  const targets = nodes.map(({ url }) => url)
  const [url = ''] = targets
  const inbox = await world.tenant()
  await makeWorkflow(url, inbox)
  const single = await world.tenant()
  await makeSingleWorkflows(url, single, atOnce)
  const mails = await makeSender(world, url, 'email', [emailWebhook(mail)])
  // By default a text of which nobody knows whether it left is not sent again; then it would be missing, and say so.
  const configurations = { whenUnknown: 'atLeastOnce' }
  const texts = await makeSender(world, url, 'sms', [{ ...genericSms(text), configurations }])
  const waiting = await world.tenant()
  await makeWaitingWorkflows(url, waiting, waitSeconds)

  const common = { targets, settleMs }
  const outside = (sender: Sender, prefix: string) =>
    startNamedLoad(world, {
      ...{ ...common, tenant: sender.tenant, prefix, clients: 2, pauseMs: 150 },
      make: (name) => ({
        name: senderWorkflow,
        to: { subscriberId: name, ...addressOf(sender.channel, name) },
        payload: { n: name },
      }),
    })
  const wait = (prefix: string) =>
    startNamedLoad(world, {
      ...{ ...common, tenant: waiting, prefix, clients: 1, pauseMs: 200 },
      make: (name, random) => waitFor(name, random.integer(0, 1_000)),
    })
  const loads = {
    inbox: startLoad(world, {
      ...{ tenant: inbox, target: { url: targets.at(-1) ?? url }, workflowId, settleMs },
      ...{ clients: 2, bulk: [3, 10] as const, pauseMs: 250 },
    }),
    single: startSingleLoad(world, { ...common, tenant: single, clients: 6, alwaysAnswered: true, pauseMs: 400 }),
    mails: outside(mails, 'mail'),
    texts: outside(texts, 'text'),
    delays: wait('delay'),
    digests: wait('digest'),
  }
  const all = Object.values(loads)
  return {
    nodes,
    ledger,
    inbox: { tenant: inbox, load: loads.inbox },
    singles: { tenant: single, load: loads.single },
    mails: { sender: mails, load: loads.mails },
    texts: { sender: texts, load: loads.texts },
    waits: { tenant: waiting, loads: [loads.delays, loads.digests] },
    tries: () => all.flatMap(({ book }) => book.tries),
    acknowledged: () => all.reduce((sum, { book }) => sum + book.acknowledged.size, 0),
    hasFailed: () => all.some((load) => load.hasFailed()),
    async stop() {
      const ends = await Promise.allSettled(all.map((load) => load.stop()))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      const silent = all.flatMap(({ book }) => book.tries).filter((it) => it.outcome === 'no reply').length
      expectEqual(silent, 0, 'requests that were not answered at all')
    },
  }
}

/** Goes on until each kind was acknowledged this often: what was not tried proves nothing. */
export async function untilEachAcknowledged(load: MixedLoad, least: number, withinMs = 120_000): Promise<void> {
  const books = { inbox: load.inbox.load, single: load.singles.load, mail: load.mails.load, text: load.texts.load }
  const waits = { delay: load.waits.loads[0], digest: load.waits.loads[1] }
  for (const [kind, one] of Object.entries({ ...books, ...waits })) {
    const began = performance.now()
    while ((one?.book.acknowledged.size ?? 0) < least && performance.now() - began < withinMs && !load.hasFailed())
      await sleep(50)
    if (!load.hasFailed()) expectAtLeast(one?.book.acknowledged.size ?? 0, least, `acknowledged of the kind ${kind}`)
  }
}

/** The same database at several hosts, the way DATABASE_URL names them. */
export function withHosts(url: string, hosts: string): string {
  return url.replace(new URL(url).host, hosts)
}
