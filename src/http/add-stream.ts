import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../context.ts'
import { ApiError } from '../errors.ts'
import { queryValidator } from '../lib/validate.ts'
import { createPermit } from './access/permit.ts'
import type { ActivityWatcher } from './dashboard/activity-watcher.ts'
import type { Sessions } from './dashboard/sessions.ts'
import type { StreamRoute } from './define-stream.ts'

const streamHeaders = {
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  // A connection that stays open after its stream would delay the stop of the server.
  connection: 'close',
}

/** Routes that answer with a stream, to a key or a session. */
export function addStream(
  server: FastifyInstance,
  ctx: Ctx,
  route: StreamRoute,
  { sessions, activity }: { sessions: Sessions; activity: ActivityWatcher },
): void {
  const permit = createPermit(ctx, route)
  const readQuery = route.query ? queryValidator(route.query) : () => ({})
  const headers = {
    ...streamHeaders,
    'content-type': route.of,
    ...(route.of !== 'text/event-stream' && {
      'content-disposition': `attachment; filename="${route.resource}.jsonl"`,
    }),
  }
  server.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      // An EventSource or a link sends no headers of ours.
      const { environment, ...others } = request.query as Record<string, string | string[]>
      const identify = () => sessions.identify(request, typeof environment === 'string' ? environment : undefined)
      const env = await identify()
      request.env = env
      await ctx.database.held.refuse(env.environmentId)
      await permit(env, {})
      const isAllowed = () =>
        identify()
          .then(async (found) => {
            await permit(found, {})
            return found.environmentId === env.environmentId
          })
          // When the database is away we cannot know: the stream stays open.
          .catch((error: unknown) => !(error instanceof ApiError))
      const last = request.headers['last-event-id']
      const lastEventId = typeof last === 'string' && last !== '' ? last : null
      const args = { ctx, env, activity, lastEventId, isAllowed, query: readQuery(others) }
      return reply.headers(headers).send(await route.handler(args))
    },
  })
}
