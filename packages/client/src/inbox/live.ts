import { addressOf } from '../address.ts'
import type { InboxNotification, InboxSession } from '../api-types.ts'
import { backOffMs, isFinal, longestBackOffMs, requestedWaitMs } from '../retries.ts'
import { noAnswer, readJson, reasonOf, refusal, refuseRedirect } from '../send.ts'
import { TidingsError } from '../tidings-error.ts'
import { wait } from '../wait.ts'
import { readEvents, type StreamEvent } from './read-events.ts'
import type { Session } from './session.ts'

/** How many notifications of the whole inbox are unread and unseen. Both numbers stop at 1,000. */
export type Counts = { unread: number; unseen: number; severity: InboxSession['unreadCount']['severity'] }

/** The functions that an inbox calls while it listens. */
export type Listener = {
  /** A notification arrived. Arrivals during a lost connection are not reported: list again in `connected`. */
  received?(notification: InboxNotification): void
  /** Called after each connection, when the counts change, and when the list changes without them (archived, deleted). */
  counts?(counts: Counts): void
  /** The live connection is open. */
  connected?(): void
  /**
   * Called once when the connection is lost. It is restored automatically, unless `isFinal`: the session was refused, or
   * the address redirects.
   */
  disconnected?(error: unknown, end: { isFinal: boolean }): void
}

type Options = { url: string; session: Session<{ token: string }>; silenceMs: number }
type Run = { stop: AbortController; isConnected: boolean; unseen: number; counts?: Counts }

// If a connection lasted this long, the wait before the next one is short again.
const goodAfterMs = 10_000

/** Shares one connection among all listeners. It opens with the first listener and closes with the last. */
export function createLive({ url, session, silenceMs }: Options): { listen(listener: Listener): () => void } {
  const listeners = new Set<Listener>()
  let current: Run | undefined

  /** Calls listeners in a microtask, because one that throws must not end the connection. */
  function notify(run: Run, call: (listener: Listener) => void, recipients: Iterable<Listener> = [...listeners]): void {
    for (const listener of recipients)
      queueMicrotask(() => {
        if (current === run && listeners.has(listener)) call(listener)
      })
  }

  async function keepConnected(run: Run): Promise<void> {
    const { signal } = run.stop
    let hasReported = false
    for (let failures = 0; ; failures++) {
      const startedAt = Date.now()
      const last: { retryMs?: number } = {}
      const error = await follow(run, last).catch((reason: unknown) => reason)
      if (signal.aborted) return
      const end = { isFinal: isFinal(error) }
      if (run.isConnected || !hasReported || end.isFinal) notify(run, (it) => it.disconnected?.(error, end))
      hasReported = true
      run.isConnected = false
      if (end.isFinal) return forget(run)
      if (Date.now() - startedAt > goodAfterMs) failures = 0
      await wait(waitAfter(error, failures, last.retryMs), signal).catch(() => {})
    }
  }

  /** Ends the run after its listeners were called. */
  function forget(run: Run): void {
    queueMicrotask(() => {
      if (current === run) current = undefined
    })
  }

  /** Opens one connection and follows it to its end. */
  async function follow(run: Run, last: { retryMs?: number }): Promise<unknown> {
    const silence = watchSilence(silenceMs)
    const signal = AbortSignal.any([run.stop.signal, silence.signal])
    try {
      const body = await session.use((token) => openStream(url, token, signal, silence.heard))
      run.isConnected = true
      notify(run, (it) => it.connected?.())
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
    // The service describes these events in its API reference.
    const data = readJson(text) as never
    if (data === undefined) return
    if (name === 'notification_received') notify(run, (it) => it.received?.(data))
    // The service sends the unseen count first, then the unread count.
    if (name === 'unseen_count_changed') run.unseen = (data as { unseenCount: number }).unseenCount
    if (name === 'unread_count_changed') {
      const { total, severity } = (data as { counts: { total: number; severity: Counts['severity'] } }).counts
      const counts = { unread: total, unseen: run.unseen, severity }
      run.counts = counts
      notify(run, (it) => it.counts?.(counts))
    }
  }

  function start(): void {
    const run: Run = { stop: new AbortController(), isConnected: false, unseen: 0 }
    current = run
    void keepConnected(run)
  }

  return {
    listen(given) {
      // Listeners are copied, because the same object may listen twice.
      const listener = { ...given }
      listeners.add(listener)
      if (!current) start()
      else if (current.isConnected) {
        const { counts } = current
        notify(current, (it) => it.connected?.(), [listener])
        if (counts) notify(current, (it) => it.counts?.(counts), [listener])
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

/** The service chooses the first wait, which spreads clients that reconnect at the same time. Later waits grow. */
function waitAfter(error: unknown, failures: number, retryMs: number | undefined): number {
  if (failures > 0 || retryMs === undefined) return backOffMs(error, failures)
  return Math.max(requestedWaitMs(error), Math.min(longestBackOffMs, retryMs))
}

async function openStream(
  url: string,
  token: string,
  signal: AbortSignal,
  onBytes: () => void,
): Promise<ReadableStream<Uint8Array>> {
  onBytes()
  // The token is in a header, because addresses are written to logs.
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const address = addressOf(url, '/v1/inbox/stream')
  const reply = await fetch(address, {
    headers,
    signal,
    credentials: 'omit',
    cache: 'no-store',
    // A followed redirect could lose the token, or take it to another address.
    redirect: 'manual',
  })
  refuseRedirect(address, reply)
  if (!reply.ok) throw refusal(reply, await reply.text())
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream || !reply.body) throw noAnswer(url, '(something else answered)')
  return reply.body
}

/** Aborts when nothing arrives for too long. The service sends something every 15 seconds. */
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
