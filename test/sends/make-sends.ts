import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Client, Harness, Json } from '../harness.ts'
import { emailWebhook, makeIntegration } from '../outside.ts'
import { makeWorkflow } from '../pipeline.ts'

/** Helpers of tests about large sends. People are written to the table at once. */

export async function makePeople(
  h: Pick<Harness, 'databaseUrl' | 'admin'>,
  env: Client,
  people: number,
): Promise<void> {
  await sql`
    insert into subscriber (environment_id, id, subscriber_id, first_name, email, updated_at)
    select ${env.environmentId}, uuid_at(now() - make_interval(secs => ${people} - n)), 'p' || n, 'P', 'p' || n || '@example.org', now()
    from generate_series(1, ${people}) n`.execute(h.admin)
}

export async function makeMailing(env: Client, url: string, steps: Json[]): Promise<void> {
  await makeIntegration(env, emailWebhook(url))
  await makeWorkflow(env, 'news', { steps })
}

export async function broadcast(env: Client): Promise<string> {
  const reply = await env.post('/v1/events/trigger/broadcast', { name: 'news', payload: {} })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.transactionId
}

export async function sendOf(env: Client, transactionId: string): Promise<Json> {
  const reply = await env.get(`/v1/sends/${transactionId}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data
}

export async function act(env: Client, transactionId: string, verb: string, body: object = {}): Promise<Json> {
  const reply = await env.post(`/v1/sends/${transactionId}/${verb}`, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data
}

export async function bounded(env: Client, bounds: object): Promise<void> {
  const reply = await env.patch('/v1/environment/large-sends', bounds)
  expect(reply.status, reply.text).toBe(200)
}

/** Waits until the send is what `is` says, and returns it. */
export async function until(env: Client, transactionId: string, is: (send: Json) => boolean): Promise<Json> {
  let send: Json
  await expect
    .poll(
      async () => {
        send = await sendOf(env, transactionId)
        return is(send)
      },
      { timeout: 20_000, interval: 100 },
    )
    .toBe(true)
    .catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(send)}`)
    })
  return send
}

export const inState = (state: string) => (send: Json) => send.state === state
