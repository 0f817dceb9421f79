import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../context.ts'
import { integrationOf } from '../../core/feedback/callback-url.ts'
import { readUnsubscribe } from '../../core/subscribers/unsubscribe.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { findApiKey, listBootstrapKeys } from '../../store/access/api-keys.ts'
import { stateOf } from '../../store/access/environment-states.ts'
import { findEnvironment } from '../../store/access/environments.ts'
import { findIntegrationEnvironment } from '../../store/feedback/callbacks.ts'

type Find = (ctx: Ctx, value: string) => Promise<string | undefined>

/** By what a request says about whose it is, each as a gateway reads it there. */
const finders: Record<string, Find> = {
  environment: async (_ctx, id) => (isUuid7(id) ? id : undefined),
  identifier: async ({ database }, text) => (await findEnvironment(database.db, text))?.environmentId,
  async integration({ database }, named) {
    const id = integrationOf(named)
    return id ? (await findIntegrationEnvironment(database.db, id))?.environmentId : undefined
  },
  /** The id of a key; of one that an operator made up, the SHA-256 of its text. */
  async key({ database }, value) {
    const isHash = /^[0-9a-f]{64}$/.test(value)
    const own = isHash ? await listBootstrapKeys(database.db) : []
    const id = isHash ? own.find(({ hash }) => hash.toString('hex') === value)?.id : value
    return id && isUuid7(id) ? (await findApiKey(database.db, id))?.environmentId : undefined
  },
  unsubscribe: async (ctx, token) => readUnsubscribe(ctx, token)?.environmentId,
}

/**
 * `GET /v1/cells/where`: in which cell an environment lives, for gateways. Not part of the public interface; without
 * CELL_TOKEN it is not there.
 */
export function addWhere(server: FastifyInstance, ctx: Ctx): void {
  const { cellToken, cell: here } = ctx.config
  if (cellToken === undefined) return
  const expected = sha256(`Bearer ${cellToken}`)
  server.get('/v1/cells/where', async (request, reply) => {
    if (!timingSafeEqual(expected, sha256(request.headers.authorization ?? ''))) throw new ApiError('unauthorized')
    const environmentId = await findNamed(ctx, request.query as Record<string, unknown>)
    const found = environmentId ? await stateOf(ctx.database.db, environmentId) : null
    if (!found) throw new ApiError('environment_not_found')
    reply.header('cache-control', 'no-store')
    const { cell, generation, state } = found
    return { environmentId, cell: cell ?? here, generation, state }
  })
}

async function findNamed(ctx: Ctx, query: Record<string, unknown>): Promise<string | undefined> {
  for (const [name, find] of Object.entries(finders)) {
    const value = query[name]
    if (typeof value === 'string' && value !== '') return find(ctx, value)
  }
  return undefined
}
