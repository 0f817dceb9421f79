import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../context.ts'
import type { FindVouchers } from '../../core/inbox/vouchers.ts'
import { ApiError } from '../../errors.ts'
import { isStorableText } from '../../lib/read-json.ts'
import { bodyValidator, queryValidator } from '../../lib/validate.ts'
import type { Db } from '../../store/database.ts'
import { findSubscriberById } from '../../store/subscribers.ts'
import type { RateLimit } from '../access/rate-limit.ts'
import type { EnvironmentConcurrency } from '../environment-concurrency.ts'
import { sendReply } from '../send-reply.ts'
import { serialize } from '../write-json.ts'
import type { InboxRoute, Person } from './define-inbox-route.ts'
import { withTagGroups } from './tag-groups.ts'
import { bearerOf, type IdentifyToken } from './who-asks.ts'

type Parts = {
  identify: IdentifyToken
  findVouchers: FindVouchers
  personLimit: RateLimit
  concurrency: EnvironmentConcurrency
}

/** Routes for the browser of one subscriber: each look-up is inside the environment and the subscriber of the token. */
export function addInboxRoute(server: FastifyInstance, ctx: Ctx, route: InboxRoute, parts: Parts): void {
  const readQuery = route.query ? queryValidator(route.query) : () => ({})
  const checkBody = route.body ? bodyValidator(route.body) : () => {}

  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimitBytes,
    // Before the body is read.
    onRequest: async (request) => {
      const { env, claims } = await parts.identify(bearerOf(request))
      if (claims.lookOnly && route.method !== 'GET') throw new ApiError('look_only')
      request.env = env
      await ctx.database.held.refuse(env.environmentId)
      request.inbox = claims
      parts.personLimit.take(claims.subscriberId)
    },
    handler: async (request, reply) => {
      const { env, inbox: claims } = request
      if (!env || !claims) throw new ApiError('inbox_unauthorized')
      const now = ctx.clock()
      const params = request.params as Record<string, string>
      if (!Object.values(params).every(isStorableText)) throw new ApiError('route_not_found')
      const query = readQuery(withTagGroups(request.query as Record<string, string | string[]>))
      checkBody(request.body)
      const args = { ctx, env, now, params, query, body: request.body }
      const getPerson = async (db: Db): Promise<Person> => {
        const subscriber = await findSubscriberById(db, env, claims.subscriberId)
        if (!subscriber) throw new ApiError('person_deleted')
        return { subscriber, contextKeys: claims.contextKeys, isVouchedFor: claims.vouchedBy !== null }
      }
      const prepare = async () => {
        const person = await ctx.database.read(env, getPerson)
        return route.beforeTransaction?.({ ...args, person, findVouchers: parts.findVouchers })
      }
      // A place of its own too: a vendor may be slow.
      const prepared =
        route.beforeTransaction && (await parts.concurrency.run(`${route.name} ${env.environmentId}`, prepare))
      const run = async (db: Db) => route.handler({ ...args, db, person: await getPerson(db), prepared })
      // A place of its own: a crowd of browsers must not keep the environment's own servers waiting.
      const result = await parts.concurrency.run(`inbox ${env.environmentId}`, () =>
        route.method === 'GET' ? ctx.database.read(env, run) : ctx.database.write(env, run),
      )
      if (result === null) return sendReply(ctx, reply, { status: 204, body: '' })
      const body = route.response ? serialize(reply, result, route.response) : ''
      return sendReply(ctx, reply, { status: route.status, body })
    },
  })
}
