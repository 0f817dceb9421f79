import { type FieldPlan, planFields, type RenderItem, type RenderResult, toResult } from './field-plan.ts'
import type { TemplateFault } from './liquid.ts'
import type { Chunk, PayloadChunk, RenderedItem, TemplateChunk } from './render-worker.ts'

/** What one caller of the pool waits for: many items, rendered in one or several threads, each finished once. */
export type Call = {
  /** Whose work it is; the threads are shared out among owners. */
  owner: string
  /** It may have only one of the owner's calls of its kind in a thread at a time. */
  oneAtATime?: true
  /** How long an item may take before its thread is killed. */
  timeoutMs: number
  /** The message to a thread, for the items at these places. */
  toChunk(places: readonly number[]): Chunk
  receive(place: number, rendered: RenderedItem): void
  /** The item's thread died. */
  fail(place: number, fault: TemplateFault): void
  isFinished(place: number): boolean
  /** Fails the whole call: a fault of ours. */
  reject(error: Error): void
}

type Kind<Result> = Pick<Call, 'owner' | 'oneAtATime' | 'timeoutMs' | 'toChunk'> & {
  toResult(place: number, rendered: RenderedItem): Result
  toFailure(fault: TemplateFault): Result
}
type Opened<Result> = { call: Call; promise: Promise<Result[]>; finish(place: number, result: Result): void }

function openCall<Result>(count: number, { toResult, toFailure, ...kind }: Kind<Result>): Opened<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result[]>()
  const results: Result[] = []
  const isFinished = (place: number) => place in results
  let left = count
  const finish = (place: number, result: Result) => {
    if (isFinished(place)) return
    results[place] = result
    left -= 1
    if (left === 0) resolve(results)
  }
  if (count === 0) resolve(results)
  const call: Call = {
    ...kind,
    receive: (place, rendered) => finish(place, toResult(place, rendered)),
    fail: (place, fault) => finish(place, toFailure(fault)),
    isFinished,
    reject,
  }
  return { call, promise, finish }
}

export function openRenderCall(
  owner: string,
  items: readonly RenderItem[],
  { timeoutMs, nowMs }: { timeoutMs: number; nowMs: number },
) {
  const plans = planFields(items)
  const opened = openCall<RenderResult>(items.length, {
    owner,
    timeoutMs,
    toChunk: (places) => ({ ...toRenderChunk(items, plans, places), nowMs }),
    toResult(place, rendered) {
      const plan = plans[place]
      if (!plan) throw new Error(`no item stands at ${place}`)
      return toResult(plan, rendered)
    },
    toFailure: (fault) => ({ ok: false, ...fault }),
  })
  return { ...opened, plans }
}

/** The text parts of e-mails. Null: the thread had no time for it. */
export function openTextCall(owner: string, htmls: readonly string[], timeoutMs: number) {
  return openCall<string | null>(htmls.length, {
    owner,
    timeoutMs,
    toChunk: (places) => ({ kind: 'texts', items: places.map((place) => htmls[place] ?? '') }),
    toResult: (_place, rendered) => (rendered.ok ? (rendered.texts[0] ?? '') : null),
    toFailure: () => null,
  })
}

/** As JSON: a text crosses to a thread much faster than what it stands for. `payload` null: judges the schema. */
export type PayloadItem = { schema: string; payload: string | null }
/** One sentence per fault; `why`: it could not be judged. */
export type PayloadVerdict = { faults: string[] } | { why: 'time' | 'memory' | 'others' }

/** `budgetMs`: what all items of the call together may use; those left over are not judged (`others`). */
export function openPayloadCall(
  owner: string,
  items: readonly PayloadItem[],
  { timeoutMs, budgetMs }: { timeoutMs: number; budgetMs: number },
) {
  let leftMs = budgetMs
  const { call, promise, finish } = openCall<PayloadVerdict>(items.length, {
    owner,
    oneAtATime: true,
    timeoutMs,
    toChunk: (places) => toPayloadChunk(items, places),
    toResult: (_place, judged) => (judged.ok ? { faults: judged.texts } : { why: 'memory' }),
    toFailure: ({ reason }) => ({ why: reason === 'template_timeout' ? 'time' : 'memory' }),
  })
  const spend = (ms: number) => {
    leftMs -= ms
    if (leftMs <= 0) for (const place of items.keys()) finish(place, { why: 'others' })
  }
  const spending: Call = {
    ...call,
    receive(place, judged) {
      call.receive(place, judged)
      if (judged.ok) spend(judged.usedMs ?? 0)
    },
    fail(place, fault) {
      call.fail(place, fault)
      spend(timeoutMs)
    },
  }
  return { call: spending, promise }
}

function toPayloadChunk(items: readonly PayloadItem[], places: readonly number[]): Chunk {
  const chunk: PayloadChunk = { kind: 'payloads', schemas: [], items: [] }
  const schemaIndex = new Map<string, number>()
  for (const place of places) {
    const { schema = '{}', payload = null } = items[place] ?? {}
    chunk.items.push({ schema: indexOf(schemaIndex, chunk.schemas, schema), payload })
  }
  return chunk
}

/** Strings go by index: structured clone copies a shared object (a payload) once, but a string at each mention. */
function toRenderChunk(
  items: readonly RenderItem[],
  plans: readonly FieldPlan[],
  places: readonly number[],
): Omit<TemplateChunk, 'nowMs'> {
  const chunk: Omit<TemplateChunk, 'nowMs'> = { kind: 'templates', sources: [], plans: [], items: [] }
  const sourceIndex = new Map<string, number>()
  const planIndex = new Map<FieldPlan, number>()
  for (const place of places) {
    const [plan, item] = [plans[place], items[place]]
    if (!plan || !item) continue
    if (!planIndex.has(plan)) {
      const sources = plan.dynamic.map(({ source, format }) => ({
        at: indexOf(sourceIndex, chunk.sources, source),
        format,
      }))
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
