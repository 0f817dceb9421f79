import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { send, type Tenant } from '../../lib/http.ts'
import { at, textAt } from '../../lib/json.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { patient } from '../../lib/patience.ts'
import { collectFaults, expectEqual, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import type { Heard, WebhookReceiver } from '../../simulators/webhook-receiver.ts'

const workflowId = 'chaos-told'
const mostPerBulk = 50

/** An endpoint of ours and who answers for it. */
export type Endpoint = { id: string; secret: string; receiver: WebhookReceiver }

/** A tenant whose events make an in-app message each. */
export async function makeTeller(world: World, url: string): Promise<Tenant> {
  const tenant = await world.tenant()
  const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body: '{{payload.n}}' } }]
  const body = { workflowId, name: workflowId, steps }
  const made = await send(url, 'POST', '/v2/workflows', { key: tenant.key, body })
  expectEqual(made.status, 201, `making a workflow: ${made.text}`)
  return tenant
}

/** Hears of messages that were sent and of notifications that are complete. */
export async function addEndpoint(url: string, { key }: Tenant, receiver: WebhookReceiver): Promise<Endpoint> {
  const body = { url: receiver.url, eventTypes: ['message.sent', 'notification.completed'] }
  const made = await send(url, 'POST', '/v1/webhook-endpoints', { key, body })
  expectEqual(made.status, 201, `adding an endpoint: ${made.text}`)
  return { id: textAt(made.body, '_id'), secret: textAt(made.body, 'secret'), receiver }
}

/** One event for one person each. A node may be killed meanwhile: what nobody acknowledged may be there or not. */
export async function tell(url: string, { key }: Tenant, names: readonly string[]): Promise<void> {
  const bulks = times(Math.ceil(names.length / mostPerBulk), (n) => names.slice(n * mostPerBulk, (n + 1) * mostPerBulk))
  await inParallel(bulks, 2, async (bulk) => {
    const events = bulk.map((n) => ({ name: workflowId, transactionId: n, to: { subscriberId: n }, payload: { n } }))
    const reply = await send(url, 'POST', '/v1/events/trigger/bulk', { key, body: { events } })
    expectEqual(reply.status, 201, `a bulk trigger: ${reply.text.slice(0, 300)}`)
  })
}

/** Until so many notifications are there and nothing that endpoints are told of them waits. Answers the seconds it took. */
export async function untilTold(world: World, tenant: Tenant, notifications: number, withinMs: number) {
  const started = performance.now()
  while (true) {
    const [row] = await world.sql<{ made: number; open: number }>(
      `select (select count(*) from message where environment_id = $1)::int as made,
        (select count(*) from webhook_delivery where environment_id = $1 and state = 'open')::int
          + (select coalesce(sum(cardinality(ids)), 0) from webhook_page where environment_id = $1)::int as open`,
      [tenant.environmentId],
    )
    const seconds = (performance.now() - started) / 1000
    if (row && row.made >= notifications && row.open === 0) return seconds
    const left = `${row?.made} of ${notifications} made, ${row?.open} events still open after ${seconds.toFixed(0)} s`
    if (seconds * 1000 > patient(withinMs))
      expectThat(false, `${left}: ${JSON.stringify(await openOnes(world, tenant))}`)
    await sleep(100)
  }
}

function openOnes(world: World, { environmentId }: Tenant) {
  return world.sql(
    `select id, number, in_flight, failures, next_at, tries from webhook_delivery
     where environment_id = $1 and state = 'open' limit 3`,
    [environmentId],
  )
}

export type Told = { events: number; requests: number; again: number }

/**
 * The rows of messages and notifications say what had to be told, not those of the webhooks: each by one event, which was
 * taken at least once, with one body, always signed. Nothing was told of what is not there.
 */
export async function judgeTold(world: World, tenant: Tenant, { secret, receiver }: Endpoint): Promise<Told> {
  const rows = await world.sql<{ about: string }>(
    `select 'message.sent ' || id as about from message where environment_id = $1
     union all select 'notification.completed ' || id from notification where environment_id = $1`,
    [tenant.environmentId],
  )
  const faults = collectFaults()
  const webhook = new Webhook(secret)
  const bodies = new Map<string, string>()
  const idsOf = new Map<string, Set<string>>(rows.map(({ about }) => [about, new Set()]))
  const taken = new Set(receiver.heard.filter((it) => it.taken).map(({ id }) => id))
  for (const { id, headers, body } of receiver.heard) {
    const event = verified(webhook, body, headers)
    if (event === null) {
      faults.add(`the signature of ${id} is wrong`)
      continue
    }
    if ((bodies.get(id) ?? body) !== body) faults.add(`${id} came with another body`)
    bodies.set(id, body)
    const about = aboutOf(event)
    const ids = idsOf.get(about)
    if (ids) ids.add(id)
    else faults.add(`told of what is not there: ${about}`)
  }
  for (const [about, ids] of idsOf) {
    if (![...ids].some((id) => taken.has(id)))
      faults.add(`LOST: ${about} (came ${ids.size === 0 ? 'never' : 'and was not taken'})`)
    if (ids.size > 1) faults.add(`${about} was told by ${ids.size} ids`)
  }
  faults.end()
  return { events: rows.length, requests: receiver.heard.length, again: receiver.heard.length - rows.length }
}

/** By the reference library, which throws when the signature is wrong. */
function verified(webhook: Webhook, body: string, headers: Heard['headers']): unknown {
  try {
    return webhook.verify(body, headers)
  } catch {
    return null
  }
}

function aboutOf(event: unknown): string {
  const type = textAt(event, 'type')
  const id = type === 'message.sent' ? 'messageId' : 'notificationId'
  return `${type} ${String(at(event, 'data', id))}`
}

export type TryRow = { id: string; failures: number; outcomes: string[] }

/** What we wrote down of the tries at one endpoint. */
export function triesAt(world: World, { id }: Endpoint): Promise<TryRow[]> {
  return world.sql<TryRow>(
    `select id, failures, array(select t ->> 'outcome' from jsonb_array_elements(tries) t) as outcomes
     from webhook_delivery where endpoint_id = $1`,
    [id],
  )
}
