import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../context.ts'
import type { FindPerson } from '../../core/inbox/find-people.ts'
import type { LiveFeeds } from '../../core/inbox/live-feeds.ts'
import { ApiError } from '../../errors.ts'
import type { InboxStreamRoute } from './define-inbox-route.ts'
import { toStreamEvents } from './live-json.ts'
import { bearerOf, type IdentifyToken } from './who-asks.ts'

// Proxies close what has been silent for a minute, some for half of one.
const heartbeatEveryMs = 15_000
// Past this nobody reads on the other side. A browser that wakes up again opens a new stream.
const mostUnreadBytes = 256 * 1024

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  // A connection that stays open after its stream would delay the stop of the server.
  connection: 'close',
}

type Parts = { identify: IdentifyToken; findPerson: FindPerson; feeds: LiveFeeds }

/** The same news as over a socket, for whoever has none. An EventSource sends no headers: its address holds the token. */
export function addInboxStream(server: FastifyInstance, ctx: Ctx, route: InboxStreamRoute, parts: Parts): void {
  const open = new Set<PassThrough>()
  let closing = false
  server.addHook('preClose', async () => {
    closing = true
    for (const stream of open) stream.end()
  })
  server.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const { token: asked } = request.query as Record<string, string | string[]>
      const token = bearerOf(request) || (typeof asked === 'string' ? asked : '')
      const { env, claims } = await parts.identify(token)
      request.env = env
      await ctx.database.held.refuse(env.environmentId)
      const subscriber = await parts.findPerson(env, claims.subscriberId)
      if (!subscriber) throw new ApiError('person_deleted')
      if (!parts.feeds.hasRoom(subscriber.id)) throw new ApiError('too_many_requests', { retryAfterSeconds: 10 })
      // The stop may have begun meanwhile. The browser comes again, to another node.
      if (closing) return reply.headers(headers).send(`retry: ${retryMs()}\n\n`)
      const stream = new PassThrough()
      const say = (text: string) => {
        if (stream.destroyed || stream.writableEnded) return
        if (stream.writableLength + stream.readableLength > mostUnreadBytes) stream.destroy()
        else stream.write(text)
      }
      const heartbeat = setInterval(() => {
        parts.identify(token).then(
          () => say(': \n\n'),
          (error: unknown) => error instanceof ApiError && stream.end(),
        )
      }, heartbeatEveryMs)
      const { environmentId, contextKeys, lookOnly } = claims
      const feed = { environmentId, subscriberId: subscriber.id, contextKeys, lookOnly }
      const leave = parts.feeds.join(feed, subscriber, {
        end: () => stream.end(),
        comeAgain: () => stream.end(),
        tell(news) {
          for (const { name, data } of toStreamEvents(news, ctx.clock())) {
            say(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
          }
        },
      })
      open.add(stream)
      stream.on('error', () => {})
      stream.on('close', () => {
        open.delete(stream)
        clearInterval(heartbeat)
        leave()
      })
      say(`retry: ${retryMs()}\n\n`)
      return reply.headers(headers).send(stream)
    },
  })
}

/** Spread, so that the browsers of a node that ends do not all come back at once. */
function retryMs(): number {
  return Math.round(1_000 + Math.random() * 4_000)
}
