import { expect } from 'vitest'
import type { Client, Harness, Json } from './harness.ts'
import { makeWorkflow } from './pipeline.ts'

const controlValues = {
  body: '{{ payload.n }}',
  primaryAction: { label: 'Yes', redirect: { url: '/yes/{{ payload.n }}', target: '_blank' } },
  secondaryAction: { label: 'No' },
}
const steps = [{ name: 'Inbox', type: 'in_app', controlValues }]

/** An environment of its own whose workflow `hello` has two buttons, tags and a severity. */
export async function feedEnvironment(h: Harness): Promise<Client> {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps, tags: ['news', 'sport'], severity: 'high' })
  return env
}

/** Puts `count` messages into a feed; returns their ids, oldest first. */
export async function fillFeed(
  h: Harness,
  env: Client,
  subscriberId: string,
  count: number,
  event: object = {},
): Promise<string[]> {
  for (let from = 0; from < count; from += 100) {
    const events = Array.from({ length: Math.min(100, count - from) }, (_, n) => ({
      name: 'hello',
      to: subscriberId,
      payload: { n: from + n },
      ...event,
    }))
    expect((await env.post('/v1/events/trigger/bulk', { events })).status).toBe(201)
  }
  await h.drain()
  const { body } = await env.get(`/v1/messages?subscriberId=${subscriberId}&limit=1000`)
  return body.data.map((it: Json) => it._id).toReversed()
}

export const feedOf = (env: Client, subscriberId = 'ada') => ({
  async ids(query = ''): Promise<string[]> {
    const { status, body } = await env.get(`/v1/subscribers/${subscriberId}/notifications/feed?limit=100&${query}`)
    expect(status).toBe(200)
    return body.data.map((it: Json) => it._id).toReversed()
  },
  async counts(): Promise<{ unseen: number; unread: number }> {
    const at = (what: string) => env.get(`/v1/subscribers/${subscriberId}/notifications/${what}?limit=1000`)
    const [unseen, unread] = [await at('unseen'), await at('unread')]
    expect([unseen.status, unread.status]).toEqual([200, 200])
    return { unseen: unseen.body.count, unread: unread.body.count }
  },
  markAs: (messageId: string | string[], markAs: string) =>
    env.post(`/v1/subscribers/${subscriberId}/messages/mark-as`, { messageId, markAs }),
  markAll: (markAs: string, more: object = {}) =>
    env.post(`/v1/subscribers/${subscriberId}/messages/mark-all`, { markAs, ...more }),
  patch: (id: string, verb: string, body?: unknown) =>
    env.patch(`/v2/subscribers/${subscriberId}/notifications/${id}/${verb}`, body),
  all: (verb: string, body: object = {}) => env.post(`/v2/subscribers/${subscriberId}/notifications/${verb}`, body),
  async message(id: string): Promise<Json> {
    const { body } = await env.get(`/v1/messages?subscriberId=${subscriberId}&limit=1000`)
    return body.data.find((it: Json) => it._id === id)
  },
  /** The lines that say a message was read, over all its event's jobs. */
  async confirmations(id: string): Promise<Json[]> {
    const { _notificationId } = await this.message(id)
    const { body } = await env.get(`/v1/notifications/${_notificationId}`)
    const lines = body.jobs.flatMap((job: Json) => job.executionDetails)
    return lines.filter((line: Json) => line.status === 'ReadConfirmation')
  },
})
