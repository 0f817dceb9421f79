import { createHash } from 'node:crypto'

/** The parent of a span (W3C Trace Context, level 1). */
export type TraceContext = { traceId: string; spanId: string; sampled: boolean }

export type Span = {
  parent: TraceContext
  spanId: string
  name: 'accept' | 'expand' | 'advance' | 'deliver' | 'provider'
  startMs: number
  endMs: number
  attributes: Readonly<Record<string, string | number>>
  /** Why it failed. */
  fault?: string
}

export type Tracer = {
  /** When false, callers need not make spans. */
  isOn: boolean
  record(span: Span): void
  close(): Promise<void>
}

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Null for headers that the standard says to ignore. */
export function readTraceparent(header: unknown): TraceContext | null {
  if (typeof header !== 'string') return null
  const [, version, traceId = '', spanId = '', flags = '', more] = shape.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function toTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}

/** Computed from what the span is about, so that another process can name it as a parent without being told the id. */
export function spanIdOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)
}

export const noTracer: Tracer = { isOn: false, record() {}, close: async () => {} }

type Options = {
  /** Returns whether they arrived. */
  send(spans: readonly Span[]): Promise<boolean>
  counted(result: 'exported' | 'dropped', count: number): void
}

const mostWaiting = 5_000
const mostAtOnce = 500
const everyMs = 1_000

/**
 * Gathers spans and sends them about once a second. Spans that cannot be sent are dropped: work never waits for them.
 */
export function createTracer({ send, counted }: Options): Tracer {
  const waiting: Span[] = []
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> = Promise.resolve()

  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostAtOnce)
      const arrived = await send(batch).catch(() => false)
      counted(arrived ? 'exported' : 'dropped', batch.length)
    }
  }
  const flushSoon = () => {
    timer = null
    sending = sending.then(flush)
  }
  return {
    isOn: true,
    record(span) {
      if (!span.parent.sampled) return
      if (waiting.length >= mostWaiting) return counted('dropped', 1)
      waiting.push(span)
      timer ??= setTimeout(flushSoon, everyMs).unref()
    },
    async close() {
      if (timer) clearTimeout(timer)
      flushSoon()
      await sending
    },
  }
}
