import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadProviders } from '../../../src/providers/provider.ts'
import {
  type Case,
  giants,
  type StallWorkflow,
  stallCallbacks,
  stallTriggers,
  stallWorkflows,
} from '../../hostile/stall-corpus.ts'
import { stallOverrides } from '../../hostile/stall-overrides.ts'
import { readDelayMs } from '../../lib/event-loop.ts'
import { clientOf, send, type Tenant } from '../../lib/http.ts'
import { textAt } from '../../lib/json.ts'
import { allowing, emailWebhook, genericSms } from '../../lib/outside-stage.ts'
import { patient } from '../../lib/patience.ts'
import type { ApiNode, Role } from '../../lib/process.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat, type Faults } from '../../lib/red.ts'
import { onlyQueued } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'
import { arrange, checkRefusal, fullBody, type InputStage, withBody } from './stage.ts'

/** I15. Measured inside the process, so it holds whatever else the machine does; patience is for a crowded one. */
const mostDelayMs = 250
/** A small run only shows that all still stands, also on slower machines; the figure is that of a whole run. */
const mostDelaySmallMs = 500
/** Another tenant's trigger, beside all of it. Its commit waits for the disk behind a file of 14 MB. */
const mostAnswerMs = 5_000
const workflowId = 'stall-neighbour'
/** Everything, every field and every giant; otherwise a part, another one with each seed. */
const isFull = process.env.CHAOS_STALL === 'full'

/** One in this many. A mutation must be met, so it gets more than a quick run. */
function partOf({ small, mutated }: World): number {
  if (isFull) return 1
  return small && !mutated ? 6 : 3
}

/**
 * Whatever a tenant or a stranger sends, to every route, task and callback: no process stands still, in any role, and
 * another tenant's triggers are answered and delivered meanwhile.
 */
export async function stall(stage: InputStage): Promise<string> {
  // It would take the work of the nodes that are looked at.
  await stage.node.stop()
  const groups: Role[][] = stage.world.small ? [['start']] : [['start'], ['api', 'worker']]
  const told: string[] = []
  for (const roles of groups) told.push(await stallRoles(stage, roles))
  return told.join('; ')
}

async function stallRoles(stage: InputStage, roles: readonly Role[]): Promise<string> {
  const { world } = stage
  const simulator = await startHttpSimulator(openLedger())
  const accepting = simulator.add({ name: `stall-${roles[0]}`, script: () => ({ kind: 'ok' }) })
  const nodes: (ApiNode & { role: Role })[] = []
  // A process that is all ends small events when it accepts them. Of the others the worker is to get them all.
  const settings = { ...allowing([simulator.port]), ...(roles.length > 1 && onlyQueued) }
  for (const role of roles) nodes.push({ ...(await world.startNode(settings, role)), role })
  for (const { pid } of nodes) preferThread(pid)
  const url = nodes[0]?.url ?? ''
  const tenant = await world.tenant({ reach: 'organization' })
  for (const [channel, integration] of [
    ['email', emailWebhook(simulator.url(accepting))],
    ['sms', genericSms(simulator.url(accepting))],
  ] as const) {
    const made = await send(url, 'POST', '/v1/integrations', {
      key: tenant.key,
      body: { channel, active: true, ...integration },
    })
    expectEqual(made.status, 201, `making an integration: ${made.text}`)
  }
  const faults = collectFaults()
  const watch = watchDelays(nodes, world.small ? mostDelaySmallMs : mostDelayMs, faults)
  await watch.look('the start')
  const part = partOf(world)
  const chosen = Math.floor(world.random.next() * part)
  // Made before the neighbour begins: this process measures how long it waits.
  const large = stallOverrides('stall-mail').filter((_, n) => n % part === chosen)
  const triggers = [...stallTriggers('stall-mail'), ...large]
  const now = { name: '' }
  const neighbour = await startNeighbour(stage, url, now)

  let count = 0
  for (const make of [triggerCases(triggers), callbackCases, workflowCases, routeCases]) {
    for await (const it of make(stage, url, tenant)) {
      now.name = it.name
      const reply = await send(url, it.method, it.path, { key: tenant.key, ...it })
      checkRefusal(reply, it.name, faults)
      await watch.look(it.name)
      count++
      // A mutation is seen.
      if (world.small && faults.count() > 0) faults.end()
    }
  }
  await untilQuiet(stage, tenant, watch)
  const answered = await neighbour.stop(faults)
  if (faults.count() > 0) console.log(`    slowest loop: ${watch.tell()}`)
  faults.end()
  expectAtLeast(count, world.small ? 200 : 300, 'hostile inputs')
  for (const node of nodes) await node.stop()
  return `${count} hostile inputs; slowest loop: ${watch.tell()}; a neighbour's ${answered}`
}

/** Else a busy machine is measured: PostgreSQL and this process want the same two cores. Only root may. */
function preferThread(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_HIGH)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR')) throw error
  }
}

type Watch = { look(after: string): Promise<void>; tell(): string }

/** Reads and resets the longest delay of each node. */
function watchDelays(nodes: readonly (ApiNode & { role: Role })[], mostMs: number, faults: Faults): Watch {
  const worst = new Map<Role, { ms: number; after: string }>()
  return {
    async look(after) {
      for (const { role, url } of nodes) {
        const ms = await readDelayMs(url)
        if (ms > patient(mostMs) && after !== 'the start') faults.add(`${role} stood still for ${ms} ms after ${after}`)
        if (after !== 'the start' && ms > (worst.get(role)?.ms ?? 0)) worst.set(role, { ms, after })
      }
    },
    tell: () => [...worst].map(([role, { ms, after }]) => `${role} ${ms} ms (${after})`).join(', '),
  }
}

/** Somebody who shares the nodes and does nothing wrong. */
async function startNeighbour({ world }: InputStage, url: string, now: { name: string }) {
  const tenant = await world.tenant()
  const body = { workflowId, name: workflowId, steps: [{ name: 'In', type: 'in_app', controlValues: { body: 'Hi' } }] }
  expectEqual((await send(url, 'POST', '/v2/workflows', { key: tenant.key, body })).status, 201, 'making a workflow')
  let stopped = false
  const times: number[] = []
  let slowest = { ms: 0, during: '' }
  const refused: string[] = []
  const running = (async () => {
    for (let n = 0; !stopped; n++) {
      const body = { name: workflowId, to: `n${n}` }
      const reply = await send(url, 'POST', '/v1/events/trigger', { key: tenant.key, body })
      times.push(reply.ms)
      if (reply.ms > slowest.ms) slowest = { ms: Math.round(reply.ms), during: now.name }
      if (reply.status !== 201) refused.push(`${reply.status} ${reply.text}`)
      await sleep(100)
    }
  })().catch((error: Error) => refused.push(error.message))
  return {
    async stop(faults: Faults): Promise<string> {
      stopped = true
      await running
      for (const text of refused) faults.add(`the neighbour's trigger → ${text}`)
      if (slowest.ms > patient(mostAnswerMs)) {
        faults.add(`the neighbour waited ${slowest.ms} ms for an answer during ${slowest.during}`)
      }
      const arrived = async () =>
        (
          await world.sql<{ n: number }>('select count(*)::int as n from message where environment_id = $1', [
            tenant.environmentId,
          ])
        )[0]?.n ?? 0
      const since = performance.now()
      while ((await arrived()) < times.length && performance.now() - since < patient(20_000)) await sleep(100)
      const left = times.length - (await arrived())
      if (left > 0) faults.add(`${left} notifications of the neighbour did not arrive`)
      return `${times.length} triggers: slowest ${slowest.ms} ms (${slowest.during})`
    },
  }
}

/** Saves each workflow, then triggers it for a few people. */
async function* workflowCases({ world }: InputStage, _url: string, _tenant: Tenant): AsyncGenerator<Case> {
  const all = stallWorkflows()
  const chosen: StallWorkflow[] = isFull ? all : world.random.shuffle(all).slice(0, all.length / partOf(world))
  for (const [n, { name, schema, steps, payload }] of chosen.entries()) {
    const id = `stall-${n}`
    const named = steps.map((step, s) => ({ name: `Step ${s}`, ...Object(step) }))
    const body = {
      workflowId: id,
      name: id,
      steps: named,
      ...(schema && { payloadSchema: schema, validatePayload: true }),
    }
    yield { name: `${name}, saved`, method: 'POST', path: '/v2/workflows', body }
    const to = ['ada', 'bob', 'cleo'].map((it) => ({
      subscriberId: it,
      email: `${it}@example.org`,
      phone: '+49301234567',
    }))
    yield { name: `${name}, triggered`, method: 'POST', path: '/v1/events/trigger', body: { name: id, to, payload } }
    const events = Array.from({ length: 20 }, () => ({ name: id, to: 'ada', payload }))
    const isSmall = JSON.stringify(payload).length < 100_000
    if (schema && isSmall)
      yield { name: `${name}, twenty at once`, method: 'POST', path: '/v1/events/trigger/bulk', body: { events } }
    yield {
      name: `${name}, explained`,
      method: 'POST',
      path: '/v1/events/explain',
      body: { name: id, to: 'ada', payload },
    }
    if (!world.small)
      yield { name: `${name}, shown`, method: 'POST', path: `/v2/workflows/${id}/preview`, body: { payload } }
  }
}

const triggerCases = (cases: readonly Case[]) =>
  async function* (_stage: InputStage, url: string, tenant: Tenant): AsyncGenerator<Case> {
    const steps = [{ name: 'Mail', type: 'email', controlValues: { subject: 'x', body: '<p>x</p>' } }]
    await send(url, 'POST', '/v2/workflows', {
      key: tenant.key,
      body: { workflowId: 'stall-mail', name: 'stall-mail', steps },
    })
    yield* cases
  }

async function* callbackCases(_stage: InputStage, url: string, tenant: Tenant): AsyncGenerator<Case> {
  for (const { id: providerId, channel } of (await loadProviders()).all.filter((it) => it.inbound)) {
    const configurations = {
      inboundWebhookEnabled: true,
      inboundWebhookSigningKey: signingKeys[providerId] ?? 'key-of-the-hook',
    }
    const made = await send(url, 'POST', '/v1/integrations', {
      key: tenant.key,
      body: { providerId, channel, configurations },
    })
    expectEqual(made.status, 201, `making an integration of ${providerId}: ${made.text}`)
    for (const it of stallCallbacks(`/v1/webhooks/${textAt(made.body, '_id')}`))
      yield { ...it, name: `${providerId} ${it.name}` }
  }
}

// Those that are asked for in a form of their own.
const signingKeys: Record<string, string> = {
  postmark: 'hook:password-of-the-hook',
  resend: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=',
}

/** Every route with a body, each of its fields replaced by each giant; and every list asked with long texts. */
async function* routeCases(stage: InputStage, url: string, tenant: Tenant): AsyncGenerator<Case> {
  const { random } = stage.world
  const client = clientOf(url, tenant)
  for (const op of withBody(stage)) {
    const { path, headers = {} } = await arrange(client, op)
    const body = fullBody(stage, op)
    const names = typeof body === 'object' && body !== null ? Object.keys(body) : []
    const chosen = random.shuffle(names).slice(0, isFull ? 6 : 1)
    for (const field of chosen) {
      for (const [name, giant] of isFull
        ? Object.entries(giants)
        : random.shuffle(Object.entries(giants)).slice(0, 2)) {
        yield {
          name: `${op.operation.operationId} ${field}: ${name}`,
          method: op.method,
          path,
          headers,
          body: { ...Object(body), [field]: giant },
        }
      }
    }
  }
  const texts = ['%25'.repeat(2_000), 'a'.repeat(6_000), '%F0%9F%91%8D'.repeat(400), '_'.repeat(6_000)]
  for (const op of stage.operations.filter(({ method }) => method === 'GET')) {
    const { path, headers = {} } = await arrange(client, op)
    for (const { name } of op.operation.parameters.filter((it) => it.in === 'query')) {
      const text = random.pick(texts)
      yield { name: `${op.operation.operationId}?${name}`, method: 'GET', path: `${path}?${name}=${text}`, headers }
    }
  }
}

/**
 * Until the tasks of all this are done: the workers are looked at while they work it off. Without those of webhook
 * endpoints: nobody answers at the ones the rows above made, so they are tried for days.
 */
async function untilQuiet({ world }: InputStage, tenant: Tenant, watch: Watch): Promise<void> {
  const started = performance.now()
  while (true) {
    const open = await world.sql<{ name: string; state: string; count: number }>(
      `select 'event' as name, 'accepted' as state, count(*)::int from event
        where environment_id = $1 and state = 'accepted' having count(*) > 0
      union all
      select name, state::text, count(*)::int from pgboss.job where state < 'completed'
        and name not in ('dead-letters', 'deliver-webhooks') and start_after < now() group by 1, 2`,
      [tenant.environmentId],
    )
    await watch.look('the tasks of it')
    if (open.length === 0) return
    const what = open.map(({ name, state, count }) => `${count} ${name} ${state}`).join(', ')
    expectThat(performance.now() - started < patient(120_000), `still waits after 120 s: ${what}`)
    await sleep(250)
  }
}
