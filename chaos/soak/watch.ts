import { appendFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../lib/http.ts'
import type { ApiNode } from '../lib/process.ts'
import type { World } from '../lib/world.ts'
import { type Book, takeCallTimes } from './book.ts'
import type { Fleet } from './fleet.ts'

/** One line of the figures. A figure that could not be had is null: the database may be away. */
export type Sample = Record<string, number | null> & { seconds: number }

export type Watch = { samples: readonly Sample[]; stop(): Promise<void> }

type Given = { world: World; book: Book; fleet: Fleet; file: string; everySeconds: number; fault(): string }

/** Looks every minute, says it in a line and writes it to a file: a run that is cut off leaves its figures. */
export function startWatch({ world, book, fleet, file, everySeconds, fault }: Given): Watch {
  const [samples, began]: [Sample[], number] = [[], performance.now()]
  const ending = new AbortController()
  const look = async () => {
    const nodes = await Promise.all(fleet.slots.map(async ({ name, node }) => [name, await readNode(node)] as const))
    const calls = takeCallTimes(book)
    const sample: Sample = {
      seconds: Math.round((performance.now() - began) / 1000),
      acknowledged: book.acknowledged,
      refused: book.refused,
      silent: book.silent,
      faults: book.faults.count(),
      'call ms': calls.mean,
      'longest call ms': calls.most,
      ...(await readDatabase(world)),
      ...Object.fromEntries(nodes.map(([name, { memory }]) => [`${name} MB`, memory])),
      'driver MB': Math.round(process.memoryUsage.rss() / 1024 ** 2),
      ...Object.fromEntries(nodes.map(([name, { delay }]) => [`${name} loop ms`, delay])),
    }
    if (samples.length === 0) writeFileSync(file, `${[...Object.keys(sample), 'fault'].join(',')}\n`)
    samples.push(sample)
    appendFileSync(file, `${[...Object.values(sample).map((it) => it ?? ''), `"${fault()}"`].join(',')}\n`)
    console.log(lineOf(sample, samples.at(-2)))
  }
  const looking = (async () => {
    while (!ending.signal.aborted) {
      await sleep(everySeconds * 1000, undefined, { signal: ending.signal }).catch(() => {})
      await look()
    }
  })()
  // Whoever stops it hears of it.
  looking.catch(() => {})
  return {
    samples,
    async stop() {
      ending.abort()
      await looking
    },
  }
}

const askWithinMs = 5_000

async function readDatabase(world: World) {
  const asked = world.sql<Record<string, number>>(
    `select (select count(*) from event where state = 'accepted')::int as waiting,
      (select count(*) from message where delivery = 'open')::int as open,
      (select count(*) from pg_stat_activity where application_name like 'tidings%')::int as connections,
      (select round(sum(pg_total_relation_size(relid)) / 1e6, 1) from pg_stat_user_tables
        where schemaname = 'pgboss')::float8 as "queue MB",
      (select count(*) from pgboss.job where state < 'completed')::int as "queue open",
      (select sum(n_live_tup) from pg_stat_user_tables where schemaname = 'pgboss')::int as "queue rows",
      (select sum(n_dead_tup) from pg_stat_user_tables where schemaname = 'pgboss')::int as "queue dead",
      (pg_database_size(current_database()) / 1e6)::int as "database MB"`,
  )
  const rows = await Promise.race([asked.catch(() => []), sleep(askWithinMs, [])])
  const figures = [
    'waiting',
    'open',
    'connections',
    'queue MB',
    'queue open',
    'queue rows',
    'queue dead',
    'database MB',
  ]
  return Object.fromEntries(figures.map((name) => [name, rows[0]?.[name] ?? null]))
}

/** The longest delay of its event loop is since it was asked before, as the node itself measured it. */
async function readNode(node: ApiNode | null): Promise<{ memory: number | null; delay: number | null }> {
  if (!node || node.ended() !== null) return { memory: null, delay: null }
  const asked = send(node.url, 'GET', '/metrics').catch(() => null)
  const reply = await Promise.race([asked, sleep(askWithinMs, null)])
  const lag = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(reply?.text ?? '')?.[1]
  return { memory: memoryOf(node), delay: lag === undefined ? null : Math.round(Number(lag) * 1000) }
}

function memoryOf(node: ApiNode): number | null {
  try {
    return node.memoryMb('VmRSS')
  } catch {
    return null
  }
}

function lineOf(sample: Sample, before: Sample | undefined): string {
  const all = Object.entries(sample)
  const passed = sample.seconds - (before?.seconds ?? 0)
  const rate = ((sample.acknowledged ?? 0) - (before?.acknowledged ?? 0)) / Math.max(1, passed)
  const clock = `${Math.floor(sample.seconds / 60)}:${String(sample.seconds % 60).padStart(2, '0')}`
  const is = (name: string) => sample[name] ?? '–'
  return [
    `${clock.padStart(6)}  ${is('acknowledged')} acknowledged (${rate.toFixed(0)}/s)`,
    `${is('refused')} refused, ${is('silent')} silent, ${is('faults')} faults`,
    `calls ${is('call ms')} ms, longest ${is('longest call ms')}`,
    `${is('waiting')}+${is('open')} waiting`,
    `${is('connections')} connections`,
    `queue ${is('queue open')} open, ${is('queue MB')} MB, ${is('queue rows')} rows, ${is('queue dead')} dead`,
    `MB ${nodesOf(all, ' MB')}, driver ${is('driver MB')}`,
    `loop ms ${nodesOf(all, ' loop ms')}`,
  ].join(' · ')
}

const nodesOf = (all: readonly [string, number | null][], end: string) =>
  all.flatMap(([name, value]) => (/^(api|worker)-/.test(name) && name.endsWith(end) ? (value ?? '–') : [])).join(' ')
