import { Worker } from 'node:worker_threads'
import { createPauses } from '../lib/chunks.ts'
import { createFairQueue, type FairQueue, type Work } from './fair-queue.ts'
import { type RenderItem, type RenderResult, renderAllInPlace, renderInPlace } from './field-plan.ts'
import { createItemClock, type ItemClock } from './item-clock.ts'
import {
  type Call,
  openPayloadCall,
  openRenderCall,
  openTextCall,
  type PayloadItem,
  type PayloadVerdict,
} from './render-call.ts'
import type { ChunkReply, WorkerSettings } from './render-worker.ts'

/**
 * Runs what tenants wrote (templates, schemas) in threads that can be killed. A page goes to one thread. A thread that exceeds an item's time or memory is
 * ended, that item fails, and the rest of the page goes to the end of the queue: a page of bombs delays another page by
 * one bomb, not by all.
 */

/** `owner`: the environment whose work it is; owners take turns. */
export type RenderPool = {
  /** One result per item, in their order. Rejects only for our own faults, never for a template's. */
  render(items: readonly RenderItem[], owner?: string): Promise<RenderResult[]>
  /** Without a thread; null: one of the items needs one. */
  renderInPlace(items: readonly RenderItem[]): RenderResult[] | null
  /** The text part of each e-mail, from its HTML; null when the machine was too busy: try again later. */
  toText(htmls: readonly string[], owner?: string): Promise<(string | null)[]>
  /** One verdict per payload, in their order. */
  judgePayloads(items: readonly PayloadItem[], owner?: string): Promise<PayloadVerdict[]>
  close(): Promise<void>
}
/** Times and output are per item; the budget is for all payloads of a call. */
export type PoolOptions = {
  /** For templates that say how long ago something is. */
  clock(): Date
  threads?: number
  timeoutMs?: number
  textTimeoutMs?: number
  payloadTimeoutMs?: number
  payloadBudgetMs?: number
  maxOutputBytes?: number
}

type Thread = { worker: Worker; clock: ItemClock; work?: Work; timer?: NodeJS.Timeout; fault?: Error }
type Pool = Required<PoolOptions> & {
  queue: FairQueue
  idle: Thread[]
  busy: Set<Thread>
  dying: Set<Promise<unknown>>
  closed: boolean
}

// Above these V8 ends the thread; liquid.ts says what it cannot end. An idle thread uses 6 MB, 13 once it has made a
// text.
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }
// An item is killed for what it used of the processor: on a busy machine, or in a process that stood still, an innocent
// one runs for long. But not for ever: inside one native call a thread does not tell what it used.
const patience = 8
const answerMs = 100
// A text takes at most 100 ms of processor time. Much longer, because a mail must not change when the machine is busy.
const textTimeoutMs = 5_000
// A payload is judged in milliseconds. Longer, because a trigger must not be refused when the machine is busy.
const payloadTimeoutMs = 1_000
const payloadBudgetMs = 2_000
const tooLong = { reason: 'template_timeout', message: 'the template took too long to render' } as const
const tooHeavy = { reason: 'template_memory', message: 'the template needs too much memory' } as const
const closedMessage = 'the render pool is closed'

export function createRenderPool(options: PoolOptions): RenderPool {
  const times = { timeoutMs: 250, textTimeoutMs, payloadTimeoutMs, payloadBudgetMs }
  const settings = { threads: 2, ...times, maxOutputBytes: 512 * 1024, ...options }
  const pool: Pool = {
    ...settings,
    queue: createFairQueue(),
    idle: [],
    busy: new Set(),
    dying: new Set(),
    closed: false,
  }
  return {
    render: (items, owner = '') => render(pool, items, owner),
    renderInPlace: (items) => renderAllInPlace(items, pool.maxOutputBytes),
    toText: (htmls, owner = '') => toText(pool, htmls, owner),
    judgePayloads: (items, owner = '') => judgePayloads(pool, items, owner),
    close: () => close(pool),
  }
}

async function render(pool: Pool, items: readonly RenderItem[], owner: string): Promise<RenderResult[]> {
  const { call, plans, promise, finish } = openRenderCall(owner, items, {
    timeoutMs: pool.timeoutMs,
    nowMs: pool.clock().getTime(),
  })
  const dynamic: number[] = []
  const pause = createPauses()
  for (const [place, plan] of plans.entries()) {
    await pause()
    const done = renderInPlace(plan, items[place], pool.maxOutputBytes)
    if (done) finish(place, done)
    else dynamic.push(place)
  }
  enqueue(pool, call, dynamic)
  return promise
}

function toText(pool: Pool, htmls: readonly string[], owner: string): Promise<(string | null)[]> {
  const { call, promise } = openTextCall(owner, htmls, pool.textTimeoutMs)
  enqueue(pool, call, [...htmls.keys()])
  return promise
}

function judgePayloads(pool: Pool, items: readonly PayloadItem[], owner: string): Promise<PayloadVerdict[]> {
  const times = { timeoutMs: pool.payloadTimeoutMs, budgetMs: pool.payloadBudgetMs }
  const { call, promise } = openPayloadCall(owner, items, times)
  enqueue(pool, call, [...items.keys()])
  return promise
}

function enqueue(pool: Pool, call: Call, places: number[]): void {
  if (places.length > 0) pool.queue.push({ call, places })
  startNext(pool)
}

function startNext(pool: Pool): void {
  while (pool.busy.size < pool.threads) {
    const running = [...pool.busy].flatMap(({ work }) => work ?? [])
    const work = pool.queue.take(running, pool.threads)
    if (!work) return
    if (pool.closed) work.call.reject(new Error(closedMessage))
    else assign(pool, pool.idle.pop() ?? startThread(pool), work)
  }
}

function assign(pool: Pool, thread: Thread, work: Work): void {
  thread.clock.reset()
  try {
    thread.worker.postMessage(work.call.toChunk(work.places))
  } catch (error) {
    pool.idle.push(thread)
    work.call.reject(toError(error)) // a scope holds something that cannot cross to a thread
    return
  }
  thread.work = work
  thread.worker.ref()
  pool.busy.add(thread)
  watch(pool, thread, work.call.timeoutMs, work.call.timeoutMs / 2)
}

function startThread(pool: Pool): Thread {
  const clock = createItemClock()
  const { timeoutMs, maxOutputBytes } = pool
  const workerData: WorkerSettings = { timeoutMs, maxOutputBytes, clock: clock.memory }
  const url = new URL('./render-worker.ts', import.meta.url)
  const worker = new Worker(url, { workerData, resourceLimits, env: {}, execArgv: [], name: 'render' })
  const thread: Thread = { worker, clock }
  worker.on('message', (reply: ChunkReply) => receive(pool, thread, reply))
  worker.on('error', (error) => {
    thread.fault = toError(error)
  })
  worker.on('exit', () => ended(pool, thread))
  worker.unref() // an idle thread must not keep the process alive; last, because adding a listener refs it again
  return thread
}

/** Starts a thread before a page needs it (it takes about 100 ms), to be used after those that are ready. */
function ensureThreads(pool: Pool, count: number): void {
  if (!pool.closed && pool.busy.size + pool.idle.length < count) pool.idle.unshift(startThread(pool))
}

function receive(pool: Pool, thread: Thread, reply: ChunkReply): void {
  const { work } = thread
  if (!work) return // killed meanwhile
  for (const [offset, rendered] of reply.results.entries()) {
    const place = work.places[reply.from + offset]
    if (place !== undefined) work.call.receive(place, rendered)
  }
  if (!reply.ended) return
  release(pool, thread)
  thread.worker.unref()
  pool.idle.push(thread)
  enqueue(pool, work.call, unfinished(work))
}

function release(pool: Pool, thread: Thread): void {
  clearTimeout(thread.timer)
  delete thread.work
  pool.busy.delete(thread)
}

/** Checks at half of an item's time, to warm up a thread in case this one is killed, and again at the end. */
function watch(pool: Pool, thread: Thread, timeoutMs: number, delayMs: number): void {
  thread.timer = setTimeout(() => {
    const runningMs = thread.clock.runningMs()
    if (runningMs >= timeoutMs) return void handleOverdue(pool, thread, runningMs)
    const isSlow = runningMs >= timeoutMs / 2
    if (isSlow) ensureThreads(pool, pool.busy.size + 1)
    watch(pool, thread, timeoutMs, (isSlow ? timeoutMs : timeoutMs / 2) - runningMs)
  }, delayMs)
}

async function handleOverdue(pool: Pool, thread: Thread, runningMs: number): Promise<void> {
  const { work, clock } = thread
  if (!work) return
  const { timeoutMs } = work.call
  const item = clock.item()
  const usedMs = (await usedByThread(thread.worker)) - clock.usedBeforeMs()
  if (thread.work !== work) return
  if (clock.item() !== item) return watch(pool, thread, timeoutMs, timeoutMs / 2)
  const leftMs = timeoutMs * 0.9 - usedMs
  if (leftMs > 0 && runningMs < timeoutMs * patience) return watch(pool, thread, timeoutMs, Math.max(leftMs, 10))
  const place = work.places[item]
  kill(pool, thread)
  pool.queue.blame(work.call.owner)
  if (place !== undefined) work.call.fail(place, tooLong)
  enqueue(pool, work.call, unfinished(work))
  ensureThreads(pool, pool.threads + 1)
}

/** Nothing when it does not answer: see `patience`. */
async function usedByThread(worker: Worker): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const timer = setTimeout(resolve, answerMs, 0)
  worker.cpuUsage().then(
    ({ user, system }) => resolve((user + system) / 1000),
    () => resolve(0), // it has ended
  )
  return promise.finally(() => clearTimeout(timer))
}

function kill(pool: Pool, thread: Thread): void {
  release(pool, thread)
  const ending = thread.worker.terminate().finally(() => pool.dying.delete(ending))
  pool.dying.add(ending)
}

/** A thread exited. If it still has work, we did not kill it: it ran out of memory, or failed to start. */
function ended(pool: Pool, thread: Thread): void {
  const { work, fault } = thread
  pool.idle = pool.idle.filter((other) => other !== thread)
  if (!work) return
  const suspect = work.places[thread.clock.item()]
  release(pool, thread)
  if (fault && 'code' in fault && fault.code === 'ERR_WORKER_OUT_OF_MEMORY') split(pool, work, suspect)
  else work.call.reject(new Error('a render thread ended unexpectedly', { cause: fault }))
  startNext(pool)
  ensureThreads(pool, pool.threads + 1)
}

/** After out of memory. The whole page may have filled it, so an item fails only when it was alone. */
function split(pool: Pool, work: Work, suspect: number | undefined): void {
  const open = unfinished(work)
  const others = open.filter((place) => place !== suspect)
  const half = Math.ceil(others.length / 2)
  const parts = [open.filter((place) => place === suspect), others.slice(0, half), others.slice(half)]
  if (open.length > 1) {
    for (const places of parts) enqueue(pool, work.call, places)
    return
  }
  pool.queue.blame(work.call.owner)
  for (const place of open) work.call.fail(place, tooHeavy)
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

function unfinished({ call, places }: Work): number[] {
  return places.filter((place) => !call.isFinished(place))
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
