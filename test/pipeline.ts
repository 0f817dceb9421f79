import { expect } from 'vitest'
import type { Client } from './harness.ts'

/** One in-app step; `body` is Liquid. */
export async function makeWorkflow(
  env: Client,
  workflowId = 'hello',
  changes: Record<string, unknown> = {},
): Promise<void> {
  const steps = [
    { name: 'Inbox', type: 'in_app', controlValues: { subject: 'Hi', body: 'Hello {{subscriber.firstName}}' } },
  ]
  const made = await env.post('/v2/workflows', { workflowId, name: workflowId, steps, ...changes })
  expect(made.status).toBe(201)
}

export async function trigger(env: Client, event: Record<string, unknown>) {
  const reply = await env.post('/v1/events/trigger/bulk', { events: [{ name: 'hello', ...event }] })
  expect(reply.status).toBe(201)
  return reply.body[0]
}

export async function makeSubscribers(env: Client, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 500) {
    const subscribers = ids.slice(from, from + 500).map((subscriberId) => ({ subscriberId, firstName: subscriberId }))
    expect((await env.post('/v1/subscribers/bulk', { subscribers })).body.failed).toEqual([])
  }
}

export async function subscribe(env: Client, topicKey: string, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 100) {
    const reply = await env.post(`/v2/topics/${topicKey}/subscriptions`, { subscriptions: ids.slice(from, from + 100) })
    expect(reply.body.meta.failed).toBe(0)
  }
}

/** How many messages of the environment each subscriber got, by subscriberId. */
export async function messagesBySubscriber(env: Client): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let page = 0; ; page++) {
    const { body } = await env.get(`/v1/messages?limit=1000&page=${page}`)
    for (const message of body.data) {
      const id = message.subscriber?.subscriberId ?? message._subscriberId
      counts[id] = (counts[id] ?? 0) + 1
    }
    if (!body.hasMore) return counts
  }
}
