import { type FieldPlan, planFields, type RenderItem, type RenderResult, toResult } from './field-plan.ts'
import type { TemplateFault } from './liquid.ts'
import type { Chunk, RenderedItem, TemplateChunk } from './render-worker.ts'

/** What one caller of the pool waits for: many items, rendered in one or several threads, each finished once. */
export type Call = {
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

type Kind<Result> = Pick<Call, 'timeoutMs' | 'toChunk'> & {
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

export function openRenderCall(items: readonly RenderItem[], timeoutMs: number) {
  const plans = planFields(items)
  const opened = openCall<RenderResult>(items.length, {
    timeoutMs,
    toChunk: (places) => toRenderChunk(items, plans, places),
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
export function openTextCall(htmls: readonly string[], timeoutMs: number) {
  return openCall<string | null>(htmls.length, {
    timeoutMs,
    toChunk: (places) => ({ kind: 'texts', items: places.map((place) => htmls[place] ?? '') }),
    toResult: (_place, rendered) => (rendered.ok ? (rendered.texts[0] ?? '') : null),
    toFailure: () => null,
  })
}

/** Strings go by index: structured clone copies a shared object (a payload) once, but a string at each mention. */
function toRenderChunk(items: readonly RenderItem[], plans: readonly FieldPlan[], places: readonly number[]): Chunk {
  const chunk: TemplateChunk = { kind: 'templates', sources: [], plans: [], items: [] }
  const sourceIndex = new Map<string, number>()
  const planIndex = new Map<FieldPlan, number>()
  for (const place of places) {
    const [plan, item] = [plans[place], items[place]]
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
