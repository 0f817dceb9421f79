import type { Ctx } from '../../context.ts'
import { createPauses } from '../../lib/chunks.ts'
import type { RenderItem, RenderResult } from '../../render/field-plan.ts'
import { hasBridge } from '../../store/bridge/bridges.ts'
import type { Db, Env } from '../../store/database.ts'
import type { Names } from '../../store/webhooks/tell-of-new.ts'
import { inAppFields } from '../inbox/in-app-message.ts'
import { loadPreferences } from '../subscribers/preferences.ts'
import { loadSchedules } from '../subscribers/schedule.ts'
import { loadVariables, mentionsVariables, noVariables } from '../values/variables.ts'
import { composeFields } from '../wording/compose.ts'
import { type Asked, loadWordings } from '../wording/wording.ts'
import type { Awaiting, HistoryPage, Planned, Start } from './plan.ts'
import { isProviderChannel, loadSendInputs } from './plan-send.ts'
import { jobId, type PlanInputs, planSteps, toNotification } from './plan-steps.ts'
import { escapedFields, sendFields, takesLayout } from './send-content.ts'
import { decideOutcome, stoppedOutcome, toJob } from './step-outcome.ts'

/**
 * Plans the steps of many notifications (conditions, addresses, integrations), renders them with no transaction open,
 * and returns the rows; the caller writes them in one transaction. Every step is exactly one job. A step waits only for
 * an earlier delay or digest, for a step with `shouldStopOnFail` that is being sent, or for the step named in its
 * `when`.
 */
export async function advance(ctx: Ctx, env: Env, starts: readonly Start[], now: Date): Promise<HistoryPage> {
  const inputs = await ctx.database.read(env, (db) => loadPlanInputs(ctx, db, env, starts, now))
  const planned: Planned[] = []
  const pause = createPauses()
  for (const start of starts) {
    planned.push(...planSteps(start, inputs))
    await pause()
  }
  const items = toRenderItems(planned, inputs)
  const results = items.length > 0 ? await ctx.renderer.render(items, env.environmentId) : []
  return toHistoryPage(starts, planned, new Map(items.map(({ id }, index) => [id, results[index]])), now)
}

/** The rows of planned and rendered steps. `rendered`: by the ids of their jobs. */
export function toHistoryPage(
  starts: readonly Start[],
  planned: readonly Planned[],
  rendered: ReadonlyMap<string, RenderResult | undefined>,
  now: Date,
): HistoryPage {
  const page: HistoryPage = {
    notifications: starts.map(toNotification),
    jobs: [],
    messages: [],
    throttles: [],
    digests: [],
    awaiting: [],
    asks: [],
    names: () => toNames(starts),
  }
  const stopped = new Set<string>()
  for (const item of planned) {
    const outcome = stopped.has(item.notification.id)
      ? stoppedOutcome(now)
      : decideOutcome(item, item.answered ? asTold(item) : rendered.get(item.id), now)
    if (outcome.status === 'failed' && item.step.shouldStopOnFail) stopped.add(item.notification.id)
    page.jobs.push(toJob(item, outcome, now))
    page.messages.push(...outcome.messages)
    if (!stopped.has(item.notification.id)) addWindowClaim(page, item)
    page.awaiting.push(...toAwaiting(item))
    if (item.plan.kind === 'ask') page.asks.push({ jobId: item.id, notificationId: item.notification.id })
  }
  return page
}

/** What the bridge said is as good as rendered. */
function asTold({ step }: Planned): RenderResult {
  return { ok: true, fields: step.type === 'in_app' ? inAppFields(step) : sendFields(step) }
}

/** Reads what the plans of a page need, with one query per table. */
export async function loadPlanInputs(
  ctx: Ctx,
  db: Db,
  env: Env,
  starts: readonly Start[],
  now: Date,
): Promise<PlanInputs> {
  const subscriberIds = [...new Set(starts.map(({ subscriber }) => subscriber.id))]
  const workflowIds = [...new Set(starts.map(({ workflow }) => workflow.id))]
  const reached = starts.map(({ subscriber, event, workflow }) => ({
    subscriber,
    overrides: event.overrides,
    steps: workflow.steps,
  }))
  const needsProvider = reached.some(({ steps }) => steps.some(({ type }) => isProviderChannel(type)))
  const wordings = await loadWordings(db, env, starts.map(toAsked))
  const asks = wordings.mentionsVariables || starts.some(({ workflow }) => mentionsVariables(workflow.steps))
  return {
    sending: await loadSendInputs(ctx, db, env, reached),
    preferences: await loadPreferences(db, env, subscriberIds, workflowIds),
    // Schedules do not hold back in-app messages.
    schedules: needsProvider ? await loadSchedules(db, env, subscriberIds) : new Map(),
    wordings,
    variables: asks ? await loadVariables(ctx, db, env) : noVariables,
    hasBridge: starts.some(({ workflow }) => workflow.origin === 'external') && (await hasBridge(db, env)),
    now,
  }
}

/** What has to be rendered for these steps; `id`: of the job. */
export function toRenderItems(
  planned: readonly Planned[],
  { wordings }: Pick<PlanInputs, 'wordings'>,
): (RenderItem & { id: string })[] {
  return planned.flatMap(({ id, step, plan, start, answered }) => {
    if (answered) return []
    if (plan.kind === 'in_app') {
      const templates = composeFields(wordings.of(toAsked(start)), step, inAppFields(step))
      return { id, templates, scope: plan.scope }
    }
    if (plan.kind === 'send') {
      const escapes = start.workflow.escapesHtml ?? false
      const html = escapedFields(step, escapes)
      const wording = wordings.of(toAsked(start))
      const templates = composeFields(wording, step, sendFields(step), html, takesLayout(step, escapes))
      return { id, templates, scope: plan.scope, html }
    }
    return []
  })
}

export function toAsked({ event, workflow, subscriber }: Start): Asked {
  return { edition: event.edition, workflow, locale: subscriber.locale }
}

function toAwaiting({ notification, id, plan }: Planned): Awaiting[] {
  if (plan.kind !== 'wait' || plan.waitsFor === undefined) return []
  return [{ notificationId: notification.id, jobId: id, targetId: jobId(notification.id, plan.waitsFor) }]
}

function toNames(starts: readonly Start[]): Names {
  return {
    subscribers: new Map(starts.map(({ subscriber }) => [subscriber.id, subscriber.subscriber_id])),
    workflows: new Map(starts.map(({ workflow }) => [workflow.id, workflow.identifier])),
  }
}

function addWindowClaim(page: HistoryPage, { start, notification, step, id, plan }: Planned): void {
  const window = {
    workflowId: start.workflow.id,
    stepId: step.stepId,
    subscriberId: start.subscriber.id,
    notificationId: notification.id,
    jobId: id,
  }
  if (plan.kind === 'throttle') {
    page.throttles.push({ ...window, key: plan.key, threshold: plan.threshold, endsAt: plan.endsAt.toISOString() })
  }
  if (plan.kind === 'digest') {
    const { key, lookBackSeconds } = plan
    page.digests.push({ ...window, key, closesAt: plan.closesAt.toISOString(), lookBackSeconds })
  }
}
