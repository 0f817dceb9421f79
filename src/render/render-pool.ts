import { Worker } from 'node:worker_threads'
import { type Fault, isDynamic } from './liquid.ts'
import { renderPlain } from './plain.ts'
import type { Chunk, Rendered, Reply, WorkerSettings } from './render-worker.ts'

/**
 * Renders in threads that can be killed. A page goes to one thread. A thread that runs over an item's time or memory
 * dies, that item fails, and the page's rest goes to the end of the queue: a page of bombs delays another page by one
 * bomb, not by all of them.
 */

/** `templates`: field name → Liquid source. Values are put in as they are: nothing is escaped. */
export type RenderItem = { templates: Record<string, string>; scope: Record<string, unknown> }
export type RenderResult = { ok: true; fields: Record<string, string> } | ({ ok: false } & Fault)
export type RenderPool = {
  /** One result per item, in their order. Rejects only for faults of ours, never for a template's. */
  render(items: readonly RenderItem[]): Promise<RenderResult[]>
  close(): Promise<void>
}
/** The time and the output are per item. */
export type PoolOptions = { threads?: number; timeoutMs?: number; maxOutputBytes?: number }

/** An item's fields, and where each finds its text in what the thread gives back. Shared like the templates object. */
type FieldPlan = { fields: Field[]; dynamic: Field[]; staticBytes: number }
type Field = { name: string; source: string; text?: number }
type Call = {
  items: readonly RenderItem[]
  plans: FieldPlan[]
  results: RenderResult[]
  left: number
  resolve(results: RenderResult[]): void
  reject(error: Error): void
}
/** A part of a call: the places of items that one thread renders one after the other. */
type Work = { call: Call; places: number[] }
/** Which item a thread is at and since when, written by the thread, readable even while it is stuck. */
type ItemClock = { memory: SharedArrayBuffer; reset(): void; item(): number; runningMs(): number }
type Thread = { worker: Worker; clock: ItemClock; work?: Work; timer?: NodeJS.Timeout; spared?: Work; fault?: Error }
type Pool = Required<PoolOptions> & {
  queue: Work[]
  idle: Thread[]
  busy: Set<Thread>
  dying: Set<Promise<unknown>>
  closed: boolean
}

// Beyond these V8 ends the thread; see liquid.ts for what it cannot end. An idle thread uses about 6 MB of them.
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }
const stallMs = 50 // a watchdog that comes later than this says that the whole process stood still
const closedMessage = 'the render pool is closed'

export function createRenderPool(options: PoolOptions = {}): RenderPool {
  const settings = { threads: 2, timeoutMs: 250, maxOutputBytes: 512 * 1024, ...options }
  const pool: Pool = { ...settings, queue: [], idle: [], busy: new Set(), dying: new Set(), closed: false }
  return { render: (items) => render(pool, items), close: () => close(pool) }
}

function render(pool: Pool, items: readonly RenderItem[]): Promise<RenderResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<RenderResult[]>()
  const call: Call = { items, plans: planFields(items), results: [], left: items.length, resolve, reject }
  const dynamic: number[] = []
  for (const [place, plan] of call.plans.entries()) {
    const done =
      plan.dynamic.length > 0 ? renderPlainly(plan, items[place], pool) : renderStatic(plan, pool.maxOutputBytes)
    if (done) settle(call, place, done)
    else dynamic.push(place)
  }
  if (items.length === 0) resolve([])
  enqueue(pool, call, dynamic)
  return promise
}

function enqueue(pool: Pool, call: Call, places: number[]): void {
  if (places.length > 0) pool.queue.push({ call, places })
  startNext(pool)
}

function startNext(pool: Pool): void {
  while (pool.busy.size < pool.threads) {
    const work = pool.queue.shift()
    if (!work) return
    if (pool.closed) work.call.reject(new Error(closedMessage))
    else assign(pool, pool.idle.pop() ?? startThread(pool), work)
  }
}

function assign(pool: Pool, thread: Thread, work: Work): void {
  thread.clock.reset()
  try {
    thread.worker.postMessage(toChunk(work))
  } catch (error) {
    pool.idle.push(thread)
    work.call.reject(toError(error)) // a scope holds something that cannot cross to a thread
    return
  }
  thread.work = work
  thread.worker.ref()
  pool.busy.add(thread)
  watch(pool, thread, pool.timeoutMs / 2)
}

function startThread(pool: Pool): Thread {
  const clock = createItemClock()
  const { timeoutMs, maxOutputBytes } = pool
  const workerData: WorkerSettings = { timeoutMs, maxOutputBytes, clock: clock.memory }
  const url = new URL('./render-worker.ts', import.meta.url)
  const worker = new Worker(url, { workerData, resourceLimits, env: {}, execArgv: [], name: 'render' })
  const thread: Thread = { worker, clock }
  worker.on('message', (reply: Reply) => receive(pool, thread, reply))
  worker.on('error', (error) => {
    thread.fault = toError(error)
  })
  worker.on('exit', () => ended(pool, thread))
  worker.unref() // an idle thread keeps no process alive; last, because listening holds on to it again
  return thread
}

/** Started before a page needs it, as it takes some 100 ms, and put behind those that are ready. */
function keepThreads(pool: Pool, count: number): void {
  if (!pool.closed && pool.busy.size + pool.idle.length < count) pool.idle.unshift(startThread(pool))
}

function receive(pool: Pool, thread: Thread, reply: Reply): void {
  const { work } = thread
  if (!work) return // killed meanwhile
  for (const [offset, rendered] of reply.results.entries()) {
    const place = work.places[reply.from + offset] ?? -1
    const plan = work.call.plans[place]
    if (plan) settle(work.call, place, toResult(plan, rendered))
  }
  if (!reply.ended) return
  release(pool, thread)
  thread.worker.unref()
  pool.idle.push(thread)
  enqueue(pool, work.call, unsettled(work))
}

function release(pool: Pool, thread: Thread): void {
  clearTimeout(thread.timer)
  delete thread.work
  pool.busy.delete(thread)
}

/** Looks at half an item's time, so that another thread is warm should this one have to die, and again at its end. */
function watch(pool: Pool, thread: Thread, delayMs: number): void {
  const { timeoutMs } = pool
  const dueAt = performance.now() + delayMs
  thread.timer = setTimeout(() => {
    const runningMs = thread.clock.runningMs()
    if (runningMs >= timeoutMs) return overdue(pool, thread, performance.now() - dueAt)
    const isSlow = runningMs >= timeoutMs / 2
    if (isSlow) keepThreads(pool, pool.busy.size + 1)
    watch(pool, thread, (isSlow ? timeoutMs : timeoutMs / 2) - runningMs)
  }, delayMs)
}

function overdue(pool: Pool, thread: Thread, lateMs: number): void {
  const { work } = thread
  if (!work) return
  if (lateMs > stallMs && thread.spared !== work) {
    thread.spared = work // only once, or a busy process would never kill
    watch(pool, thread, stallMs)
    return
  }
  const place = work.places[thread.clock.item()]
  kill(pool, thread)
  if (place !== undefined) fail(work.call, place, 'template_timeout', 'the template took too long to render')
  enqueue(pool, work.call, unsettled(work))
  keepThreads(pool, pool.threads + 1)
}

function kill(pool: Pool, thread: Thread): void {
  release(pool, thread)
  const ending = thread.worker.terminate().finally(() => pool.dying.delete(ending))
  pool.dying.add(ending)
}

/** A thread is gone. With work, it was not killed: it ran out of memory, or it could not even start. */
function ended(pool: Pool, thread: Thread): void {
  const { work, fault } = thread
  pool.idle = pool.idle.filter((other) => other !== thread)
  if (!work) return
  const suspect = work.places[thread.clock.item()]
  release(pool, thread)
  if (fault && 'code' in fault && fault.code === 'ERR_WORKER_OUT_OF_MEMORY') split(pool, work, suspect)
  else work.call.reject(new Error('a render thread ended unexpectedly', { cause: fault }))
  startNext(pool)
  keepThreads(pool, pool.threads + 1)
}

/** After an end by memory. The page itself may have filled it, so an item is blamed only when it was alone. */
function split(pool: Pool, work: Work, suspect: number | undefined): void {
  const open = unsettled(work)
  const others = open.filter((place) => place !== suspect)
  const half = Math.ceil(others.length / 2)
  const parts = [open.filter((place) => place === suspect), others.slice(0, half), others.slice(half)]
  if (open.length > 1) for (const places of parts) enqueue(pool, work.call, places)
  else for (const place of open) fail(work.call, place, 'template_memory', 'the template needs too much memory')
}

async function close(pool: Pool): Promise<void> {
  pool.closed = true
  for (const thread of pool.busy) {
    thread.work?.call.reject(new Error(closedMessage))
    kill(pool, thread)
  }
  for (const thread of pool.idle.splice(0)) kill(pool, thread)
  startNext(pool)
  await Promise.all(pool.dying)
}

function unsettled({ call, places }: Work): number[] {
  return places.filter((place) => !call.results[place])
}

function settle(call: Call, place: number, result: RenderResult): void {
  if (call.results[place]) return
  call.results[place] = result
  call.left -= 1
  if (call.left === 0) call.resolve(call.results)
}

function fail(call: Call, place: number, reason: Fault['reason'], message: string): void {
  settle(call, place, { ok: false, reason, message })
}

function planFields(items: readonly RenderItem[]): FieldPlan[] {
  const plans = new Map<RenderItem['templates'], FieldPlan>()
  return items.map(({ templates }) => {
    const plan = plans.get(templates) ?? planFieldsOf(templates)
    plans.set(templates, plan)
    return plan
  })
}

function planFieldsOf(templates: RenderItem['templates']): FieldPlan {
  const plan: FieldPlan = { fields: [], dynamic: [], staticBytes: 0 }
  for (const [name, source] of Object.entries(templates)) {
    const field: Field = isDynamic(source) ? { name, source, text: plan.dynamic.length } : { name, source }
    plan.fields.push(field)
    if (field.text === undefined) plan.staticBytes += Buffer.byteLength(source)
    else plan.dynamic.push(field)
  }
  return plan
}

/** Structured clone keeps the identity of objects (a payload that all items share crosses once) but not of strings. */
function toChunk({ call, places }: Work): Chunk {
  const chunk: Chunk = { sources: [], plans: [], items: [] }
  const sourceIndex = new Map<string, number>()
  const planIndex = new Map<FieldPlan, number>()
  for (const place of places) {
    const [plan, item] = [call.plans[place], call.items[place]]
    if (!plan || !item) continue
    if (!planIndex.has(plan)) {
      const sources = plan.dynamic.map(({ source }) => indexOf(sourceIndex, chunk.sources, source))
      planIndex.set(plan, chunk.plans.push({ sources, staticBytes: plan.staticBytes }) - 1)
    }
    chunk.items.push({ plan: planIndex.get(plan) ?? 0, scope: item.scope })
  }
  return chunk
}

function indexOf(known: Map<string, number>, list: string[], text: string): number {
  const index = known.get(text) ?? list.push(text) - 1
  known.set(text, index)
  return index
}

function renderStatic(plan: FieldPlan, maxOutputBytes: number): RenderResult {
  if (plan.staticBytes <= maxOutputBytes) return { ok: true, fields: toFields(plan, []) }
  return { ok: false, reason: 'output_too_large', message: 'the text is larger than allowed' }
}

/** Null: it takes Liquid, and so a thread. */
function renderPlainly(plan: FieldPlan, item: RenderItem | undefined, pool: Pool): RenderResult | null {
  if (!item) return null
  const texts: string[] = []
  let bytes = plan.staticBytes
  for (const { source } of plan.dynamic) {
    const text = renderPlain(source, item.scope)
    if (text === null) return null
    texts.push(text)
    bytes += Buffer.byteLength(text)
  }
  return bytes <= pool.maxOutputBytes ? { ok: true, fields: toFields(plan, texts) } : null
}

function toResult(plan: FieldPlan, rendered: Rendered): RenderResult {
  if (rendered.ok) return { ok: true, fields: toFields(plan, rendered.texts) }
  const { at, reason, message } = rendered
  return { ok: false, reason, message: `${plan.dynamic[at]?.name}: ${message}` }
}

function toFields({ fields }: FieldPlan, texts: string[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, source, text = -1 }) => [name, texts[text] ?? source]))
}

function createItemClock(): ItemClock {
  const memory = new SharedArrayBuffer(16)
  const startedAt = new BigInt64Array(memory, 0, 1)
  const inProgress = new Int32Array(memory, 8, 1)
  return {
    memory,
    reset: () => void Atomics.store(inProgress, 0, -1),
    item: () => Atomics.load(inProgress, 0),
    runningMs() {
      if (Atomics.load(inProgress, 0) === -1) return 0 // the thread is still starting, or reading the page
      return Number(process.hrtime.bigint() - Atomics.load(startedAt, 0)) / 1e6
    },
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
