import { expect } from 'vitest'
import type { Client } from '../harness.ts'

const inApp = (stepId: string) => ({
  stepId,
  name: stepId,
  type: 'in_app',
  controlValues: { subject: 'S', body: 'Hi {{subscriber.firstName}}' },
})

/** Every step type, with what each can say. */
const steps = [
  {
    ...inApp('bell'),
    controlValues: { subject: 'S', body: 'B', avatar: 'https://example.com/a.png', data: { a: '1' } },
  },
  {
    stepId: 'mail',
    name: 'Mail',
    type: 'email',
    controlValues: {
      subject: 'S',
      body: '<p>{{payload.a}}</p>',
      editorType: 'html',
      layoutId: 'brand',
      preheader: 'P',
    },
    filters: [
      {
        isNegated: false,
        type: 'GROUP',
        value: 'AND',
        children: [{ field: 'a', value: 'b', operator: 'EQUAL', on: 'payload' }],
      },
    ],
  },
  { stepId: 'sms', name: 'SMS', type: 'sms', controlValues: { body: 'B' } },
  { stepId: 'chat', name: 'Chat', type: 'chat', controlValues: { body: 'B' } },
  { stepId: 'push', name: 'Push', type: 'push', controlValues: { subject: 'S', body: 'B' } },
  { stepId: 'wait', name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } },
  {
    stepId: 'gather',
    name: 'Gather',
    type: 'digest',
    controlValues: { amount: 5, unit: 'minutes', digestKey: 'payload.a' },
  },
  { stepId: 'slow', name: 'Slow', type: 'throttle', controlValues: { amount: 1, unit: 'hours', threshold: 2 } },
]

async function ok(reply: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await reply
  expect([status, status < 300 ? null : body]).toEqual([expect.any(Number), null])
}

export type Filled = { people: number; topics: number; workflows: number }

/** An environment with some of everything, through its own API. */
export async function fillSource(env: Client, { people, topics, workflows }: Filled): Promise<void> {
  const email = (body: string) => ({ controlValues: { email: { body, editorType: 'html' } } })
  await ok(env.post('/v2/layouts', { layoutId: 'brand', name: 'Brand', ...email('<b>{{content}}</b>') }))
  await ok(env.post('/v2/workflows', { workflowId: 'all', name: 'All', tags: ['a', 'b'], severity: 'high', steps }))
  await ok(
    env.post('/v2/workflows', {
      workflowId: 'quiet',
      name: 'Quiet',
      active: false,
      payloadSchema: { type: 'object', properties: { a: { type: 'string' } } },
      preferences: { user: { all: { enabled: true }, channels: { sms: { enabled: false } } } },
      steps: [inApp('bell')],
    }),
  )
  for (let n = 0; n < workflows - 2; n++) {
    await ok(env.post('/v2/workflows', { workflowId: `w${n}`, name: `Workflow ${n}`, steps: [inApp('bell')] }))
  }
  const words = { resourceType: 'workflow', resourceId: 'all', locale: 'de_AT', content: { hello: 'Grüß dich' } }
  await ok(env.post('/v2/translations', words))
  await ok(
    env.post('/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      identifier: 'mails',
      name: 'Mails',
      active: true,
      credentials: { apiKey: 'SG.secret-of-the-source', from: 'a@example.com', senderName: 'A' },
    }),
  )
  await ok(env.post('/v1/integrations', { providerId: 'fcm', channel: 'push', identifier: 'phones', name: 'Phones' }))
  await ok(env.post('/v1/tenants', { identifier: 'acme', name: 'Acme', data: { plan: 'pro' } }))
  const ownValue = (value: string) => ({ values: [{ _environmentId: env.environmentId, value }] })
  await ok(env.post('/v1/environment-variables', { key: 'HOST', ...ownValue('https://a.example.com') }))
  await ok(env.post('/v1/environment-variables', { key: 'TOKEN', isSecret: true, ...ownValue('the-secret-value') }))
  await ok(env.post('/v2/contexts', { type: 'team', id: 'red', data: { plan: 'pro' } }))
  const ids = Array.from({ length: people }, (_, n) => `s${n}`)
  for (let at = 0; at < people; at += 500) {
    const subscribers = ids.slice(at, at + 500).map((subscriberId, n) => ({
      subscriberId,
      firstName: `F${at + n}`,
      lastName: n % 2 ? 'L' : null,
      email: `${subscriberId}@example.com`,
      phone: '+4915000000000',
      locale: 'de-AT',
      timezone: 'Europe/Vienna',
      data: { n: at + n, deep: { list: [1, 'a'] } },
    }))
    await ok(env.post('/v1/subscribers/bulk', { subscribers }))
  }
  const tokens = { providerId: 'fcm', integrationIdentifier: 'phones', credentials: { deviceTokens: ['t1', 't2'] } }
  await ok(env.put('/v1/subscribers/s0/credentials', tokens))
  const hook = { providerId: 'slack', credentials: { webhookUrl: 'https://hooks.example.com/a' } }
  await ok(env.put('/v1/subscribers/s1/credentials', hook))
  const hours = { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } }
  const general = { channels: { sms: false }, schedule: { isEnabled: true, weeklySchedule: hours } }
  await ok(env.patch('/v2/subscribers/s0/preferences', general))
  await ok(env.patch('/v2/subscribers/s1/preferences', { workflowId: 'all', channels: { email: false } }))
  await ok(env.patch('/v2/subscribers/s2/preferences', { enabled: false, channels: { email: true } }))
  for (let n = 0; n < topics; n++) {
    await ok(env.post('/v2/topics', { key: `t${n}`, name: `Topic ${n}` }))
    const members = ids.slice(n % 7, (n % 7) + 30)
    await ok(env.post(`/v2/topics/t${n}/subscriptions`, { subscriptions: members }))
  }
}
