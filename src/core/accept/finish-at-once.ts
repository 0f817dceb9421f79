import { createPauses } from '../../lib/chunks.ts'
import type { RenderResult } from '../../render/field-plan.ts'
import { afterCommit } from '../../store/database.ts'
import { waitBriefly } from '../../store/history/history.ts'
import type { Occurrence } from '../numbers/occurrences.ts'
import { traceExpansion } from '../numbers/trace-spans.ts'
import { loadPlanInputs, toHistoryPage, toRenderItems } from '../pipeline/advance.ts'
import { toStarts } from '../pipeline/expand-events.ts'
import type { HistoryPage, Planned, Start } from '../pipeline/plan.ts'
import { isProviderChannel } from '../pipeline/plan-send.ts'
import { type PlanInputs, planSteps } from '../pipeline/plan-steps.ts'
import type { Recipient } from '../pipeline/recipients.ts'
import { type EventPage, nextPage } from '../pipeline/take-recipients.ts'
import { writePageIn } from '../pipeline/write-page.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { type Draft, type Scope, toEventRow } from './judge-events.ts'

/**
 * A small plain event is written to its end by the transaction that accepts it: event, notifications, jobs, messages and
 * the tasks that send them. No task expands it, nothing is read again, no row is changed. The plan and the rows are those
 * of `expand-events.ts`.
 */
export type AtOnce = {
  pages: readonly EventPage[]
  starts: readonly Start[]
  rows: HistoryPage
  /** By event: how many people it notifies. */
  notified: ReadonlyMap<string, number>
}

// Of a call. With more it costs no less than the queue, and would keep the API's one thread from accepting others.
export const mostEventsAtOnce = 20
// Of a call: as many as a page of the expansion has.
const mostPeopleOfCall = 300
// Of an event. The text of a larger one takes its time.
const mostChars = 64 * 1024
// The transaction is open meanwhile: what is not planned by then is left to the queue.
const planWithinMs = 25

/** Of these events those that can end here. Saves the people given in them; writes nothing else. */
export async function planAtOnce(scope: Scope, drafts: readonly Draft[]): Promise<AtOnce | null> {
  const { ctx, db, env, now } = scope
  const pages: EventPage[] = []
  const mostPeople = ctx.config.atOncePeople
  let room = mostPeopleOfCall
  for (const draft of drafts) {
    const people = draft.event.recipients?.length ?? 0
    if (people > Math.min(room, mostPeople) || !isSmallAndPlain(draft)) continue
    room -= people
    pages.push(await nextPage(db, env, toEventRow(env, draft), people))
  }
  if (pages.length === 0) return null
  // A table that somebody holds must not hold up those who trigger: the queue waits for it.
  await waitBriefly(db, '1s')
  const inThis = { read: <T>(_: unknown, work: (given: typeof db) => Promise<T>) => work(db) }
  const starts = await toStarts(ctx, env, pages, now, { ...inThis, write: inThis.read })
  const inputs = await loadPlanInputs(ctx, db, env, starts, now)
  const startsOf = Map.groupBy(starts, ({ event }) => event.id)
  const workflows = new Map(drafts.map(({ event, workflow }) => [event.id, workflow]))

  const planned: Planned[] = []
  const rendered = new Map<string, RenderResult | undefined>()
  const finished: EventPage[] = []
  const pause = createPauses()
  const until = performance.now() + planWithinMs
  for (const page of pages) {
    const steps = planUntil(until, startsOf.get(page.event.id) ?? [], inputs)
    if (!steps) break
    const items = toRenderItems(steps, inputs)
    const results = ctx.renderer.renderInPlace(items)
    if (results) {
      planned.push(...steps)
      for (const [index, { id }] of items.entries()) rendered.set(id, results[index])
      finished.push(page)
    } else noteThread(workflows.get(page.event.id))
    await pause()
  }
  if (finished.length === 0) return null
  const notified = new Map(finished.map(({ event }) => [event.id, startsOf.get(event.id)?.length ?? 0]))
  const kept = starts.filter(({ event }) => notified.has(event.id))
  return { pages: finished, starts: kept, rows: toHistoryPage(kept, planned, rendered, now), notified }
}

/** Null: the time is over. Conditions may take 50 ms for one person. */
function planUntil(until: number, starts: readonly Start[], inputs: PlanInputs): Planned[] | null {
  const steps: Planned[] = []
  for (const start of starts) {
    if (performance.now() > until) return null
    steps.push(...planSteps(start, inputs))
  }
  return steps
}

export async function writeAtOnce(
  { ctx, db, env, now }: Scope,
  { pages, starts, rows }: AtOnce,
  accepted: readonly Occurrence[],
): Promise<void> {
  await writePageIn(ctx, db, env, rows, { kind: 'acceptance', pages, accepted }, now)
  const startMs = now.getTime()
  afterCommit(db, () => traceExpansion(ctx, pages, starts, { startMs, advanceMs: startMs }))
}

function isSmallAndPlain({ event, workflow, chars }: Draft): boolean {
  const recipients = event.recipients as readonly Recipient[] | null
  if (recipients === null || chars > mostChars) return false
  const isAsked = workflow.origin === 'external'
  return !isAsked && recipients.every(isPerson) && workflow.steps.every(isPlainStep) && !needsThread(workflow)
}

/** Not a topic, and without channels: those are saved one by one. */
function isPerson(recipient: Recipient): boolean {
  return !('topicKey' in recipient) && !('channels' in recipient)
}

/** It waits for nothing. */
function isPlainStep({ type, when }: Workflow['steps'][number]): boolean {
  return when === undefined && (type === 'in_app' || isProviderChannel(type))
}

// A workflow whose text needed a thread is left to the queue for a while, so that it is not planned twice each time.
const threadForMs = 10_000
const neededThread = new WeakMap<Workflow, number>()

function noteThread(workflow: Workflow | undefined): void {
  if (workflow) neededThread.set(workflow, performance.now())
}

function needsThread(workflow: Workflow): boolean {
  const at = neededThread.get(workflow)
  return at !== undefined && performance.now() - at < threadForMs
}
