import type { Lane } from '../../engine/lanes.ts'
import type { EventRow } from '../../store/history/events.ts'
import type { JobStatus, NewJob, NewMessage, NewNotification } from '../../store/history/history.ts'
import type { DigestClaim, WindowKey } from '../../store/history/windows.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import type { Candidate } from '../integrations/candidates.ts'
import type { Step, Workflow } from '../workflows/workflow.ts'
import type { Target } from './plan-send.ts'

/** The words of the pipeline: what a notification starts from, what each step is planned to do, and the rows it becomes. */

/** One event for one person, as far as it has come. */
export type Start = {
  event: EventRow
  workflow: Workflow
  subscriber: SubscriberRow
  actor: SubscriberRow | null
  topicIds: readonly string[] | null
  lane: Lane
  /** The state of each step; null: nothing is written of it yet. */
  states: readonly (JobStatus | null)[]
  /** When the steps walked now began, if later than the event: what they send sorts as new. */
  startedAt: Date | null
  /** What a digest before these steps gathered. */
  digest: { events: unknown[]; count: number } | null
  /** By stepId: what people did with the messages of the steps that a `when` asks about. */
  marks?: ReadonlyMap<string, Mark>
}

/** What became of the messages of a step, as far as people have looked at them. */
export type Mark = { seen: boolean; read: boolean }

/** What templates and conditions see. */
export type RenderScope = Record<string, unknown> & {
  subscriber: Record<string, unknown>
  payload: Record<string, unknown>
}

/** A step and what was planned for it. */
export type Planned = {
  start: Start
  notification: NewNotification
  /** With the values of the variant that applies, if one does. */
  step: Step
  variant: string | null
  index: number
  /** Of its job. */
  id: string
  plan: Plan
}

/** What a step comes to, before anything is rendered or written. */
export type Plan =
  | { kind: 'skip'; why: string; errorId?: string }
  | { kind: 'fail'; why: string }
  /** Behind a step whose outcome is not known yet; `waitsFor`: the one that its `when` names. */
  | { kind: 'wait'; waitsFor?: string }
  /** Behind a step that failed and stops the rest. */
  | { kind: 'stop' }
  | { kind: 'delay'; until: Date }
  /** Outside the hours the person wants to be reached in. */
  | { kind: 'defer'; until: Date }
  | { kind: 'digest'; key: string; closesAt: Date; lookBackSeconds: number | null }
  | { kind: 'throttle'; key: string; threshold: number; endsAt: Date }
  | { kind: 'in_app'; scope: RenderScope }
  | { kind: 'send'; scope: RenderScope; targets: Target[]; first: Candidate }

/** The rows of many notifications, and what is decided only in the transaction that writes them. */
export type HistoryPage = {
  notifications: NewNotification[]
  jobs: NewJob[]
  messages: NewMessage[]
  /** Decided by counting and joining. */
  throttles: ThrottlePlan[]
  digests: DigestPlan[]
  awaiting: Awaiting[]
}

export type DigestPlan = DigestClaim
export type ThrottlePlan = WindowKey & { jobId: string; notificationId: string; threshold: number; endsAt: string }

/** A step that waits for the outcome of another, by the ids of their jobs. */
export type Awaiting = { notificationId: string; jobId: string; targetId: string }
