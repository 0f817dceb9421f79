import type { OpenApi } from '../../../src/http/openapi.ts'
import { openInbox } from '../../../test/client/inbox-session.ts'
import type { Client } from '../../../test/harness.ts'
import { fixtures } from '../../../test/route-fixtures.ts'
import { type Op, validValue } from '../../hostile/openapi-fuzz.ts'
import type { Reply, Tenant } from '../../lib/http.ts'
import type { ApiNode } from '../../lib/process.ts'
import type { Faults } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { errorShapeFault } from '../../oracles/error-shape.ts'
import type { Dripping } from './slowloris.ts'

export type InputStage = {
  world: World
  node: ApiNode
  tenant: Tenant
  client: Client
  description: OpenApi
  operations: Op[]
  /** Of the node before the abuse began. */
  memoryMb: number
  /** Slow senders, at it from the beginning: everything else happens beside them. */
  dripping: Dripping | null
}

/** A call that succeeds, as the route tests make it. */
export function arrange(client: Client, { operation }: Op) {
  const fixture = fixtures[operation.operationId]
  if (!fixture) throw new Error(`${operation.operationId} has no fixture in test/fixtures`)
  return fixture.arrange(client)
}

/** What an operation answers where it would have asked a vendor. */
export function withoutVendor({ operation }: Op): number | undefined {
  return fixtures[operation.operationId]?.withoutVendor
}

/** For operations that a token opens: that of one person. */
export async function headersFor({ client }: InputStage, { operation }: Op): Promise<Record<string, string>> {
  if (!operation.security.some((it) => 'inbox' in it)) return {}
  const { token } = await openInbox(client, 'somebody')
  return { authorization: `Bearer ${token}` }
}

/** A body with every field the operation knows. */
export function fullBody({ description, world }: InputStage, { operation }: Op): unknown {
  const schema = operation.requestBody?.content['application/json']?.schema
  if (!schema) return undefined
  return validValue(schema, description.components.schemas, {
    ...world.random,
    chance: () => true,
    integer: (_min, max) => max,
  })
}

export function withBody({ operations }: InputStage): Op[] {
  return operations.filter((op) => op.operation.requestBody)
}

export function parametersIn({ operation }: Op, where: 'query' | 'path'): string[] {
  return operation.parameters.filter((parameter) => parameter.in === where).map((parameter) => parameter.name)
}

/** I11: whatever was sent, the fault is the sender's, and it is told in the shape clients parse. */
export function checkRefusal(reply: Reply, what: string, faults: Faults): void {
  if (reply.status >= 500) faults.add(`${what} → ${reply.status} ${reply.text}`)
  else if (reply.status >= 400) {
    const fault = errorShapeFault(reply)
    if (fault) faults.add(`${what} → ${fault}`)
  }
}
