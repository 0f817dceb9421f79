import { setTimeout as sleep } from 'node:timers/promises'
import { type Reply, type Sent, send, type Tenant } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import type { ApiNode } from '../../lib/process.ts'
import { expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'

export type ApiStage = { world: World; nodes: readonly [ApiNode, ApiNode]; tenants: readonly Tenant[] }

export type Call = { method: string; path: string; body?: unknown }

let counter = 0
export const unique = (prefix: string) => `${prefix}-${++counter}`

export function isInFlight(reply: Reply): boolean {
  return reply.status === 409 && at(reply.body, 'code') === 'request_in_flight'
}

/** As a well-behaved client: while the key is in flight, wait as Retry-After says and ask again. */
export async function sendUntilSettled(url: string, { method, path, body }: Call, sent: Sent): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    const reply = await send(url, method, path, { ...sent, ...(body === undefined ? {} : { body }) })
    if (!isInFlight(reply) || attempt === 10) return reply
    expectThat(reply.headers.get('retry-after') === '1', 'an in-flight 409 without Retry-After: 1')
    await sleep(1_000)
  }
}

export function isReplay(reply: Reply): boolean {
  return reply.headers.get('idempotency-replay') === 'true'
}
