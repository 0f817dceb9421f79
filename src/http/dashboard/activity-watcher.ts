import { PassThrough, type Readable } from 'node:stream'
import type { Ctx } from '../../context.ts'
import { ApiError, EnvironmentHeld } from '../../errors.ts'
import type { Env } from '../../store/database.ts'
import { findTallyCursor } from '../../store/history/tallies.ts'

export type ActivityWatcher = {
  /**
   * Server-sent events of one listener, from now on. Throws `too_many_requests` when too many of the environment listen.
   * `isAllowed` is asked before anything is told: a key may be revoked and a session end while the stream is open.
   */
  listen(env: Env, listener: { lastEventId: string | null; isAllowed(): Promise<boolean> }): Promise<Readable>
  /** Ends every stream, also those that open later; an open one would hold the stop of the server. */
  close(): void
}

const defaults = {
  askEveryMs: 1_000,
  // Proxies close what has been silent for a minute, some for half of one.
  heartbeatEveryMs: 15_000,
  // Per environment and node: each listener is an open connection.
  mostListeners: 50,
  // Past this nobody reads on the other side. A browser that wakes up again opens a new stream.
  mostUnreadBytes: 16 * 1024,
}

type Settings = typeof defaults

type Listener = {
  stream: PassThrough
  /** What it was told last. */
  cursor: string
  isAllowed(): Promise<boolean>
}

/** One environment, and who listens to it here. */
type Watch = { readCursor(): Promise<string>; listeners: Set<Listener>; timer: NodeJS.Timeout | undefined }

/**
 * Tells listeners that something changed in their environment, and a cursor; other routes say what changed. An
 * environment with listeners on this node costs one small statement per interval, however many they are. One without
 * listeners costs nothing.
 */
export function createActivityWatcher(
  { database }: Pick<Ctx, 'database'>,
  options: Partial<Settings> = {},
): ActivityWatcher {
  const settings = { ...defaults, ...options }
  const watches = new Map<string, Watch>()
  let closed = false

  function add({ environmentId }: Env, listener: Listener, readCursor: Watch['readCursor']): void {
    const watch = watches.get(environmentId) ?? { readCursor, listeners: new Set(), timer: undefined }
    watches.set(environmentId, watch)
    watch.listeners.add(listener)
    if (watch.listeners.size === 1) askLater(watch, settings)
    const heartbeat = setInterval(() => void tell(listener, ': \n\n', settings), settings.heartbeatEveryMs)
    listener.stream.on('error', () => {})
    listener.stream.on('close', () => {
      clearInterval(heartbeat)
      watch.listeners.delete(listener)
      if (watch.listeners.size > 0) return
      clearTimeout(watch.timer)
      watches.delete(environmentId)
    })
  }

  return {
    async listen(env, { lastEventId, isAllowed }) {
      const readCursor = () => database.read(env, (db) => findTallyCursor(db, env))
      const cursor = await readCursor()
      const { mostListeners } = settings
      if ((watches.get(env.environmentId)?.listeners.size ?? 0) >= mostListeners) {
        const message = `${mostListeners} streams of this environment are open here; close one.`
        throw new ApiError('too_many_requests', { message, retryAfterSeconds: 30 })
      }
      const stream = new PassThrough()
      add(env, { stream, cursor, isAllowed }, readCursor)
      stream.write('retry: 2000\n\n')
      // A listener that comes back is told at once that it missed something.
      if (lastEventId !== null && lastEventId !== cursor) stream.write(toEvent(cursor))
      // The stop may have begun while the cursor was read. The browser comes again, to another node.
      if (closed) stream.end()
      return stream
    },
    close() {
      closed = true
      for (const { listeners } of watches.values()) for (const { stream } of listeners) stream.end()
    },
  }
}

/** Each question waits for the one before, so that a slow database is asked once at a time. */
function askLater(watch: Watch, settings: Settings): void {
  watch.timer = setTimeout(async () => {
    const cursor = await watch.readCursor().catch((error: unknown) => {
      // It lives in another cell now, and so do its listeners.
      const hasDeparted = error instanceof EnvironmentHeld && error.held.state === 'departed'
      if (hasDeparted) for (const { stream } of watch.listeners) stream.end()
      return null
    })
    for (const listener of watch.listeners) {
      if (cursor === null || listener.cursor === cursor) continue
      listener.cursor = cursor
      void tell(listener, toEvent(cursor), settings)
    }
    if (watch.listeners.size > 0) askLater(watch, settings)
  }, settings.askEveryMs)
}

async function tell({ stream, isAllowed }: Listener, text: string, { mostUnreadBytes }: Settings): Promise<void> {
  const allowed = await isAllowed()
  if (stream.destroyed || stream.writableEnded) return
  if (!allowed) stream.end()
  else if (stream.writableLength + stream.readableLength > mostUnreadBytes) stream.destroy()
  else stream.write(text)
}

function toEvent(cursor: string): string {
  return `id: ${cursor}\ndata: ${JSON.stringify({ changed: cursor })}\n\n`
}
