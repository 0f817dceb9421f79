import { parentPort, workerData } from 'node:worker_threads'
import type { Template } from 'liquidjs'
import { LRUCache } from 'lru-cache'
import {
  type Format,
  maxComposedBytes,
  parseTemplate,
  refuseOutput,
  renderTemplate,
  type TemplateFault,
  toFault,
} from './liquid.ts'

/** Runs in its own thread: renders the items of a chunk one after the other, and writes to the clock which one. */

export type WorkerSettings = { timeoutMs: number; maxOutputBytes: number; clock: SharedArrayBuffer }

/** A page as it is sent to the thread. */
export type Chunk = TemplateChunk | TextChunk | PayloadChunk
/** A string is copied at each mention, so items refer to it by index. */
export type TemplateChunk = {
  kind: 'templates'
  sources: string[]
  plans: ChunkPlan[]
  items: { plan: number; scope: Record<string, unknown> }[]
  nowMs: number
}
/** HTML that becomes the text part of e-mails. */
type TextChunk = { kind: 'texts'; items: string[] }
/** Payloads and the schemas they must fit, as JSON. Without a payload the schema itself is judged. */
export type PayloadChunk = {
  kind: 'payloads'
  schemas: string[]
  items: { schema: number; payload: string | null }[]
}
/** The dynamic fields as indexes into `sources`, and the size of the static ones. */
export type ChunkPlan = { sources: { at: number; format: Format }[]; staticBytes: number }

/**
 * `texts`: in the order of the plan's sources; for HTML, its text; for a payload, its faults. `usedMs`: what a payload
 * took of the processor. `at`: the index of the source that failed.
 */
export type RenderedItem = { ok: true; texts: string[]; usedMs?: number } | ({ ok: false; at: number } & TemplateFault)
/** Results of consecutive items. `ended`: the thread is free again, though items after these may be left. */
export type ChunkReply = { from: number; results: RenderedItem[]; ended: boolean }

const replyMs = 5 // results are sent together; unsent ones are rendered again if the thread dies
const replyChars = 1024 * 1024
const sliceMs = 100 // then others' pages come first

const settings: WorkerSettings = workerData
const startedAt = new BigInt64Array(settings.clock, 0, 1)
const usedBefore = new BigInt64Array(settings.clock, 8, 1)
const itemInProgress = new Int32Array(settings.clock, 16, 1)

/** By format and source. Faults are kept too: finding one takes as long as parsing. */
const parsed = new LRUCache<string, Template[] | { fault: unknown }>({
  max: 1000,
  maxSize: 256 * 1024, // characters of sources; a parsed one takes up to 150 bytes for each
  sizeCalculation: (_template, source) => source.length,
})

keepFormatters()
parentPort?.on('message', (chunk: Chunk) => {
  switch (chunk.kind) {
    case 'templates':
      return renderChunk(chunk)
    case 'texts':
      return makeTexts(chunk)
    case 'payloads':
      return judgePayloads(chunk)
  }
})

/**
 * liquidjs makes a formatter for every name of a month or day: 50 µs and 25 KB outside the heap, where no limit
 * applies.
 */
function keepFormatters(): void {
  const kept = new Map<string, Intl.DateTimeFormat>()
  const make = (target: typeof Intl.DateTimeFormat, given: unknown[]) => {
    const [locale, options] = given as [string?, Intl.DateTimeFormatOptions?]
    const key = JSON.stringify([locale, options])
    const formatter = kept.get(key) ?? new target(locale, options)
    kept.set(key, formatter) // few: the locale is ours, templates choose among four options, and each zone has one
    return formatter
  }
  const value = new Proxy(Intl.DateTimeFormat, {
    apply: (target, _self, given) => make(target, given),
    construct: (target, given) => make(target, given),
  })
  Object.defineProperty(Intl, 'DateTimeFormat', { value })
}

type Source = { source: string; format: Format }
type Item = { sources: Source[]; scope: Record<string, unknown>; staticBytes: number; nowMs: number }

function renderChunk(chunk: TemplateChunk): void {
  makeItems(chunk.items, (position, { plan, scope }) => {
    const sources =
      chunk.plans[plan]?.sources.map(({ at, format }) => ({ source: chunk.sources[at] ?? '', format })) ?? []
    return renderWithSecondTry(position, {
      sources,
      scope,
      staticBytes: chunk.plans[plan]?.staticBytes ?? 0,
      nowMs: chunk.nowMs,
    })
  })
}

async function makeTexts({ items }: TextChunk): Promise<void> {
  // Loaded when needed: it makes the start of a thread 50% longer, and many threads never need it.
  const { htmlText } = await import('./html-text.ts')
  makeItems(items, (position, html) => {
    beginItem(position)
    return { ok: true, texts: [htmlText(html)] }
  })
}

async function judgePayloads({ schemas, items }: PayloadChunk): Promise<void> {
  const { judgePayload } = await import('./payload-schema.ts')
  makeItems(items, (position, { schema, payload }) => {
    beginItem(position)
    const before = process.threadCpuUsage()
    const texts = judgePayload(schemas[schema] ?? '{}', payload)
    const { user, system } = process.threadCpuUsage(before)
    return { ok: true, texts, usedMs: (user + system) / 1000 }
  })
}

function makeItems<Item>(items: readonly Item[], make: (position: number, item: Item) => RenderedItem): void {
  const sliceEnd = performance.now() + sliceMs
  let from = 0
  let results: RenderedItem[] = []
  let chars = 0
  let replyAt = performance.now() + replyMs
  const reply = (ended: boolean) => {
    parentPort?.postMessage({ from, results, ended } satisfies ChunkReply)
    from += results.length
    results = []
    chars = 0
    replyAt = performance.now() + replyMs
  }
  for (const [position, item] of items.entries()) {
    const now = performance.now()
    if (now > sliceEnd) break
    if (now > replyAt || chars > replyChars) reply(false)
    const result = make(position, item)
    if (result.ok) for (const text of result.texts) chars += text.length
    results.push(result)
  }
  reply(true)
}

/**
 * A timeout with little processor time used is not the template's fault (stopped process, starved thread): run once
 * more.
 */
function renderWithSecondTry(position: number, item: Item): RenderedItem {
  const before = process.threadCpuUsage()
  const result = renderItem(position, item)
  if (result.ok || result.reason !== 'template_timeout') return result
  const { user, system } = process.threadCpuUsage(before)
  const usedMs = (user + system) / 1000
  return usedMs < settings.timeoutMs / 5 ? renderItem(position, item) : result
}

function renderItem(position: number, { sources, scope, staticBytes, nowMs }: Item): RenderedItem {
  beginItem(position)
  // Most templates stop by themselves at this time, so that the thread need not be killed a little later.
  const deadline = performance.now() + settings.timeoutMs * 0.9
  const texts: string[] = []
  let bytesLeft = settings.maxOutputBytes - staticBytes
  try {
    for (const { source, format } of sources) {
      const limits = { timeoutMs: deadline - performance.now(), maxChars: bytesLeft, nowMs }
      const text = renderTemplate(parseCached(source, format), scope, format, limits)
      bytesLeft -= Buffer.byteLength(text)
      if (bytesLeft < 0) refuseOutput()
      texts.push(text)
    }
    return { ok: true, texts }
  } catch (error) {
    return { ok: false, at: texts.length, ...toFault(error) }
  }
}

function beginItem(position: number): void {
  // In this order: a reader in between sees the previous item as too young, never the new one as too old.
  const { user, system } = process.threadCpuUsage()
  Atomics.store(usedBefore, 0, BigInt(user + system))
  Atomics.store(startedAt, 0, process.hrtime.bigint())
  Atomics.store(itemInProgress, 0, position)
}

function parseCached(source: string, format: Format): Template[] {
  if (source.length > maxComposedBytes) return parseTemplate(source, format) // throws; keeping it would empty the cache
  const key = `${format} ${source}`
  const known = parsed.get(key)
  const found = known ?? parseOrFault(source, format)
  if (!known) parsed.set(key, found)
  if ('fault' in found) throw found.fault
  return found
}

function parseOrFault(source: string, format: Format): Template[] | { fault: unknown } {
  try {
    return parseTemplate(source, format)
  } catch (fault) {
    return { fault }
  }
}
