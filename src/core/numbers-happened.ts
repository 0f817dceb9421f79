import type { NewJob, NewMessage, NewNotification } from '../store/history/history.ts'
import { type CountedOutcome, type Happened, isCounted } from '../store/history/tallies.ts'
import type { Next } from './delivery/decide-next.ts'

type Page = {
  notifications: readonly NewNotification[]
  jobs: readonly NewJob[]
  messages: readonly NewMessage[]
}

/** A page of new notifications. `known`: those an earlier page of the same event had written. */
export function happenedToPage(page: Page, known: ReadonlySet<string>): Happened[] {
  const fresh = page.notifications.filter((it) => !known.has(it.id))
  const workflows = new Map(fresh.map((it) => [it.id, it.workflow_id]))
  const notified = fresh.map((it) => ({ workflowId: it.workflow_id, outcome: 'notified' as const }))
  return [...notified, ...happenedToJobs(page.jobs, page.messages, workflows)]
}

/** Steps as they are written. What leaves the house has its outcome later. `workflows`: by notification. */
export function happenedToJobs(
  jobs: readonly NewJob[],
  messages: readonly NewMessage[],
  workflows: ReadonlyMap<string, string>,
): Happened[] {
  return jobs.flatMap((job): Happened[] => {
    const workflowId = workflows.get(job.notification_id)
    const outcome = outcomeOfJob(job)
    if (workflowId === undefined || outcome === null) return []
    const happened = { workflowId, outcome, channel: job.type }
    if (outcome === 'sent') return [{ ...happened, providerId: job.provider_id }]
    if (outcome !== 'failed' || !job.message_ids) return [happened]
    // Templates that do not render: each message says so.
    const own = messages.filter((message) => message.job_id === job.id)
    return own.map((message) => ({ ...happened, providerId: message.provider_id }))
  })
}

function outcomeOfJob({ type, status }: NewJob): CountedOutcome | null {
  if (!isCounted(type)) return null
  switch (status) {
    case 'completed':
      return 'sent'
    case 'failed':
    case 'skipped':
    case 'merged':
    case 'canceled':
      return status
    case 'pending':
    case 'queued':
    case 'running':
    case 'delayed':
      return null
  }
}

/** What a try came to. Null: nothing was tried, and nothing is decided. */
export function outcomeOfTry(delivery: Next['delivery'], wasTried: boolean): CountedOutcome | null {
  switch (delivery) {
    case 'sent':
    case 'unknown':
      return delivery
    case 'rejected':
    case 'dead':
      return 'failed'
    case 'open':
      return wasTried ? 'retried' : null
  }
}
