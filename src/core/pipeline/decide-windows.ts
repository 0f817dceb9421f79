import type { Db, Env } from '../../store/database.ts'
import { detail } from '../../store/history/detail.ts'
import type { NewJob } from '../../store/history/history.ts'
import {
  claimDigestWindows,
  countThrottleHits,
  type DigestWindow,
  type WindowKey,
} from '../../store/history/windows.ts'
import type { DigestPlan, HistoryPage, ThrottlePlan } from './plan.ts'

/**
 * Counts and joins windows in the transaction that writes the page; only there is the count exact. Returns the page to
 * write, and the notifications that continue at once.
 */
export async function decideWindows(
  db: Db,
  env: Env,
  page: HistoryPage,
  now: Date,
): Promise<{ page: HistoryPage; letThrough: string[] }> {
  if (page.throttles.length === 0 && page.digests.length === 0) return { page, letThrough: [] }
  const jobs = new Map(page.jobs.map((job) => [job.id, job]))
  const stopped = await decideThrottles(db, env, page.throttles, jobs, now)
  const claims = page.digests.filter((claim) => !stopped.has(claim.notificationId))
  const letThrough = await decideDigests(db, env, claims, jobs, now)
  // Drops what was rendered for steps after a throttle that stopped the notification.
  const messages = page.messages.filter((message) => jobs.get(message.job_id)?.message_ids?.includes(message.id))
  return { page: { ...page, jobs: [...jobs.values()], messages }, letThrough }
}

/** Returns the stopped notifications. Step by step: one stopped by a throttle does not count at the next. */
async function decideThrottles(
  db: Db,
  env: Env,
  throttles: readonly ThrottlePlan[],
  jobs: Map<string, NewJob>,
  now: Date,
): Promise<Set<string>> {
  const stopped = new Set<string>()
  const indexOf = (claim: ThrottlePlan) => jobs.get(claim.jobId)?.step_index ?? 0
  const bySteps = [...Map.groupBy(throttles, indexOf)].sort(([a], [b]) => a - b)
  for (const [index, ofStep] of bySteps) {
    const groups = Map.groupBy(
      ofStep.filter((claim) => !stopped.has(claim.notificationId)),
      nameOf,
    )
    const claims = [...groups.values()].flatMap(([first, ...more]) =>
      first ? { ...first, hits: more.length + 1 } : [],
    )
    const counts = claims.length > 0 ? await countThrottleHits(db, env, claims, now) : []
    for (const { count, ...key } of counts) {
      const hits = groups.get(nameOf(key)) ?? []
      for (const [n, { jobId, notificationId, threshold }] of hits.entries()) {
        const place = count - hits.length + n + 1
        if (place <= threshold) {
          const passed = detail(now, 'Success', `${place} of ${threshold} in this window`)
          change(jobs, jobId, { status: 'completed', details: [passed] })
          continue
        }
        stopped.add(notificationId)
        skipFrom(jobs, notificationId, index, `Throttled: ${place} is more than the ${threshold} of this window`, now)
      }
    }
  }
  return stopped
}

/** Skips this step and all later ones. */
function skipFrom(jobs: Map<string, NewJob>, notificationId: string, index: number, why: string, now: Date): void {
  for (const job of jobs.values()) {
    if (job.notification_id !== notificationId || job.step_index < index) continue
    change(jobs, job.id, {
      status: 'skipped',
      run_at: null,
      provider_id: null,
      message_ids: null,
      details: [detail(now, 'Warning', why)],
    })
  }
}

/** Returns the notifications that were let through and continue with their next steps. */
async function decideDigests(
  db: Db,
  env: Env,
  claims: readonly DigestPlan[],
  jobs: Map<string, NewJob>,
  now: Date,
): Promise<string[]> {
  const letThrough: string[] = []
  let waiting = [...Map.groupBy(claims, nameOf).values()]
  while (waiting.length > 0) {
    const firsts = waiting.flatMap(([first]) => first ?? [])
    const windows = new Map((await claimDigestWindows(db, env, firsts, now)).map((window) => [nameOf(window), window]))
    const next: DigestPlan[][] = []
    for (const [first, ...more] of waiting) {
      const window = first && windows.get(nameOf(first))
      if (!first || !window) throw new Error('a digest window was neither opened nor found')
      if (window.kind === 'lookback') {
        // Backoff lets the first one through; the next one within the look-back time opens the window.
        change(jobs, first.jobId, {
          status: 'completed',
          details: [detail(now, 'Success', 'Nothing was sent lately: not gathered')],
        })
        letThrough.push(first.notificationId)
        if (more.length > 0) next.push(more)
      } else for (const claim of [first, ...more]) joinOrOpen(jobs, claim, window, now)
    }
    waiting = next
  }
  return letThrough
}

function joinOrOpen(jobs: Map<string, NewJob>, claim: DigestPlan, window: DigestWindow, now: Date): void {
  const until = window.closesAt.toISOString()
  if (window.jobId === claim.jobId) {
    change(jobs, claim.jobId, {
      status: 'delayed',
      run_at: until,
      details: [detail(now, 'Pending', `Digest gathers until ${until}`)],
    })
    return
  }
  const index = jobs.get(claim.jobId)?.step_index ?? 0
  for (const job of jobs.values()) {
    if (job.notification_id !== claim.notificationId || job.step_index < index) continue
    const details =
      job.id === claim.jobId ? [detail(now, 'Success', `Merged into a digest that gathers until ${until}`)] : []
    // Only the digest step records where it was merged; the later steps follow it.
    const into = job.id === claim.jobId ? { merged_into: window.notificationId } : {}
    change(jobs, job.id, { status: 'merged', ...into, details })
  }
}

function change(jobs: Map<string, NewJob>, id: string, changes: Partial<NewJob>): void {
  const job = jobs.get(id)
  if (job) jobs.set(id, { ...job, ...changes, details: [...job.details, ...(changes.details ?? [])] })
}

function nameOf({ workflowId, stepId, subscriberId, key }: WindowKey): string {
  return `${workflowId} ${stepId} ${subscriberId} ${key}`
}
