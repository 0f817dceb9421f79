import { setTimeout as sleep } from 'node:timers/promises'
import { oddUrls, otherPrivateHosts, reachableHosts } from '../../hostile/private-addresses.ts'
import { send, type Tenant } from '../../lib/http.ts'
import {
  allowing,
  emailWebhook,
  makeSender,
  type Sender,
  triggerEach,
  until,
  untilSettled,
} from '../../lib/outside-stage.ts'
import { inParallel } from '../../lib/parallel.ts'
import { type Planted, plantIntegrations, plantWebhook } from '../../lib/planted-integrations.ts'
import { collectFaults, expectAtLeast, expectEqual, type Faults } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { type CanaryListener, startCanaryListener } from '../../simulators/canary-listener.ts'
import type { EgressStage } from './stage.ts'

const chatWorkflow = 'chaos-chat'

/**
 * I13. Every spelling of an address inside is refused when it is saved, and again when it is sent to, should it have
 * come into the database some other way. The canary listens where most of them lead.
 */
export async function addresses(world: EgressStage): Promise<string> {
  const { encryptionKey } = world
  const canary = await startCanaryListener()
  const hosts = [...reachableHosts, ...otherPrivateHosts]
  const urls = [
    ...hosts.map((host) => `http://${host}:${canary.port}/hook`),
    ...oddUrls.map((url) => url.replaceAll('%P', String(canary.port))),
  ]
  const reached = await countUnguarded(canary)
  // The port is allowed, so that the address alone decides.
  const settings = { ...allowing([canary.port]), EGRESS_ALLOWED_RANGES: '' }
  const node = await world.startNode(settings, 'start')
  const sender = await makeSender(world, node.url, 'email', [])
  const faults = collectFaults()
  const refused = await save(node.url, sender.tenant, { urls, hosts, port: canary.port }, faults)
  const sent = await sendAll(world, node.url, sender, { urls, hosts, port: canary.port, encryptionKey }, faults)
  await sleep(500)
  for (const { to } of canary.connections) faults.add(`the canary was reached at ${to}`)
  faults.end()
  expectAtLeast(reached, 40, 'spellings that reach the canary unguarded')
  expectAtLeast(hosts.length, 60, 'hosts')
  return `${hosts.length} hosts and ${oddUrls.length} odd URLs (${reached} reach the canary when nobody guards): ${refused} refused when saved, ${sent} when sent, 0 connections to the canary`
}

/** The row would show nothing if these spellings led nowhere. */
async function countUnguarded(canary: CanaryListener): Promise<number> {
  let reached = 0
  for (const host of reachableHosts) {
    const before = canary.connections.length
    await fetch(`http://${host}:${canary.port}/`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    if (canary.connections.length > before) reached++
  }
  canary.connections.length = 0
  return reached
}

type Forms = { urls: readonly string[]; hosts: readonly string[]; port: number }

const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

async function save(url: string, tenant: Tenant, { urls, hosts, port }: Forms, faults: Faults): Promise<number> {
  await send(url, 'POST', '/v2/subscribers', { key: tenant.key, body: { subscriberId: 'hooked' } })
  const mailbox = (host: string) => ({ host, port: String(port), from: 'team@example.com' })
  const tries = [
    ...urls.map((it) => ({
      method: 'POST',
      path: '/v1/integrations',
      body: { channel: 'email', active: true, ...emailWebhook(it) },
    })),
    ...urls.map((it) => ({
      method: 'PUT',
      path: '/v1/subscribers/hooked/credentials',
      body: { providerId: 'chat-webhook', credentials: { webhookUrl: it } },
    })),
    ...hosts
      .flatMap((host) => [host, bare(host)])
      .map((host) => ({
        method: 'POST',
        path: '/v1/integrations',
        body: { channel: 'email', active: true, providerId: 'nodemailer', credentials: mailbox(host) },
      })),
  ]
  let refused = 0
  await inParallel(tries, 4, async ({ method, path, body }) => {
    const reply = await send(url, method, path, { key: tenant.key, body })
    if (reply.status === 422) refused++
    else faults.add(`SAVED: ${method} ${path} ${JSON.stringify(body.credentials)} → ${reply.status} ${reply.text}`)
  })
  return refused
}

/** Integrations and people's webhooks written past the API, and one message through each. */
async function sendAll(
  world: World,
  url: string,
  sender: Sender,
  { urls, hosts, port, encryptionKey }: Forms & { encryptionKey: string },
  faults: Faults,
): Promise<number> {
  const { tenant } = sender
  const mails: Planted[] = [
    ...urls.map((it) => ({ ...emailWebhook(it), channel: 'email' as const })),
    ...hosts.map((host) => ({
      providerId: 'nodemailer',
      channel: 'email' as const,
      credentials: { host: bare(host), port: String(port), from: 'team@example.com', ignoreTls: true },
    })),
  ].map((it, n) => ({ ...it, identifier: `planted-${n}` }))
  await plantIntegrations(world, tenant, encryptionKey, mails)
  const names = mails.map(({ identifier }) => identifier)
  await triggerEach(url, sender, names, (identifier) => ({
    overrides: { email: { integrationIdentifier: identifier } },
  }))
  await plantPeople(world, url, tenant, encryptionKey, urls)
  // Unguarded, most lead nowhere and time out: what the canary has to say is said all the same.
  await untilSettled(world, [sender], 30_000).catch((error: Error) => faults.add(error.message))
  const messages = await world.sql<{ about: string; channel: string; delivery: string; errorId: string; text: string }>(
    `select transaction_id as about, channel, delivery, error_id as "errorId", error_text as text from message
     where environment_id = $1`,
    [tenant.environmentId],
  )
  const form = new Map(mails.map((it) => [it.identifier, JSON.stringify(it.credentials)]))
  for (const { about, delivery, errorId, text } of messages) {
    const isRefused = delivery === 'rejected' && errorId === 'provider_rejected'
    if (!isRefused) faults.add(`SENT: ${form.get(about) ?? about} → ${delivery} ${errorId} ${text}`)
  }
  if (messages.length !== mails.length + urls.length) faults.add(`${messages.length} messages for planted addresses`)
  return messages.length
}

async function plantPeople(world: World, url: string, tenant: Tenant, encryptionKey: string, urls: readonly string[]) {
  const steps = [{ name: 'Chat', type: 'chat', controlValues: { body: 'hello' } }]
  const workflow = { workflowId: chatWorkflow, name: chatWorkflow, steps }
  const made = await send(url, 'POST', '/v2/workflows', { key: tenant.key, body: workflow })
  expectEqual(made.status, 201, `making a workflow: ${made.text}`)
  const [integrationId = ''] = await plantIntegrations(world, tenant, encryptionKey, [
    { identifier: 'planted-chat', providerId: 'chat-webhook', channel: 'chat', credentials: {} },
  ])
  const people = urls.map((_, n) => ({ subscriberId: `person-${n}` }))
  for (let n = 0; n < people.length; n += 100) {
    const body = { subscribers: people.slice(n, n + 100) }
    await send(url, 'POST', '/v1/subscribers/bulk', { key: tenant.key, body })
  }
  const find = () =>
    world.sql<{ id: string; name: string }>(
      `select id, subscriber_id as name from subscriber where environment_id = $1 and subscriber_id like 'person-%'`,
      [tenant.environmentId],
    )
  await until(async () => (await find()).length === people.length, 20_000, 'the people to be there')
  const ids = new Map((await find()).map(({ id, name }) => [name, id]))
  for (const [n, webhookUrl] of urls.entries()) {
    const subscriberId = ids.get(`person-${n}`) ?? ''
    await plantWebhook(world, tenant, encryptionKey, { subscriberId, integrationId, webhookUrl })
  }
  for (let n = 0; n < people.length; n += 100) {
    const events = people.slice(n, n + 100).map(({ subscriberId }) => ({
      name: chatWorkflow,
      transactionId: `to-${subscriberId}`,
      to: subscriberId,
      payload: {},
    }))
    const reply = await send(url, 'POST', '/v1/events/trigger/bulk', { key: tenant.key, body: { events } })
    expectEqual(reply.status, 201, `triggering chats: ${reply.text}`)
  }
}
