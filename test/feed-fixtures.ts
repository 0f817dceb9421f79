import type { Fixture, Request } from './fixture-makers.ts'
import { unique } from './fixture-makers.ts'
import type { Client } from './harness.ts'

type Item = { subscriberId: string; id: string }

/** A message with a button in somebody's feed: the file's harness must have a worker. */
async function makeItem(env: Client): Promise<Item> {
  const [workflowId, subscriberId] = [unique('workflow'), unique('subscriber')]
  const controlValues = { body: 'Hello', primaryAction: { label: 'Yes' } }
  await env.post('/v2/workflows', {
    workflowId,
    name: 'Hello',
    steps: [{ name: 'Inbox', type: 'in_app', controlValues }],
  })
  await env.post('/v1/events/trigger', { name: workflowId, to: subscriberId })
  for (let tries = 0; tries < 500; tries++) {
    const [message] = (await env.get(`/v1/messages?subscriberId=${subscriberId}`)).body.data
    if (message) return { subscriberId, id: message._id }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('no message came')
}

const v1 = ({ subscriberId }: Item, rest: string) => `/v1/subscribers/${subscriberId}/${rest}`
const v2 = ({ subscriberId }: Item, rest: string) => `/v2/subscribers/${subscriberId}/notifications${rest}`

function ofItem(request: (item: Item) => Request): Fixture {
  return { foreign: 'not found', arrange: async (env) => request(await makeItem(env)) }
}

const change = (verb: string) => ofItem((item) => ({ path: v2(item, `/${item.id}/${verb}`) }))
const changeAll = (verb: string) =>
  ofItem((item) => ({
    path: v2(item, `/${verb}`),
    body: {},
    otherBody: { tags: ['a'] },
    badBodies: [{ tags: 'a' }, { tags: { and: [{}] } }, { data: 'no JSON' }, { data: '[]' }, { contextKeys: 'a:b' }],
  }))

export const feedFixtures: Record<string, Fixture> = {
  'subscribers-messages-mark-as': ofItem((item) => ({
    path: v1(item, 'messages/mark-as'),
    body: { messageId: item.id, markAs: 'read' },
    otherBody: { messageId: [item.id], markAs: 'seen' },
    badBodies: [
      {},
      { messageId: item.id },
      { markAs: 'read' },
      { messageId: [], markAs: 'read' },
      { messageId: 7, markAs: 'read' },
      { messageId: [7], markAs: 'read' },
      { messageId: item.id, markAs: 'done' },
      { messageId: Array.from({ length: 1001 }, () => item.id), markAs: 'read' },
    ],
  })),
  'subscribers-messages-mark-all': ofItem((item) => ({
    path: v1(item, 'messages/mark-all'),
    body: { markAs: 'read' },
    otherBody: { markAs: 'seen' },
    badBodies: [{}, { markAs: 'gone' }, { markAs: 'read', feedIdentifier: 7 }],
  })),
  'subscribers-messages-action': ofItem((item) => ({
    path: v1(item, `messages/${item.id}/actions/primary`),
    body: { status: 'done' },
    otherBody: { status: 'done', payload: { a: 1 } },
    badBodies: [
      {},
      { status: 'pressed' },
      { status: 'done', payload: [] },
      { status: 'done', payload: { a: 'x'.repeat(64 * 1024) } },
    ],
  })),
  'subscribers-notifications-count-unseen': ofItem((item) => ({ path: v1(item, 'notifications/unseen') })),
  'subscribers-notifications-count-unread': ofItem((item) => ({ path: v1(item, 'notifications/unread') })),
  'subscribers-notifications-list': ofItem((item) => ({ path: v2(item, '') })),
  'subscribers-notifications-count': ofItem((item) => ({
    path: v2(item, `/count?filters=${encodeURIComponent('[{"read":false}]')}`),
  })),
  'subscribers-notifications-mark-read': change('read'),
  'subscribers-notifications-mark-unread': change('unread'),
  'subscribers-notifications-archive': change('archive'),
  'subscribers-notifications-unarchive': change('unarchive'),
  'subscribers-notifications-unsnooze': change('unsnooze'),
  'subscribers-notifications-complete-action': change('actions/primary/complete'),
  'subscribers-notifications-revert-action': change('actions/primary/revert'),
  'subscribers-notifications-snooze': ofItem((item) => ({
    path: v2(item, `/${item.id}/snooze`),
    body: { snoozeUntil: '2126-01-01T00:00:00Z' },
    otherBody: { snoozeUntil: '2126-01-02T00:00:00Z' },
    badBodies: [
      {},
      { snoozeUntil: 7 },
      { snoozeUntil: 'tomorrow' },
      { snoozeUntil: '2126-02-30T00:00:00Z' },
      { snoozeUntil: new Date(Date.now() - 1).toISOString() },
    ],
  })),
  'subscribers-notifications-mark-seen': changeAll('seen'),
  'subscribers-notifications-mark-all-read': changeAll('read'),
  'subscribers-notifications-archive-all': changeAll('archive'),
  'subscribers-notifications-archive-all-read': changeAll('read-archive'),
  'subscribers-notifications-delete': ofItem((item) => ({ path: v2(item, `/${item.id}`) })),
  'subscribers-notifications-delete-all': changeAll('delete'),
}
