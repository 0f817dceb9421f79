import { isPlainObject } from '../../lib/canonical-json.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { FeedState } from '../../store/bridge/calls.ts'
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
}

// Of what a digest gathered: the count is exact.
const mostEventChars = 1024 * 1024

/** Every step before this one with its result: their code runs anew from its beginning and reads them. */
export function statesBefore(index: number, { start, jobs, feed }: Known): StepState[] {
  const byIndex = new Map(jobs.map((job) => [job.step_index, job]))
  return start.workflow.steps.slice(0, index).map(({ stepId }, at) => {
    const job = byIndex.get(at)
    const error = job?.status === 'failed' ? errorOf(job) : undefined
    return {
      stepId,
      outputs: job ? resultOf(job, start, feed) : {},
      state: { status: job?.status ?? 'pending', ...(error !== undefined && { error }) },
    }
  })
}

/** Of the shape that their code demands, also where the step was left out or failed. */
function resultOf(job: JobRow, start: Start, feed: Known['feed']): Record<string, unknown> {
  const answer = answerOf(job)
  const outputs = answer?.kind === 'outputs' ? answer.outputs : {}
  switch (job.type) {
    case 'digest':
      return job.status === 'completed' ? gathered(start) : { events: [], eventCount: 0 }
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

function gathered({ digest, event }: Start): Record<string, unknown> {
  const ids = digest?.ids ?? [event.id]
  const payloads = digest?.events ?? [event.payload]
  const events: object[] = []
  let left = mostEventChars
  for (const [at, id] of ids.entries()) {
    const payload = isPlainObject(payloads[at]) ? payloads[at] : {}
    left -= JSON.stringify(payload).length
    if (left < 0 && events.length > 0) break
    events.push({ id, time: uuid7Time(id).toISOString(), payload })
  }
  return { events, eventCount: digest?.count ?? 1 }
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
  return last ? (last.raw ?? last.detail).slice(0, 500) : undefined
}
