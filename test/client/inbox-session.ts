import { createHmac } from 'node:crypto'
import type { Client, Json, Reply } from '../harness.ts'

/** As a customer's own server makes it. */
export function hashOf(secret: string, message: string): string {
  return createHmac('sha256', secret).update(message).digest('hex')
}

export async function identifierOf(env: Client): Promise<string> {
  return (await env.get('/v1/environment')).body.data.identifier
}

/** A person's inbox as a browser has it. */
export type Inbox = { token: string; session: Json; send(method: string, path: string, body?: unknown): Promise<Reply> }

/** Opens it with a hash made by the environment's key. */
export async function openInbox(env: Client, subscriberId: string, more: object = {}): Promise<Inbox> {
  const applicationIdentifier = await identifierOf(env)
  const body = {
    applicationIdentifier,
    subscriber: { subscriberId },
    subscriberHash: hashOf(env.key, subscriberId),
    ...more,
  }
  const opened = await env.send('POST', '/v1/inbox/session', { body, headers: { authorization: '' } })
  if (opened.status !== 201) throw new Error(opened.text)
  const { token } = opened.body.data
  const headers = { authorization: `Bearer ${token}` }
  return {
    token,
    session: opened.body.data,
    send: (method, path, sent) => env.send(method, `/v1/inbox${path}`, { body: sent, headers }),
  }
}

/** Something that a person's inbox shows with all it can show: `order`, with `n` and `kind` in its payload. */
export async function makeOrderWorkflow(env: Client): Promise<void> {
  const controlValues = {
    subject: 'Order {{payload.n}}',
    body: 'It is on its way',
    primaryAction: { label: 'Track', redirect: { url: '/track' } },
    secondaryAction: { label: 'Later' },
    data: { kind: '{{payload.kind}}' },
  }
  await env.post('/v2/workflows', {
    workflowId: 'order',
    name: 'Order',
    severity: 'high',
    tags: ['orders'],
    steps: [
      { name: 'Inbox', type: 'in_app', controlValues },
      { name: 'Mail', type: 'email', controlValues: { subject: 'x', body: 'x' } },
    ],
  })
}
