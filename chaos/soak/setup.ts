import { send, type Tenant } from '../lib/http.ts'
import { emailWebhook, genericSms, makeSender, smtp } from '../lib/outside-stage.ts'
import { times } from '../lib/parallel.ts'
import { expectEqual } from '../lib/red.ts'
import type { World } from '../lib/world.ts'
import { makeWaitingWorkflows } from '../rows/crash/waiting.ts'
import { muted, mutedPerson, type Place, person, spareWorkflow, topicKey, topicSize, waitSeconds } from './kinds.ts'
import type { Providers } from './providers.ts'

export type Tenants = Record<Place, Tenant>

// Where nothing is known the tenant wants a second copy rather than none: doubles must then be told.
const again = { configurations: { whenUnknown: 'atLeastOnce' } }

export async function makeTenants(world: World, url: string, { urls, ports }: Providers): Promise<Tenants> {
  const mail = await makeSender(world, url, 'email', [emailWebhook(urls.mail)])
  const post = await makeSender(world, url, 'email', [smtp(ports.smtp, again)])
  const text = await makeSender(world, url, 'sms', [{ ...genericSms(urls.text), ...again }])
  const inbox = await world.tenant()
  await makeInbox(url, inbox)
  return { inbox, mail: mail.tenant, post: post.tenant, text: text.tenant }
}

async function makeInbox(url: string, tenant: Tenant): Promise<void> {
  const call = async (method: string, path: string, body: object, status: number) => {
    const reply = await send(url, method, path, { key: tenant.key, body })
    expectEqual(reply.status, status, `${method} ${path}: ${reply.text}`)
  }
  await makeWaitingWorkflows(url, tenant, waitSeconds)
  const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello {{subscriber.firstName}}' } }]
  for (const workflowId of ['inbox', spareWorkflow])
    await call('POST', '/v2/workflows', { workflowId, name: workflowId, steps }, 201)
  const members = times(topicSize, person)
  for (const subscriberId of [...members, ...times(muted, mutedPerson)])
    await call('POST', '/v2/subscribers', { subscriberId }, 201)
  await call('POST', `/v2/topics/${topicKey}/subscriptions`, { subscriptions: members }, 201)
  for (const who of times(muted, mutedPerson))
    await call('PATCH', `/v2/subscribers/${who}/preferences`, { workflowId: 'inbox', channels: { in_app: false } }, 200)
}
