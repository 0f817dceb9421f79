import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { allowing, emailWebhook, makeSender, type Sender, senderWorkflow } from '../../lib/outside-stage.ts'
import { patient } from '../../lib/patience.ts'
import type { ApiNode } from '../../lib/process.ts'
import { expectEqual, expectThat } from '../../lib/red.ts'
import { shortBudgets } from '../../lib/short-budgets.ts'
import type { World } from '../../lib/world.ts'
import { type Ledger, openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'

/** One environment with many people and a provider that can be told to refuse. */
export type Stage = {
  world: World
  ledger: Ledger
  /** The provider refuses from now on, or after so many requests. */
  provider: { refusesAfter: number }
  settings: Record<string, string>
  api: ApiNode
  workers: Promise<ApiNode>[]
  sender: Sender
}

export type Shown = {
  state: string
  reason: string | null
  reasonText: string | null
  people: { total: number; written: number; left: number; leftOut: number }
  messages: Record<'waiting' | 'sent' | 'failed' | 'dead' | 'unknown' | 'skipped' | 'canceled', number>
}

export async function openStage(world: World, people: number, bounds: object): Promise<Stage> {
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const provider = { refusesAfter: Number.POSITIVE_INFINITY }
  const hook = http.add({
    name: 'mails',
    dedupes: true,
    script: ({ index }) =>
      index >= provider.refusesAfter ? { kind: 'refuse', status: 422, delayMs: 5 } : { kind: 'ok', delayMs: 5 },
  })
  const settings = { ...allowing([http.port]), ...shortBudgets }
  const api = await world.startNode(settings, 'api')
  const workers = [world.startNode(settings, 'worker'), world.startNode(settings, 'worker')]
  const sender = await makeSender(world, api.url, 'email', [emailWebhook(http.url(hook))])
  await world.sql(
    `insert into subscriber (environment_id, id, subscriber_id, email, updated_at)
     select $1, gen_random_uuid(), 'p-' || n, 'p' || n || '@example.org', now() from generate_series(1, $2::int) n`,
    [sender.tenant.environmentId, people],
  )
  await world.sql('analyze subscriber')
  const stage = { world, ledger, provider, settings, api, workers, sender }
  await call(stage, 'PATCH', '/v1/environment/large-sends', bounds)
  return stage
}

export async function broadcast(stage: Stage): Promise<string> {
  const reply = await call(stage, 'POST', '/v1/events/trigger/broadcast', {
    name: senderWorkflow,
    transactionId: 'to-everybody',
    payload: { n: 'all' },
  })
  return String(at(reply, 'transactionId'))
}

export async function act(stage: Stage, id: string, verb: string): Promise<Shown> {
  return at(await call(stage, 'POST', `/v1/sends/${id}/${verb}`, {}), 'data') as Shown
}

export async function show(stage: Stage, id: string): Promise<Shown> {
  return at(await call(stage, 'GET', `/v1/sends/${id}`), 'data') as Shown
}

/** A busy machine may have no connection left for a moment. All of these may be repeated. */
async function call({ api, sender }: Stage, method: string, path: string, body?: unknown): Promise<unknown> {
  const sent = { key: sender.tenant.key, ...(body !== undefined && { body }) }
  for (let tries = 1; ; tries++) {
    const reply = await send(api.url, method, path, sent)
    if (reply.status < 300) return reply.body
    expectThat(reply.status === 503 && tries < 50, `${method} ${path}: ${reply.text.slice(0, 300)}`)
    await sleep(200)
  }
}

/** `never`: what must not be seen meanwhile. */
export async function untilShown(
  stage: Stage,
  id: string,
  is: (shown: Shown) => boolean,
  withinMs: number,
  never: (shown: Shown) => string | null = () => null,
): Promise<Shown> {
  const started = performance.now()
  while (true) {
    const shown = await show(stage, id)
    const seen = never(shown)
    expectThat(seen === null, `${seen}: ${JSON.stringify(shown)}`)
    if (is(shown)) return shown
    expectThat(
      performance.now() - started < patient(withinMs),
      `not within ${withinMs / 1000} s: ${JSON.stringify(shown)}`,
    )
    await sleep(100)
  }
}

/** kill -9 of one worker, and another in its place. */
export async function killWorker(stage: Stage, n: number): Promise<void> {
  await (await stage.workers[n])?.kill()
  stage.workers[n] = stage.world.startNode(stage.settings, 'worker')
  await stage.workers[n]
}

/** Nothing is asked of the provider for a while. Returns how much was until then. */
export async function expectStill({ ledger }: Stage, ms: number, when: string): Promise<number> {
  const before = ledger.count('mails')
  await sleep(ms)
  expectEqual(ledger.count('mails'), before, `requests ${when}, before and ${ms} ms later`)
  return before
}
