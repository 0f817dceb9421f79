import type { Route } from '../../../src/http/load-routes.ts'
import type { Fixture } from '../../../test/fixture-makers.ts'
import type { Client } from '../../../test/harness.ts'
import { clientOf, type Reply, type Tenant } from '../../lib/http.ts'
import { textAt } from '../../lib/json.ts'
import type { ApiNode } from '../../lib/process.ts'
import type { Faults } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { waitUntilDrained } from '../../oracles/delivery.ts'

export type TenancyStage = {
  world: World
  /** One owns its tables: only the statements keep tenants apart. The other is held by row-level security too. */
  nodes: readonly ApiNode[]
  routes: readonly Route[]
  owner: Planted
  /** One of the owner's organization, and one who may do everything in another. */
  strangers: readonly Tenant[]
}

export type Planted = {
  tenant: Tenant
  /** One of every kind of id that anything of the owner has. */
  ids: Record<string, string>
  /** What nobody else may ever see. */
  secrets: readonly string[]
}

let counter = 0

/** Fills an environment: every field of everything holds a text that stands nowhere else. */
export async function plant(world: World, url: string, tenant: Tenant): Promise<Planted> {
  const client = clientOf(url, tenant)
  const tag = `canary${++counter}x${world.random.integer(1e6, 1e7)}`
  const subscriberId = `person-${counter}`
  const topicKey = `topic-${counter}`
  const person = await made(
    client.post('/v2/subscribers', {
      subscriberId,
      firstName: `${tag}first`,
      lastName: `${tag}last`,
      email: `${tag}@example.com`,
      phone: `+49${tag}`,
      avatar: `https://example.com/${tag}.png`,
      data: { [`${tag}key`]: `${tag}value` },
    }),
  )
  await client.put(`/v1/subscribers/${subscriberId}/credentials`, {
    providerId: 'fcm',
    credentials: { deviceTokens: [`${tag}token`] },
  })
  await client.put(`/v1/subscribers/${subscriberId}/credentials`, {
    providerId: 'slack',
    credentials: { webhookUrl: `https://hooks.example.com/${tag}` },
  })
  const topic = await made(client.post('/v2/topics', { key: topicKey, name: `${tag}topic` }))
  const members = await made(client.post(`/v2/topics/${topicKey}/subscriptions`, { subscriptions: [subscriberId] }))
  const integration = await made(
    client.post('/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      name: `${tag}mail`,
      identifier: `mail-${counter}`,
      active: true,
      credentials: { apiKey: `${tag}apikey`, from: `${tag}@example.com` },
      configurations: { inboundWebhookSigningKey: `${tag}signing` },
      conditions: [{ children: [{ field: `${tag}field`, value: `${tag}`, operator: 'EQUAL', on: 'payload' }] }],
    }),
  )
  const acme = { identifier: `acme-${counter}`, name: `${tag}tenant`, data: { [tag]: tag } }
  const company = await made(client.post('/v1/tenants', acme))
  await made(client.post('/v2/contexts', { type: 'tenant', id: acme.identifier, data: { [tag]: tag } }))
  const variable = `VARIABLE_${counter}`
  const values = [{ _environmentId: tenant.environmentId, value: `${tag}variable` }]
  await made(client.post('/v1/environment-variables', { key: variable, values }))
  const hook = await made(client.post('/v1/webhook-endpoints', { url: `https://hooks.example.com/${tag}` }))
  const told = await made(client.post(`/v1/webhook-endpoints/${textAt(hook, '_id')}/test`))
  const layoutId = `layout-${counter}`
  const layout = await made(
    client.post('/v2/layouts', {
      layoutId,
      name: `${tag}layout`,
      isDefault: true,
      controlValues: { email: { body: `<b>${tag}header</b>{{content}}`, editorType: 'html' } },
    }),
  )
  const places = await plantPlaces(client, tag, subscriberId)
  const ids = {
    ...places,
    ...(await plantHistory(world, client, tag, subscriberId)),
    subscriberId,
    'subscriber _id': textAt(person, '_id'),
    topicKey,
    'topic _id': textAt(topic, '_id'),
    'subscription _id': textAt(members, 'data', 0, '_id'),
    'subscription identifier': textAt(members, 'data', 0, 'identifier'),
    'integration _id': textAt(integration, '_id'),
    'integration identifier': `mail-${counter}`,
    layoutId,
    'layout _id': textAt(layout, '_id'),
    'tenant identifier': acme.identifier,
    'variable key': variable,
    'tenant _id': textAt(company, '_id'),
    'webhook endpoint _id': textAt(hook, '_id'),
    'webhook event _id': textAt(told, '_id'),
    environmentId: tenant.environmentId,
    organizationId: tenant.organizationId,
    keyId: tenant.keyId,
  }
  await plantBehind(world, tenant)
  return {
    tenant,
    ids,
    secrets: [
      tag,
      tenant.environmentId,
      ...Object.values(ids).filter((id) => id.length === 36 && id !== tenant.organizationId),
    ],
  }
}

/** A workspace that installed an app, a channel in it, and somebody who was sent there to agree. */
async function plantPlaces(client: Client, tag: string, subscriberId: string): Promise<Record<string, string>> {
  const [app, workspace, channel] = [`slack-${counter}`, `workspace-${counter}`, `channel-${counter}`]
  await made(
    client.post('/v1/integrations', {
      providerId: 'slack',
      channel: 'chat',
      identifier: app,
      credentials: { clientId: `${tag}client`, secretKey: `${tag}clientsecret` },
    }),
  )
  await made(
    client.post('/v1/channel-connections', {
      identifier: workspace,
      integrationIdentifier: app,
      subscriberId,
      workspace: { id: `${tag}T0`, name: `${tag}workspace` },
      auth: { accessToken: `${tag}access`, refreshToken: `${tag}refresh` },
    }),
  )
  await made(
    client.post('/v1/channel-endpoints', {
      identifier: channel,
      integrationIdentifier: app,
      connectionIdentifier: workspace,
      subscriberId,
      type: 'slack_channel',
      endpoint: { channelId: `${tag}C0` },
    }),
  )
  await made(client.post('/v1/integrations/channel-connections/oauth', { integrationIdentifier: app, subscriberId }))
  return { 'connection identifier': workspace, 'endpoint identifier': channel }
}

/** A workflow, and what one trigger of it leaves behind; `client` is one of a node that works too. */
async function plantHistory(
  world: World,
  client: Client,
  tag: string,
  subscriberId: string,
): Promise<Record<string, string>> {
  const [workflowId, transactionId] = [`workflow-${counter}`, `transaction-${counter}`]
  const workflow = await made(
    client.post('/v2/workflows', {
      workflowId,
      name: `${tag}workflow`,
      tags: [`${tag}tag`],
      steps: [{ name: `${tag}step`, type: 'in_app', controlValues: { body: `${tag}: {{payload.text}}` } }],
    }),
  )
  await made(
    client.post('/v2/translations', {
      resourceId: workflowId,
      resourceType: 'workflow',
      locale: 'de_AT',
      content: { [`${tag}key`]: `${tag}words` },
    }),
  )
  const payload = { text: `${tag}text` }
  const result = await made(
    client.post('/v1/events/trigger', { name: workflowId, to: subscriberId, payload, transactionId }),
  )
  if (textAt(result, 'status') !== 'processed') throw new Error(`could not plant: ${JSON.stringify(result)}`)
  await waitUntilDrained(world, 20_000)
  const messages = await made(client.get(`/v1/messages?transactionId=${transactionId}`))
  return {
    workflowId,
    'workflow _id': textAt(workflow, '_id'),
    transactionId,
    'message _id': textAt(messages, 'data', 0, '_id'),
    'notification _id': textAt(messages, 'data', 0, '_notificationId'),
  }
}

/** What requests make only together with a provider or a clock: the owner's rows of these tables are watched too. */
async function plantBehind(world: World, { environmentId }: Tenant): Promise<void> {
  // Of now: housekeeping drops what is old.
  const id = 'uuid_at(now())'
  const inserts = [
    `attempt (environment_id, id, message_id, number, integration_id, provider_id, started_at, deadline)
      values ($1, ${id}, ${id}, 1, ${id}, 'x', now(), now())`,
    `event_attachment values ($1, ${id}, 0, 'a', 'text/plain', 'x')`,
    `callback_token (environment_id, integration_id, digest, expires_at)
      select $1, id, 'x', now() + interval '1 year' from integration where environment_id = $1 limit 1`,
    `callback_arrival (environment_id, integration_id, told_at, told)
      select $1, id, now(), '[]' from integration where environment_id = $1 limit 1`,
    `token_trust (environment_id, integration_id, credentials, accepted, gone)
      select $1, id, 'x', 1, 0 from integration where environment_id = $1 limit 1`,
    `receipt (environment_id, integration_id, ticket, message_id, target, due_at, expires_at)
      select $1, id, 'x', ${id}, 'x', now() + interval '1 year', now() + interval '1 year'
      from integration where environment_id = $1 limit 1`,
    `integration_pace (environment_id, integration_id, paused_until, rate, slots, refilled_at, slowed_at)
      values ($1, ${id}, now() + interval '1 year', 1, 0, now(), now())`,
    `paced_message values ($1, ${id}, 0, ${id})`,
    `placement (environment_id, cell, generation) values ($1, 'c1', 1)`,
    `suppression values ($1, 'email', 'a@example.com', 'bounced', null, now())`,
    `dev_mail values ($1, ${id}, 'email', 'a@example.com', null, 'x', now())`,
    `digest_window values ($1, ${id}, 's', ${id}, '', 'open', ${id}, ${id}, now() + interval '1 year')`,
    `outcome_rollup values ($1, date_trunc('hour', now()), 60, ${id}, 'email', '', 'sent', 1)`,
    `outcome_folded values ($1, 1)`,
    `environment_move (environment_id, from_cell, to_cell, step) values ($1, 'ca', 'cb', 'forgotten')`,
    `move_marker values ($1, $1)`,
    `throttle_window values ($1, ${id}, 's', ${id}, '', 1, now() + interval '1 year')`,
    `session (environment_id, id, token_hash, expires_at) values ($1, ${id}, 'x', now() + interval '1 hour')`,
    `sign_in_link (environment_id, id, token_hash, expires_at) values ($1, ${id}, 'x', now() + interval '1 hour')`,
    `subscriber_preference (environment_id, subscriber_id, workflow_id, choices, updated_at)
      select $1, id, null, '{}', now() from subscriber where environment_id = $1 limit 1`,
    `inbox_node values ($1, now() + interval '1 year')`,
    `presence (environment_id, subscriber_id, node_id)
      select $1, id, $1 from subscriber where environment_id = $1 limit 1`,
    `subscription_detail (environment_id, topic_id, subscriber_id, identifier, id, updated_at)
      select $1, topic_id, subscriber_id, '', id, now() from topic_subscription where environment_id = $1 limit 1`,
    `subscriber_schedule (environment_id, subscriber_id, enabled, weekly, updated_at)
      select $1, id, true, null, now() from subscriber where environment_id = $1 limit 1`,
  ]
  // A send that is over, of which nothing moves any more, and a publication.
  inserts.push(
    `send (environment_id, id, transaction_id, workflow_id, kind, state, since, counted)
      values ($1, ${id}, 'x', ${id}, 'list', 'done', now(), true)`,
    `send_total values ($1, ${id}, 'email', 'sent', 1)`,
    `publication (environment_id, id, changes, summary, workflows_before, workflows_after, created_at)
      values ($1, ${id}, '[]', '{"added":0,"modified":0,"deleted":0}', '[]', '[]', now())`,
    `published_resource values ($1, 'workflow', ${id}, '', $1)`,
    `held_item values ($1, ${id}, ${id}, 'message', now())`,
    // Far ahead: nobody asks it.
    `bridge (environment_id, url, synced_at) values ($1, 'https://bridge.invalid/', now())`,
    `bridge_call (environment_id, job_id, notification_id, since, next_at)
      values ($1, ${id}, ${id}, now(), now() + interval '1 hour')`,
  )
  for (const insert of inserts) await world.sql(`insert into ${insert} on conflict do nothing`, [environmentId])
}

async function made(call: Promise<Reply>): Promise<unknown> {
  const reply = await call
  if (reply.status >= 300) throw new Error(`could not plant: ${reply.status} ${reply.text}`)
  return reply.body
}

/** I6. What the asker said himself may come back to him. */
export function checkNothingShown(reply: Reply, asked: string, secrets: readonly string[], faults: Faults): void {
  const shown = secrets.find((secret) => reply.text.includes(secret) && !asked.includes(secret))
  if (shown) faults.add(`${asked} shows ${shown} of another environment: ${reply.text}`)
}

/** What is of a whole organization is refused to a key of one environment before anything is looked up. */
export function isOpenTo({ reach }: Pick<Tenant, 'reach'>, { needsReach }: Fixture): boolean {
  return !needsReach || reach === 'organization'
}

export function strangersOf({ strangers, nodes }: TenancyStage): Client[] {
  const [node] = nodes
  if (!node) throw new Error('there is a node')
  return strangers.map((tenant) => clientOf(node.url, tenant))
}
