import { setTimeout as sleep } from 'node:timers/promises'
import { type LoadOptions, sendLoad } from './load.ts'
import { format, quantile } from './numbers.ts'
import { visibleAfterMs } from './rows.ts'
import type { Figure } from './series.ts'
import { type Stage, type Tenant, untilExpanded } from './stage.ts'
import { readUsage, spentBetween, type Usage } from './usage.ts'

/** What a second costs in which nobody does anything. */
export type Idle = Usage

export type TriggerCost = {
  name: string
  events: number
  refused: number
  /** Answered, and answered until the last one had its message. */
  acceptedPerSecond: number
  donePerSecond: number
  p50: number
  p99: number
  visible: { p50: number; p99: number }
  api: number
  worker: number
  postgres: number
  statements: number | null
  planMs: number | null
}

export const cpuOf = (cost: Pick<TriggerCost, 'api' | 'worker' | 'postgres'>) => cost.api + cost.worker + cost.postgres

/** The processes are awake and have nothing to do. */
export async function measureIdle(stage: Stage, forMs: number): Promise<Idle> {
  await sleep(500)
  const [before, began] = [await readUsage(stage), performance.now()]
  await sleep(forMs)
  return perPart(spentBetween(before, await readUsage(stage)), (performance.now() - began) / 1000)
}

/** For each event, without what the same seconds would have cost anyway. */
export function perEvent(
  spent: Usage,
  { idle, seconds, events }: { idle: Idle; seconds: number; events: number },
): Usage {
  // As much of the idle cost as there were seconds.
  return perPart(spentBetween(perPart(idle, 1 / seconds), spent), events)
}

function perPart(usage: Usage, parts: number): Usage {
  return {
    apiCpuMs: usage.apiCpuMs / parts,
    workerCpuMs: usage.workerCpuMs / parts,
    postgresCpuMs: usage.postgresCpuMs / parts,
    walBytes: usage.walBytes / parts,
    transactions: usage.transactions / parts,
    statements: usage.statements === null ? null : usage.statements / parts,
    planMs: usage.planMs / parts,
  }
}

type Calls = { name: string; path: string; eventsPerCall: number; options: LoadOptions }

/** Everything until the last event is expanded, by whichever process. */
export async function measureCost(stage: Stage, tenant: Tenant, idle: Idle, calls: Calls): Promise<TriggerCost> {
  const since = new Date()
  const [before, began] = [await readUsage(stage), performance.now()]
  const sent = await sendLoad({ url: stage.api.url, key: tenant.key, path: calls.path }, calls.options)
  await untilExpanded(stage, tenant, 300_000)
  const seconds = (performance.now() - began) / 1000
  const events = sent.latencies.length * calls.eventsPerCall
  const each = perEvent(spentBetween(before, await readUsage(stage)), { idle, seconds, events })
  return {
    name: calls.name,
    events,
    refused: sent.refused,
    acceptedPerSecond: events / sent.seconds,
    donePerSecond: events / seconds,
    p50: quantile(sent.latencies, 0.5),
    p99: quantile(sent.latencies, 0.99),
    visible: await visibleAfterMs(stage, tenant, since),
    api: each.apiCpuMs,
    worker: each.workerCpuMs,
    postgres: each.postgresCpuMs,
    statements: each.statements,
    planMs: each.statements === null ? null : each.planMs,
  }
}

export function costLine(cost: TriggerCost): string {
  const cpu = `${format(cpuOf(cost))} ms (API ${format(cost.api)}, worker ${format(cost.worker)}, PostgreSQL ${format(cost.postgres)})`
  return `${cost.name}: ${format(cost.donePerSecond)}/s, answers p50 ${format(cost.p50)} ms, p99 ${format(cost.p99)} ms, processor ${cpu} per event`
}

/** The processor's time per event, by process, and what PostgreSQL was asked for it. */
export function costFigures(cost: TriggerCost, bounds: Pick<Figure, 'floor' | 'goal'> = {}): Figure[] {
  const { name, api, worker, postgres, statements, planMs } = cost
  const ms = (what: string, value: number): Figure => ({ what: `- ${what} (${name})`, value, unit: 'ms' })
  return [
    { what: `${name}: processor per event`, value: cpuOf(cost), unit: 'CPU ms', ...bounds },
    ms('API', api),
    ms('worker', worker),
    ms('PostgreSQL', postgres),
    ...(planMs === null ? [] : [ms('of it planning', planMs)]),
    ...(statements === null ? [] : [{ what: `- statements (${name})`, value: statements, unit: '' }]),
  ]
}
