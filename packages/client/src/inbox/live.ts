import { addressOf } from '../address.ts'
import type { InboxNotification, InboxSession } from '../api-types.ts'
import { noAnswer, readJson, reasonOf, refusal } from '../send.ts'
import { TidingsError } from '../tidings-error.ts'
import { wait } from '../wait.ts'
import { readEvents, type StreamEvent } from './read-events.ts'
import type { Session } from './session.ts'

export type Counts = { unread: number; unseen: number; severity: InboxSession['unreadCount']['severity'] }

/** What is told while somebody listens. */
export type Listener = {
  /** A notification arrived. Those that came while there was no connection are not told: list again in `connected`. */
  received?(notification: InboxNotification): void
  /** At once after each connection, whenever they change, and when something else in the list did (archived, deleted). */
  counts?(counts: Counts): void
  connected?(): void
  /** Once when the connection is lost. It comes back by itself, unless `isFinal`: the session was refused. */
  disconnected?(error: unknown, end: { isFinal: boolean }): void
}

type Options = { url: string; session: Session<{ token: string }>; silenceMs: number }
type Run = { stop: AbortController; isConnected: boolean; unseen: number; counts?: Counts }

// Who asks wrongly will not get a better answer by asking again.
const finalStatuses = [400, 401, 403, 422]
const longestWaitMs = 30_000
// A connection that held this long was a good one: the next wait is short again.
const goodAfterMs = 10_000

/** One connection for all who listen. It opens with the first and ends with the last. */
export function createLive({ url, session, silenceMs }: Options): { listen(listener: Listener): () => void } {
  const listeners = new Set<Listener>()
  let current: Run | undefined

  /** Not at once: a listener that throws must not end the connection. */
  function tell(run: Run, call: (listener: Listener) => void, whom: Iterable<Listener> = [...listeners]): void {
    for (const listener of whom)
      queueMicrotask(() => {
        if (current === run && listeners.has(listener)) call(listener)
      })
  }

  async function keepConnected(run: Run): Promise<void> {
    const { signal } = run.stop
    let isToldAway = false
    for (let failures = 0; ; failures++) {
      const startedAt = Date.now()
      const last: { retryMs?: number } = {}
      const error = await follow(run, last).catch((reason: unknown) => reason)
      if (signal.aborted) return
      const isFinal = error instanceof TidingsError && finalStatuses.includes(error.status)
      if (run.isConnected || !isToldAway || isFinal) tell(run, (it) => it.disconnected?.(error, { isFinal }))
      isToldAway = true
      run.isConnected = false
      if (isFinal) return end(run)
      if (Date.now() - startedAt > goodAfterMs) failures = 0
      await wait(waitAfter(error, failures, last.retryMs), signal).catch(() => {})
    }
  }

  /** After those were told who listened. */
  function end(run: Run): void {
    queueMicrotask(() => {
      if (current === run) current = undefined
    })
  }

  /** One connection, to its end. */
  async function follow(run: Run, last: { retryMs?: number }): Promise<unknown> {
    const silence = watchSilence(silenceMs)
    const signal = AbortSignal.any([run.stop.signal, silence.signal])
    try {
      const body = await session.use((token) => openStream(url, token, signal, silence.heard))
      run.isConnected = true
      tell(run, (it) => it.connected?.())
      for await (const event of readEvents(body, silence.heard)) {
        if ('retryMs' in event) last.retryMs = event.retryMs
        else take(run, event)
      }
      return noAnswer(url, '(the connection ended)')
    } catch (error) {
      if (silence.signal.aborted) return noAnswer(url, `(silent for ${silenceMs} ms)`, error)
      return error instanceof TidingsError ? error : noAnswer(url, `(${reasonOf(error)})`, error)
    } finally {
      silence.end()
    }
  }

  function take(run: Run, { name, data: text }: Extract<StreamEvent, { name: string }>): void {
    // Written by the service, as its description says.
    const data = readJson(text) as never
    if (data === undefined) return
    if (name === 'notification_received') tell(run, (it) => it.received?.(data))
    // The service tells what is unseen first, then what is unread.
    if (name === 'unseen_count_changed') run.unseen = (data as { unseenCount: number }).unseenCount
    if (name === 'unread_count_changed') {
      const { total, severity } = (data as { counts: { total: number; severity: Counts['severity'] } }).counts
      const counts = { unread: total, unseen: run.unseen, severity }
      run.counts = counts
      tell(run, (it) => it.counts?.(counts))
    }
  }

  function start(): void {
    const run: Run = { stop: new AbortController(), isConnected: false, unseen: 0 }
    current = run
    void keepConnected(run)
  }

  return {
    listen(given) {
      // The same functions may listen twice.
      const listener = { ...given }
      listeners.add(listener)
      if (!current) start()
      else if (current.isConnected) {
        const { counts } = current
        tell(current, (it) => it.connected?.(), [listener])
        if (counts) tell(current, (it) => it.counts?.(counts), [listener])
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        current?.stop.abort()
        current = undefined
      }
    },
  }
}

/** The first wait is the one that the service gave out: it spreads those who come back. Later ones grow. */
function waitAfter(error: unknown, failures: number, retryMs: number | undefined): number {
  const asked = error instanceof TidingsError ? (error.retryAfterMs ?? 0) : 0
  const own = 1_000 + Math.random() * Math.min(longestWaitMs - 1_000, 1_000 * 2 ** failures)
  const usual = failures === 0 && retryMs !== undefined ? Math.min(longestWaitMs, retryMs) : own
  return Math.max(asked, usual)
}

async function openStream(
  url: string,
  token: string,
  signal: AbortSignal,
  onBytes: () => void,
): Promise<ReadableStream<Uint8Array>> {
  onBytes()
  // The token is in a header: addresses are written into logs.
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const reply = await fetch(addressOf(url, '/v1/inbox/stream'), {
    headers,
    signal,
    credentials: 'omit',
    cache: 'no-store',
  })
  if (!reply.ok) throw refusal(reply, await reply.text())
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream || !reply.body) throw noAnswer(url, '(something else answered)')
  return reply.body
}

/** The service says something every 15 seconds. A connection that says nothing for longer is dead. */
function watchSilence(silenceMs: number): { signal: AbortSignal; heard(): void; end(): void } {
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    signal: stop.signal,
    heard() {
      clearTimeout(timer)
      timer = setTimeout(() => stop.abort(), silenceMs)
    },
    end: () => clearTimeout(timer),
  }
}
