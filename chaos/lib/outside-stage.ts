import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Tenant } from './http.ts'
import { at, listAt, textAt } from './json.ts'
import { inParallel, times } from './parallel.ts'
import { patient } from './patience.ts'
import type { ApiNode, Role } from './process.ts'
import { expectEqual, expectThat } from './red.ts'
import type { World } from './world.ts'

/** Settings of nodes that may reach these ports of this machine. */
export function allowing(ports: readonly number[], ranges = '127.0.0.0/8'): Record<string, string> {
  return { EGRESS_ALLOWED_RANGES: ranges, EGRESS_ALLOWED_PORTS: ports.join(','), DATABASE_POOL_SIZE: '10' }
}

/** One after the other: on a busy machine several at once do not start in time. */
export async function startNodes(world: World, settings: Record<string, string>, roles: readonly Role[]) {
  const nodes: ApiNode[] = []
  for (const role of roles) nodes.push(await world.startNode(settings, role))
  return nodes
}

/** One tenant with one or more integrations and a workflow that writes the event's own name into what it sends. */
export type Sender = { tenant: Tenant; channel: 'email' | 'sms' | 'chat' | 'push'; integrationIds: string[] }

export const senderWorkflow = 'chaos-outside'

export async function makeSender(
  world: World,
  url: string,
  channel: Sender['channel'],
  integrations: readonly Record<string, unknown>[],
): Promise<Sender> {
  const tenant = await world.tenant()
  const integrationIds: string[] = []
  for (const values of integrations) {
    const body = { channel, active: true, ...values }
    const made = await send(url, 'POST', '/v1/integrations', { key: tenant.key, body })
    expectEqual(made.status, 201, `making an integration: ${made.text}`)
    integrationIds.push(textAt(made.body, '_id') || textAt(made.body, 'data', '_id'))
  }
  const steps = [{ name: 'Out', type: channel, controlValues: contentOf(channel) }]
  const body = { workflowId: senderWorkflow, name: senderWorkflow, steps }
  const made = await send(url, 'POST', '/v2/workflows', { key: tenant.key, body })
  expectEqual(made.status, 201, `making a workflow: ${made.text}`)
  return { tenant, channel, integrationIds }
}

function contentOf(channel: Sender['channel']) {
  if (channel === 'email') return { subject: '{{payload.n}}', body: '<p>Hello</p>' }
  return { ...(channel === 'push' && { subject: 'News' }), body: '{{payload.n}}' }
}

export function emailWebhook(url: string, more: Record<string, unknown> = {}) {
  const credentials = { webhookUrl: url, secretKey: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=', from: 'team@example.com' }
  return { providerId: 'email-webhook', credentials, ...more }
}

export function smtp(port: number, more: Record<string, unknown> = {}) {
  const credentials = { host: '127.0.0.1', port: String(port), from: 'team@example.com', ignoreTls: true }
  return { providerId: 'nodemailer', credentials, ...more }
}

export function genericSms(url: string, more: Record<string, unknown> = {}) {
  const credentials = { baseUrl: url, apiKeyRequestHeader: 'x-api-key', apiKey: 'key-of-chaos', from: '4711', ...more }
  return { providerId: 'generic-sms', credentials }
}

export type Acknowledged = { about: string; triggeredAt: number }

const mostPerBulk = 100

/** One event each for one person each; every one is acknowledged or the row is red. */
export async function triggerEach(
  url: string,
  { tenant, channel }: Sender,
  names: readonly string[],
  more: (name: string) => Record<string, unknown> = () => ({}),
): Promise<Acknowledged[]> {
  const bulks = times(Math.ceil(names.length / mostPerBulk), (n) => names.slice(n * mostPerBulk, (n + 1) * mostPerBulk))
  const done = await inParallel(bulks, 2, async (bulk) => {
    const triggeredAt = Date.now()
    const events = bulk.map((about) => ({
      name: senderWorkflow,
      transactionId: about,
      to: { subscriberId: about, ...addressOf(channel, about) },
      payload: { n: about },
      ...more(about),
    }))
    const reply = await send(url, 'POST', '/v1/events/trigger/bulk', { key: tenant.key, body: { events } })
    expectEqual(reply.status, 201, `a bulk trigger: ${reply.text.slice(0, 300)}`)
    const statuses = listAt(reply.body).map((result) => at(result, 'status'))
    expectThat(
      statuses.length === bulk.length && statuses.every((status) => status === 'processed'),
      `a bulk trigger: ${reply.text.slice(0, 300)}`,
    )
    return bulk.map((about) => ({ about, triggeredAt }))
  })
  return done.flat()
}

export function addressOf(channel: Sender['channel'], name: string) {
  if (channel === 'email') return { email: `${name}@example.org` }
  if (channel !== 'sms') return {}
  return { phone: `+4930${[...name].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 10 ** 8, 0)}` }
}

/** Until nothing of these senders waits any more. Answers the seconds it took. */
export async function untilSettled(world: World, senders: readonly Sender[], withinMs: number): Promise<number> {
  const started = performance.now()
  const environments = senders.map(({ tenant }) => tenant.environmentId)
  while (true) {
    const [row] = await world.sql<{ open: number }>(
      `select (select count(*) from event where environment_id = any($1) and state = 'accepted')::int
        + (select count(*) from message where environment_id = any($1) and delivery = 'open')::int as open`,
      [environments],
    )
    const seconds = (performance.now() - started) / 1000
    if (row?.open === 0) return seconds
    if (seconds * 1000 > patient(withinMs)) {
      const left = await world.sql(
        `select transaction_id, attempts, in_flight, retry_at, error_text from message
         where environment_id = any($1) and delivery = 'open' order by retry_at desc limit 3`,
        [environments],
      )
      expectThat(false, `${row?.open} still wait after ${seconds.toFixed(0)} s, such as ${JSON.stringify(left)}`)
    }
    await sleep(200)
  }
}

export async function until(holds: () => boolean | Promise<boolean>, withinMs: number, what: string): Promise<void> {
  const started = performance.now()
  while (!(await holds())) {
    expectThat(performance.now() - started < patient(withinMs), `not within ${withinMs / 1000} s: ${what}`)
    await sleep(10)
  }
}
