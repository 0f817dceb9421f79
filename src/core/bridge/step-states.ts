import { isPlainObject } from '../../lib/canonical-json.ts'
import { cutText } from '../../lib/one-line.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { FeedState } from '../../store/bridge/calls.ts'
import type { Gathered } from '../../store/bridge/gathered.ts'
import type { Detail } from '../../store/history/history.ts'
import type { JobRow } from '../../store/history/notifications.ts'
import type { Start } from '../pipeline/plan.ts'
import { answerOf } from './answer.ts'

export type StepState = {
  stepId: string
  outputs: Record<string, unknown>
  state: { status: string; error?: string }
}

type Known = {
  start: Start
  /** Of its notification. */
  jobs: readonly JobRow[]
  /** By message. */
  feed: ReadonlyMap<string, FeedState>
  /** By its digests. */
  gathered: Gathered
}

/** Every step before this one with its result: their code runs anew from its beginning and reads them. */
export function statesBefore(index: number, known: Known): StepState[] {
  const byIndex = new Map(known.jobs.map((job) => [job.step_index, job]))
  return known.start.workflow.steps.slice(0, index).map(({ stepId }, at) => {
    const job = byIndex.get(at)
    const error = job?.status === 'failed' ? errorOf(job) : undefined
    return {
      stepId,
      outputs: job ? resultOf(job, known) : {},
      state: { status: job?.status ?? 'pending', ...(error !== undefined && { error }) },
    }
  })
}

/** Of the shape that their code demands, also where the step was left out or failed. */
function resultOf(job: JobRow, { feed, gathered }: Known): Record<string, unknown> {
  const answer = answerOf(job)
  const outputs = answer?.kind === 'outputs' ? answer.outputs : {}
  switch (job.type) {
    case 'digest':
      return job.status === 'completed' ? gatheredBy(job.step_index, gathered) : { events: [], eventCount: 0 }
    case 'delay': {
      const waitedMs = answer && job.status === 'completed' ? job.updated_at.getTime() - Date.parse(answer.at) : 0
      return { duration: Math.max(0, waitedMs) }
    }
    case 'throttle':
      // Steps after one that held back are not reached.
      return {
        throttled: false,
        ...(job.status === 'completed' && {
          threshold: typeof outputs.threshold === 'number' ? outputs.threshold : 1,
        }),
      }
    case 'in_app':
      return toFeedResult(feed.get(job.message_ids?.[0] ?? ''))
    case 'custom':
      return outputs
    default:
      return {}
  }
}

/** A later digest has not come yet, and what it gathered was not there for this one. */
function gatheredBy(index: number, { events, counts }: Gathered): Record<string, unknown> {
  const own = events.filter(({ at }) => at <= index)
  return {
    events: own.map(({ id, payload }) => ({
      id,
      time: uuid7Time(id).toISOString(),
      payload: isPlainObject(payload) ? payload : {},
    })),
    eventCount: counts.reduce((sum, { at, count }) => sum + (at <= index ? count : 0), 0),
  }
}

function toFeedResult(state: FeedState | undefined): Record<string, unknown> {
  return {
    seen: state?.seen ?? false,
    read: state?.read ?? false,
    lastSeenDate: state?.lastSeenDate?.toISOString() ?? null,
    lastReadDate: state?.lastReadDate?.toISOString() ?? null,
  }
}

function errorOf(job: JobRow): string | undefined {
  // Written by us, as details.
  const details = job.details as unknown as Detail[]
  const last = details.findLast(({ status }) => status === 'Failed')
  return last ? cutText(last.raw ?? last.detail, 500) : undefined
}
