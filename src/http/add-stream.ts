import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { ActivityWatcher } from './dashboard/activity-watcher.ts'
import type { Sessions } from './dashboard/sessions.ts'
import type { StreamRoute } from './define-route.ts'

const streamHeaders = {
  'content-type': 'text/event-stream',
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
  server.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const env = await sessions.identify(request)
      request.env = env
      await ctx.database.held.refuse(env.environmentId)
      const isAllowed = () =>
        sessions.identify(request).then(
          (found) => found.environmentId === env.environmentId,
          // When the database is away we cannot know: the stream stays open.
          (error: unknown) => !(error instanceof ApiError),
        )
      const last = request.headers['last-event-id']
      const lastEventId = typeof last === 'string' && last !== '' ? last : null
      return reply.headers(streamHeaders).send(await route.handler({ env, activity, lastEventId, isAllowed }))
    },
  })
}
