import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { Env } from '../store/database.ts'
import { findCursor } from '../store/history/tallies.ts'
import type { Sessions } from './dashboard/sessions.ts'

const askEveryMs = 1_000
// Proxies close what has been silent for a minute, some for half of one.
const heartbeatEveryMs = 15_000
// Per environment and node: each is an open connection.
const mostListeners = 50
// Nobody reads on the other side; the browser opens a new stream when it is awake again.
const mostUnreadBytes = 16 * 1024

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  // A connection kept after the stream's end would hold the stop of the server.
  connection: 'close',
}

type Listener = {
  stream: PassThrough
  /** What it was told last. */
  cursor: string
  /** A key may be revoked and a session end while the stream is open. */
  isAllowed(): Promise<boolean>
}
type Watch = { env: Env; listeners: Set<Listener>; timer: NodeJS.Timeout | undefined }

/**
 * `GET /v1/activity/stream`: server-sent events that say only that something changed in the environment since a cursor;
 * what changed is read by the routes that are there for it. An environment with listeners on this node costs one small
 * statement a second, however many they are; one without costs nothing.
 */
export function addActivityStream(server: FastifyInstance, ctx: Ctx, sessions: Sessions): void {
  const watches = new Map<string, Watch>()

  server.get('/v1/activity/stream', async (request, reply) => {
    const env = await sessions.identify(request)
    request.env = env
    const now = await ctx.database.read(env, (db) => findCursor(db, env))
    if ((watches.get(env.environmentId)?.listeners.size ?? 0) >= mostListeners) {
      const message = `${mostListeners} streams of this environment are open here; close one.`
      throw new ApiError('too_many_requests', { message, retryAfterSeconds: 30 })
    }
    const last = request.headers['last-event-id']
    const listener: Listener = {
      stream: new PassThrough(),
      cursor: now,
      // A database that is away says nothing about the caller.
      isAllowed: () => sessions.identify(request).then(isSame(env), (error) => !(error instanceof ApiError)),
    }
    listen(ctx, watches, env, listener)
    listener.stream.write('retry: 2000\n\n')
    // Who comes back is told at once what was missed.
    if (typeof last === 'string' && last !== '' && last !== now) listener.stream.write(changed(now))
    return reply.headers(streamHeaders).send(listener.stream)
  })
  // An open stream would hold the stop for as long as somebody looks.
  server.addHook('preClose', async () => {
    for (const watch of watches.values()) for (const { stream } of watch.listeners) stream.end()
  })
}

function listen(ctx: Ctx, watches: Map<string, Watch>, env: Env, listener: Listener): void {
  const known = watches.get(env.environmentId)
  const watch = known ?? { env, listeners: new Set(), timer: undefined }
  watch.listeners.add(listener)
  const heartbeat = setInterval(() => void say(listener, ': \n\n'), heartbeatEveryMs)
  listener.stream.on('error', () => {})
  listener.stream.on('close', () => {
    clearInterval(heartbeat)
    watch.listeners.delete(listener)
    if (watch.listeners.size > 0) return
    clearTimeout(watch.timer)
    watches.delete(env.environmentId)
  })
  if (known) return
  watches.set(env.environmentId, watch)
  askAgain(ctx, watch)
}

/** One question after the other, so that a slow database is not asked twice at a time. */
function askAgain(ctx: Ctx, watch: Watch): void {
  watch.timer = setTimeout(async () => {
    const { env } = watch
    const cursor = await ctx.database.read(env, (db) => findCursor(db, env)).catch(() => null)
    for (const listener of watch.listeners) {
      if (cursor === null || listener.cursor === cursor) continue
      listener.cursor = cursor
      void say(listener, changed(cursor))
    }
    if (watch.listeners.size > 0) askAgain(ctx, watch)
  }, askEveryMs)
}

async function say({ stream, isAllowed }: Listener, text: string): Promise<void> {
  const allowed = await isAllowed()
  if (stream.destroyed || stream.writableEnded) return
  if (!allowed) stream.end()
  else if (stream.writableLength + stream.readableLength > mostUnreadBytes) stream.destroy()
  else stream.write(text)
}

function changed(cursor: string): string {
  return `id: ${cursor}\ndata: ${JSON.stringify({ changed: cursor })}\n\n`
}

function isSame({ environmentId }: Env): (other: Env) => boolean {
  return (other) => other.environmentId === environmentId
}
