import { admin } from '../test/find-postgres.ts'
import { addHooks } from './seed-hooks.ts'
import { seedWords } from './seed-words.ts'
import type { Server } from './server.ts'

const names = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Edsger Dijkstra',
  'Barbara Liskov',
  'Donald Knuth',
  'Radia Perlman',
  'Leslie Lamport',
  'Frances Allen',
  'Tony Hoare',
  'Margaret Hamilton',
  'Dennis Ritchie',
]

const people = Array.from({ length: 240 }, (_, index) => {
  const [firstName = '', lastName = ''] = names[index % names.length]?.split(' ') ?? []
  const number = index < names.length ? '' : String(Math.floor(index / names.length) + 1)
  return {
    subscriberId: `user-${index + 1}`,
    firstName,
    lastName,
    email: `${firstName}.${lastName}${number}@example.com`.toLowerCase(),
    phone: `+4930${1_000_000 + index}`,
    locale: 'en',
    timezone: 'Europe/Berlin',
    data: { plan: index % 3 ? 'free' : 'pro' },
  }
})

const mail = (title: string, text: string) => `<div style="background: #f4f5f7; padding: 32px">
  <div style="max-width: 520px; margin: auto; padding: 32px;
      background: #fff; border-radius: 8px; font-family: Arial">
    <h1 style="font-size: 20px">${title}</h1>
    <p style="line-height: 1.5; color: #333">${text}</p>
    <p>
      <a href="https://example.com/track" style="padding: 10px 16px;
          background: #1a7f4b; color: #fff; border-radius: 6px;
          display: inline-block; text-decoration: none">
        Track your order</a>
    </p>
  </div>
</div>`

const shippedText =
  'Hello {{subscriber.firstName}}, your order <b>{{payload.order}}</b> is on its way. It should reach you within two days.'
const shippedMail = {
  subject: 'Your order {{payload.order}} is on its way',
  body: mail('It has left our house', shippedText),
}
const shipped = [
  {
    name: 'In-app',
    type: 'in_app',
    controlValues: {
      subject: 'Order {{payload.order}} shipped',
      body: 'Your order {{payload.order}} is on its way.',
      redirect: { url: 'https://example.com/orders', target: '_blank' },
      primaryAction: { label: 'Track it', redirect: { url: 'https://example.com/track', target: '_blank' } },
    },
  },
  { name: 'E-mail', type: 'email', controlValues: { ...shippedMail, editorType: 'html' } },
]

const workflows = [
  {
    workflowId: 'order-shipped',
    name: 'Order shipped',
    description: 'Tells the buyer that the parcel has left.',
    tags: ['orders'],
    steps: shipped,
  },
  {
    workflowId: 'login-code',
    name: 'Login code',
    critical: true,
    tags: ['security'],
    steps: [
      {
        name: 'SMS',
        type: 'sms',
        controlValues: { body: 'Your code is {{payload.code}}. It is good for 10 minutes.' },
      },
    ],
  },
  {
    workflowId: 'weekly-digest',
    name: 'Weekly digest',
    tags: ['marketing'],
    steps: [
      { name: 'Gather', type: 'digest', controlValues: { amount: 10, unit: 'minutes' } },
      {
        name: 'E-mail',
        type: 'email',
        controlValues: { subject: 'Your week', body: mail('Your week', 'This is what happened.') },
      },
    ],
  },
  {
    workflowId: 'invoice-due',
    name: 'Invoice due',
    tags: ['billing'],
    steps: [
      {
        name: 'In-app',
        type: 'in_app',
        controlValues: { subject: 'Invoice {{payload.order}}', body: 'It is due on Friday.' },
      },
      { name: 'Wait a day', type: 'delay', controlValues: { amount: 1, unit: 'days' } },
      {
        name: 'Reminder',
        type: 'email',
        controlValues: { subject: 'A reminder', body: mail('A reminder', 'Invoice {{payload.order}} is still open.') },
      },
    ],
  },
  {
    workflowId: 'team-alert',
    name: 'Team alert',
    severity: 'high',
    steps: [
      {
        name: 'Chat',
        type: 'chat',
        controlValues: { body: 'The nightly import of {{payload.order}} has failed.' },
      },
      {
        name: 'In-app',
        type: 'in_app',
        controlValues: { subject: 'Import failed', body: 'The nightly import of {{payload.order}} has failed.' },
      },
    ],
  },
]

/**
 * What a shop would have after some weeks: people, workflows, topics, a vendor that refuses, dead letters, suppressions.
 * `vendorUrl`: an SMS gateway that does not take our key any more. `isShort`: less has happened so far, and it takes
 * half the time; what is looked at is the same.
 */
export async function seed(
  server: Server,
  vendorUrl: string,
  isShort = false,
): Promise<{ eventId: string; deadEventId: string; endpointId: string; transactionId: string }> {
  const { api } = server
  await api('POST', '/v1/subscribers/bulk', { subscribers: people })
  for (const workflow of workflows) await api('POST', '/v2/workflows', workflow)
  await changeWords(server)
  await seedWords(server)
  await makeTopics(server)
  await api('POST', '/v1/events/trigger', {
    name: 'order-shipped',
    to: { type: 'Topic', topicKey: 'customers' },
    payload: { order: 'B-2001' },
  })
  // These codes still go to the mailbox; those after them to the gateway.
  if (!isShort) await untilDone(server, [...(await trigger(server, 0)), ...(await trigger(server, 1))])
  await addPeers(server, vendorUrl)
  const endpointId = await addHooks(server, vendorUrl)
  await untilDone(server, await trigger(server, 2))
  const [event, dead] = await triggerShown(server)
  await untilDone(server, [event, dead])
  await spreadNumbers(server)
  const ids = { eventId: await eventOf(server, event), deadEventId: await eventOf(server, dead) }
  return { ...ids, endpointId, transactionId: event }
}

/** A second version, for something to compare. */
async function changeWords({ api }: Server): Promise<void> {
  const { _id, name, description, steps } = await api('GET', '/v2/workflows/order-shipped')
  const [inApp, email] = steps
  const body = email.controlValues.body.replace('two days', 'one or two days')
  const subject = 'On its way: your order {{payload.order}}'
  const changed = [inApp, { ...email, controlValues: { ...email.controlValues, subject, body } }]
  await api('PUT', `/v2/workflows/${_id}`, { name, description, tags: ['orders', 'customers'], steps: changed })
}

async function makeTopics({ api }: Server): Promise<void> {
  const topics = [
    ['beta-testers', 'Beta testers', 18],
    ['customers', 'Customers', 60],
    ['staff', 'Staff', 7],
  ] as const
  for (const [key, name, size] of topics) {
    await api('POST', '/v2/topics', { key, name })
    await api('POST', `/v2/topics/${key}/subscriptions`, {
      subscriberIds: people.slice(0, size).map(({ subscriberId }) => subscriberId),
    })
  }
}

async function addPeers({ api }: Server, vendorUrl: string): Promise<void> {
  const gateway = { baseUrl: vendorUrl, apiKeyRequestHeader: 'x-api-key', apiKey: 'sk_test_1234567890', from: 'Shop' }
  await api('POST', '/v1/integrations', {
    providerId: 'generic-sms',
    channel: 'sms',
    name: 'Gateway in Frankfurt',
    active: true,
    credentials: gateway,
  }).then(({ _id }) => api('POST', `/v1/integrations/${_id}/set-primary`))
  // With another one to fall back to, nothing would be given up.
  const all: { _id: string; providerId: string }[] = await api('GET', '/v1/integrations')
  const fallback = all.find(({ providerId }) => providerId === 'platform-sms')
  await api('PUT', `/v1/integrations/${fallback?._id}`, { active: false })
  await api('POST', '/v1/suppressions', { channel: 'email', address: 'tony.hoare@example.com', reason: 'bounced' })
  await api('POST', '/v1/suppressions', { channel: 'email', address: 'alan.turing7@example.com', reason: 'complained' })
  await api('POST', '/v1/suppressions', { channel: 'sms', address: '+49301000011', reason: 'unsubscribed' })
  await api('PUT', '/v1/subscribers/user-1/credentials', {
    providerId: 'slack',
    credentials: { webhookUrl: 'https://hooks.example.com/services/T0/B0/ada' },
  }).catch(() => undefined)
  await api('PATCH', '/v2/subscribers/user-1/preferences', { workflowId: 'weekly-digest', channels: { email: false } })
  const hours = [{ start: '08:00 AM', end: '06:00 PM' }]
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
  await api('PATCH', '/v2/subscribers/user-2/preferences', {
    schedule: {
      isEnabled: true,
      weeklySchedule: Object.fromEntries(days.map((day) => [day, { isEnabled: true, hours }])),
    },
  })
}

/** Gives the transactions of the login codes. */
async function trigger({ api }: Server, round: number): Promise<string[]> {
  const kinds = ['order-shipped', 'order-shipped', 'invoice-due', 'weekly-digest', 'team-alert', 'hello', 'hello-email']
  const events = Array.from({ length: 56 }, (_, index) => ({
    name: kinds[index % kinds.length],
    to: people[(round * 56 + index) % people.length]?.subscriberId,
    payload: { order: `A-${1000 + round * 56 + index}`, message: 'good to have you here' },
  }))
  await api('POST', '/v1/events/trigger/bulk', { events })
  const codes = people.slice(0, 4).map(({ subscriberId }, index) => ({
    name: 'login-code',
    to: subscriberId,
    payload: { code: String(204_117 + round * 7919 + index * 37) },
  }))
  const sent: { transactionId: string }[] = await api('POST', '/v1/events/trigger/bulk', { events: codes })
  return sent.map(({ transactionId }) => transactionId)
}

/** The two events that are looked at: one that went well, one whose message nobody took. */
async function triggerShown({ api }: Server): Promise<[string, string]> {
  const send = (name: string, payload: object) => api('POST', '/v1/events/trigger', { name, to: 'user-1', payload })
  const well = await send('order-shipped', { order: 'A-1417' })
  const dead = await send('login-code', { code: '731204' })
  return [well.transactionId, dead.transactionId]
}

async function eventOf({ api }: Server, transactionId: string): Promise<string> {
  return (await api('GET', `/v1/notifications?transactionId=${transactionId}`)).data[0]._id
}

const finished = ['completed', 'failed', 'canceled', 'merged', 'skipped']

async function untilDone({ api }: Server, transactionIds: string[]): Promise<void> {
  for (const id of transactionIds) {
    for (let tries = 0; ; tries++) {
      const { data } = await api('GET', `/v1/notifications?transactionId=${id}`)
      const jobs: { status: string }[] = data[0]?.jobs ?? []
      if (jobs.length > 0 && jobs.every(({ status }) => finished.includes(status))) break
      if (tries > 200) throw new Error(`event ${id} is not done: ${JSON.stringify(jobs.map((job) => job.status))}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** The charts of a day need a day: what was just counted is also counted for the hours before, more by day than by night. */
async function spreadNumbers({ databaseUrl }: Server): Promise<void> {
  await admin(databaseUrl, (client) =>
    client.query(`
      insert into outcome_rollup (environment_id, at, minutes, workflow_id, channel, provider_id, outcome, n)
      select environment_id, date_trunc('minute', now()) - make_interval(mins => 20 * step), 1, workflow_id, channel,
        provider_id, outcome,
        greatest(1, round(sum(n) * (0.35 + 0.25 * sin(step * pi() / 36) + 0.1 * ((step * 7919 + length(outcome)) % 10) / 10)))
      from (select environment_id, workflow_id, channel, provider_id, outcome, n from outcome_rollup
        union all select environment_id, workflow_id, channel, provider_id, outcome, n from outcome_tally) counted,
        generate_series(1, 71) step
      where outcome <> 'failed' or step % 9 = 0
      group by 1, 2, 3, 4, 5, 6, 7, step on conflict do nothing`),
  )
}
