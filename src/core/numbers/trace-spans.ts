import type { Ctx } from '../../context.ts'
import { readTraceparent, type Span, spanIdOf, type TraceContext, toTraceparent } from '../../lib/trace.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Outcome } from '../../providers/outcome.ts'
import type { Attempt } from '../delivery/attempt.ts'
import type { Start } from '../pipeline/plan.ts'
import { toNotification } from '../pipeline/plan-steps.ts'
import type { EventPage } from '../pipeline/take-recipients.ts'
import { outcomeOfTry } from './occurrences.ts'

/**
 * caller → accept → expand → advance → deliver → provider, under the caller's trace id. Only the event row stores its
 * trace; all other span ids are computed. An event without a traceparent costs one comparison.
 */

type Traced = { id: string; trace: string | null }

/** What is stored with the event: our own span, or the caller's if tracing is off. */
export function traceOf({ tracer }: Ctx, traceparent: unknown, eventId: string): string | null {
  if (traceparent === undefined) return null
  const caller = readTraceparent(traceparent)
  if (!caller) return null
  return toTraceparent(tracer.isOn ? { ...caller, spanId: acceptId(eventId) } : caller)
}

/** `traceparent`: what each came with. */
export function traceAccepts(
  ctx: Ctx,
  accepted: readonly { event: Traced; traceparent: unknown }[],
  startMs: number,
): void {
  if (!ctx.tracer.isOn) return
  const endMs = ctx.clock().getTime()
  for (const { event, traceparent } of accepted) {
    const parent = traceparent === undefined ? null : readTraceparent(traceparent)
    if (!parent) continue
    const attributes = { 'tidings.event_id': event.id }
    ctx.tracer.record({ parent, spanId: acceptId(event.id), name: 'accept', startMs, endMs, attributes })
  }
}

/** A written page of an event, and the steps of each notification in it. */
export function traceExpansion(
  ctx: Ctx,
  pages: readonly EventPage[],
  starts: readonly Start[],
  { startMs, advanceMs }: { startMs: number; advanceMs: number },
): void {
  if (!ctx.tracer.isOn) return
  const endMs = ctx.clock().getTime()
  const parents = new Map<string, TraceContext>()
  for (const { event, progress, reached } of pages) {
    const parent = contextOf(event)
    if (!parent) continue
    const spanId = spanIdOf('expand', event.id, JSON.stringify(progress.before))
    const attributes = { 'tidings.event_id': event.id, 'tidings.recipients': reached.length }
    ctx.tracer.record({ parent, spanId, name: 'expand', startMs, endMs, attributes })
    parents.set(event.id, { ...parent, spanId })
  }
  recordAdvances(ctx, starts, (event) => parents.get(event.id) ?? null, { startMs: advanceMs, endMs })
}

/** The span of steps that waited is a child of the accepted event's. */
export function traceResumption(ctx: Ctx, starts: readonly Start[], startMs: number): void {
  if (ctx.tracer.isOn) recordAdvances(ctx, starts, contextOf, { startMs, endMs: ctx.clock().getTime() })
}

function recordAdvances(
  ctx: Ctx,
  starts: readonly Start[],
  parentOf: (event: Traced) => TraceContext | null,
  times: Pick<Span, 'startMs' | 'endMs'>,
): void {
  for (const start of starts) {
    const parent = parentOf(start.event)
    if (!parent) continue
    const { id } = toNotification(start)
    const spanId = advanceId(id, start.startedAt ?? uuid7Time(start.event.id))
    const attributes = { 'tidings.notification_id': id, 'tidings.steps': start.workflow.steps.length }
    ctx.tracer.record({ parent, spanId, name: 'advance', ...times, attributes })
  }
}

type DeliveryTrace = { called(outcome: Outcome, calledMs: number): void; ended(outcome: Outcome): void }
const untraced: DeliveryTrace = { called() {}, ended() {} }

/** One try, and within it the provider call. Returns functions to call at the end of each. */
export function traceDelivery(ctx: Ctx, { id, delivery, candidate, number }: Attempt): DeliveryTrace {
  const { row } = delivery
  const event = ctx.tracer.isOn ? contextOf(row) : null
  if (!event) return untraced
  const parent = { ...event, spanId: advanceId(row.notification_id, uuid7Time(row.id)) }
  const spanId = spanIdOf('deliver', id)
  const startMs = ctx.clock().getTime()
  const attributes = {
    'tidings.message_id': row.id,
    'tidings.channel': row.channel,
    'tidings.provider': candidate.provider.id,
    'tidings.attempt': number,
  }
  const record = (span: Pick<Span, 'name' | 'parent' | 'spanId' | 'startMs'>, outcome: Outcome) =>
    ctx.tracer.record({
      ...span,
      endMs: ctx.clock().getTime(),
      attributes: { ...attributes, 'tidings.outcome': outcomeOfTry(outcome) },
      ...(outcome.kind !== 'sent' && { fault: outcomeOfTry(outcome) }),
    })
  return {
    called: (outcome, calledMs) =>
      record(
        { name: 'provider', parent: { ...parent, spanId }, spanId: spanIdOf('provider', id), startMs: calledMs },
        outcome,
      ),
    ended: (outcome) => record({ name: 'deliver', parent, spanId, startMs }, outcome),
  }
}

function contextOf({ trace }: { trace: string | null }): TraceContext | null {
  return trace === null ? null : readTraceparent(trace)
}

function acceptId(eventId: string): string {
  return spanIdOf('accept', eventId)
}

/** A message's id holds the start time of its steps, so that the id of their span can be computed. */
function advanceId(notificationId: string, since: Date): string {
  return spanIdOf('advance', notificationId, String(since.getTime()))
}
