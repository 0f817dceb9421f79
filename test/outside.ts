import { expect } from 'vitest'
import type { Client, Json } from './harness.ts'

/** Settings of a harness that may send to these ports of this machine. */
export function allowing(...ports: number[]): Record<string, string> {
  return { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: ports.join(',') }
}

export async function makeIntegration(env: Client, values: Record<string, unknown>): Promise<Json> {
  const made = await env.post('/v1/integrations', { active: true, ...values })
  expect(made.status, made.text).toBe(201)
  return made.body
}

export function emailWebhook(url: string, more: Record<string, unknown> = {}) {
  const credentials = { webhookUrl: url, secretKey: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=', from: 'team@example.com' }
  return { providerId: 'email-webhook', channel: 'email', credentials, ...more }
}

export function smtpServer(port: number, more: Record<string, unknown> = {}) {
  const credentials = {
    host: '127.0.0.1',
    port: String(port),
    from: 'team@example.com',
    senderName: 'The Team',
    ...more,
  }
  return { providerId: 'nodemailer', channel: 'email', credentials }
}

export const emailStep = {
  name: 'Mail',
  type: 'email',
  controlValues: { subject: 'Hello {{subscriber.firstName}}', body: '<p>Order {{payload.order}}</p>' },
}

/** The messages and jobs of one transaction, from the API. */
export async function storyOf(env: Client, transactionId: string): Promise<{ messages: Json[]; jobs: Json[] }> {
  const messages = (await env.get(`/v1/messages?transactionId=${transactionId}&limit=100`)).body.data
  const [row] = (await env.get(`/v1/notifications?transactionId=${transactionId}`)).body.data
  const jobs = row ? (await env.get(`/v1/notifications/${row._id}`)).body.jobs : []
  return { messages, jobs }
}
