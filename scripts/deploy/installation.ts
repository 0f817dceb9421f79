import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Reply, send } from '../../chaos/lib/http.ts'
import { textAt } from '../../chaos/lib/json.ts'
import { allowing, emailWebhook } from '../../chaos/lib/outside-stage.ts'
import { type ApiNode, type Role, runCommand, startNode } from '../../chaos/lib/process.ts'
import { newEncryptionKey } from '../../chaos/lib/world.ts'
import { type Ledger, openLedger } from '../../chaos/simulators/ledger.ts'
import { startHttpSimulator } from '../../chaos/simulators/provider-simulator.ts'
import { withDatabase } from '../../test/find-postgres.ts'
import { ask, type PatroniCluster } from '../../test/postgres/patroni.ts'

/** The program on a database, with a provider that keeps a ledger of what it was sent. */
export type Installation = {
  /** Through HAProxy. */
  databaseUrl: string
  /** By the addresses of all three nodes. */
  hostsUrl: string
  ledger: Ledger
  start(role: Role, databaseUrl?: string): Promise<ApiNode>
  conserve(): Promise<string>
  /** The API as the one environment there is. */
  call(node: ApiNode, method: string, path: string, body?: unknown): Promise<Reply>
}

const delaySeconds = 10
/** Slow enough that some mails are always under way. */
const providerMs = 800
export const workflows = ['at-once', 'later'] as const

export async function install(cluster: PatroniCluster): Promise<Installation> {
  const password = randomBytes(12).toString('hex')
  await ask(cluster.adminUrl, `create role tidings login password '${password}'`)
  await ask(cluster.adminUrl, 'create database tidings owner tidings')
  // For the metrics of standbys.
  await ask(cluster.adminUrl, 'grant pg_read_all_stats to tidings')
  const databaseUrl = withDatabase(cluster.adminUrl, 'tidings').replace(/\/\/[^@]*@/, `//tidings:${password}@`)
  const hostsUrl = `postgres://tidings:${password}@${cluster.hosts}/tidings`
  const ledger = openLedger()
  const provider = await startHttpSimulator(ledger)
  const about = (body: unknown) => textAt(body, 'subject')
  const route = provider.add({ name: 'mail', about, script: () => ({ kind: 'ok', delayMs: providerMs }) })
  const key = randomBytes(16).toString('hex')
  const settings = {
    ...allowing([provider.port]),
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: newEncryptionKey('k1'),
    BOOTSTRAP_API_KEY: key,
    LOG_LEVEL: 'warn',
    STOP_DELAY_SECONDS: '0',
  }
  const migrated = await runCommand(['migrate'], settings)
  if (migrated.code !== 0) throw new Error(`migrate ended with ${migrated.code}: ${migrated.output}`)
  const call = (node: ApiNode, method: string, path: string, body?: unknown) =>
    send(node.url, method, path, { key, ...(body !== undefined && { body }) })
  const first = await startNode('api', settings, [])
  const arrange = async (path: string, body: unknown) => {
    const reply = await call(first, 'POST', path, body)
    if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${reply.text}`)
  }
  await arrange('/v1/integrations', { channel: 'email', active: true, ...emailWebhook(provider.url(route)) })
  const told = { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } }
  const mail = { name: 'Mail', type: 'email', controlValues: { subject: '{{payload.n}}', body: '<p>Hello</p>' } }
  const wait = { name: 'Wait', type: 'delay', controlValues: { amount: delaySeconds, unit: 'seconds' } }
  const stepsOf = { 'at-once': [told, mail], later: [wait, told, mail] }
  for (const name of workflows) await arrange('/v2/workflows', { workflowId: name, name, steps: stepsOf[name] })
  await first.stop()
  return {
    databaseUrl,
    hostsUrl,
    ledger,
    call,
    start: (role, url) => startNode(role, { ...settings, ...(url !== undefined && { DATABASE_URL: url }) }, []),
    async conserve() {
      const { code, output } = await runCommand(['conserve'], settings)
      if (code !== 0) throw new Error(`conserve: ${output}`)
      return output.trim()
    },
  }
}

/** `node`: which of the API nodes was asked. */
export type Trigger = {
  id: string
  workflow: string
  node: number
  begunAt: number
  acknowledgedAt: number
  tries: number
}
export type Load = {
  /** Those that were answered with 201. */
  acknowledged: Trigger[]
  /** Other answers, by status; 0: none came. */
  refused: Map<number, number>
  stop(): Promise<void>
}

/** Single triggers, some at a time. What is not acknowledged is repeated with its transactionId, as callers should do. */
export function startLoad(
  { call }: Installation,
  nodes: readonly ApiNode[],
  { lanes, pauseMs, prefix }: { lanes: number; pauseMs: number; prefix: string },
): Load {
  const load: Load = { acknowledged: [], refused: new Map(), stop: async () => {} }
  let stopped = false
  let next = 0
  const lane = async (node: number) => {
    while (!stopped) {
      const n = next++
      const trigger = {
        id: `${prefix}-${n}`,
        workflow: workflows[n % workflows.length] ?? '',
        node,
        begunAt: Date.now(),
      }
      const done = await acknowledge(trigger)
      if (done) load.acknowledged.push(done)
      await sleep(pauseMs)
    }
  }
  const acknowledge = async (trigger: Omit<Trigger, 'acknowledgedAt' | 'tries'>): Promise<Trigger | null> => {
    const asked = nodes[trigger.node]
    if (!asked) throw new Error('there is no such node')
    for (let tries = 1; tries === 1 || !stopped; tries++) {
      const status = await call(asked, 'POST', '/v1/events/trigger', bodyOf(trigger)).then(
        (reply) => reply.status,
        () => 0,
      )
      if (status === 201) return { ...trigger, acknowledgedAt: Date.now(), tries }
      load.refused.set(status, (load.refused.get(status) ?? 0) + 1)
      await sleep(250)
    }
    return null
  }
  const running = Promise.all(Array.from({ length: lanes }, (_, n) => lane(n % nodes.length)))
  load.stop = async () => {
    stopped = true
    await running
  }
  return load
}

export function bodyOf({ id, workflow }: Pick<Trigger, 'id' | 'workflow'>) {
  return {
    name: workflow,
    transactionId: id,
    to: { subscriberId: id, email: `${id}@example.org` },
    payload: { n: id },
  }
}

/** How many messages of the inbox each event has in the database. */
export async function countInbox(url: string): Promise<Map<string, number>> {
  const rows = await ask<{ id: string; count: number }>(
    url,
    `select transaction_id as id, count(*)::int as count from message where channel = 'in_app' group by 1`,
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

export async function listEvents(url: string): Promise<Set<string>> {
  return new Set((await ask<{ id: string }>(url, 'select transaction_id as id from event_key')).map(({ id }) => id))
}

/** Nothing waits any more: no event, no delay, no message. */
export async function countOpen(url: string): Promise<number> {
  const [row] = await ask<{ open: number }>(
    url,
    `select (select count(*) from event where state = 'accepted')::int
      + (select count(*) from job where status in ('pending', 'queued', 'delayed'))::int
      + (select count(*) from message where delivery = 'open')::int as open`,
  )
  return row?.open ?? -1
}
