import { expect } from 'vitest'
import type { Client, Harness, Json } from '../harness.ts'
import { makeIntegration } from '../outside.ts'
import { ofDashboard } from './people.ts'

/** In development it takes the mails of an organization that has chosen nothing. The harness needs a worker. */
export function makeMailbox(env: Client): Promise<Json> {
  return makeIntegration(env, { providerId: 'platform-email', channel: 'email' })
}

/** The mails of ours to this address, newest first, once there are so many. */
export async function mailsTo(env: Client, email: string, count = 1): Promise<Json[]> {
  const read = async () => (await env.get(`/v1/dev/mailbox?to=${encodeURIComponent(email)}`)).body.data
  await expect.poll(async () => (await read()).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
  return read()
}

/** What the link of such a mail carries. */
export function tokenIn({ content }: Json): string {
  return /#token=([\w.-]+)/.exec(content)?.[1] ?? ''
}

/** The mails to whoever forgot their password, newest first, once there are so many; not the invitation before. */
export async function resetMails(env: Client, email: string, count = 1): Promise<Json[]> {
  const read = async () => (await mailsTo(env, email)).filter(({ content }) => content.includes('/reset#token='))
  await expect.poll(async () => (await read()).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
  return read()
}

/** What somebody who has forgotten their password gets by mail. */
export async function resetToken(env: Client, send: Harness['send'], email: string, count = 1): Promise<string> {
  const reply = await send('POST', '/session/reset/ask', { body: { email }, headers: ofDashboard })
  expect(reply.status, reply.text).toBe(202)
  return tokenIn((await resetMails(env, email, count))[0])
}
