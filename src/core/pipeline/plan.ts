import type { Lane } from '../../engine/lanes.ts'
import type { NewCall } from '../../store/bridge/calls.ts'
import type { EventRow } from '../../store/history/events.ts'
import type { JobStatus, NewJob, NewMessage, NewNotification } from '../../store/history/history.ts'
import type { DigestClaim, WindowKey } from '../../store/history/windows.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import type { Names } from '../../store/webhooks/tell-of-new.ts'
import type { Answer } from '../bridge/answer.ts'
import type { Candidate } from '../integrations/candidates.ts'
import type { Step, Workflow } from '../workflows/workflow.ts'
import type { Target } from './plan-send.ts'

/** The types of the pipeline: where a notification starts, what each step is planned to do, and the rows it becomes. */

/** One event for one subscriber, with the steps done so far. */
export type Start = {
  event: EventRow
  workflow: Workflow
  subscriber: SubscriberRow
  actor: SubscriberRow | null
  topicIds: readonly string[] | null
  /** Why nothing is sent: what the person chose in his subscriptions to the topics of the event. */
  refused?: string
  lane: Lane
  /** The state of each step; null: no job is written yet. */
  states: readonly (JobStatus | null)[]
  /** When the steps planned now began, if later than the event. Their messages sort by this time. */
  startedAt: Date | null
  /** What an earlier digest gathered. */
  digest: { events: unknown[]; count: number } | null
  /** By the index of the step: what the bridge said. Only of workflows whose code is with the tenant. */
  answers?: ReadonlyMap<number, Answer>
  /** By stepId: seen and read, for the steps named in a `when`. */
  marks?: ReadonlyMap<string, Mark>
}

/** Whether any message of a step was seen or read. */
export type Mark = { seen: boolean; read: boolean }

/** What templates and conditions see. */
export type RenderScope = Record<string, unknown> & {
  subscriber: Record<string, unknown>
  payload: Record<string, unknown>
}

export type Planned = {
  start: Start
  notification: NewNotification
  /** With the values of the variant, if one applies. */
  step: Step
  variant: string | null
  /** Its values are what the bridge said, to the letter: nothing of them is a template. For vendors: what it adds. */
  answered?: Record<string, unknown>
  index: number
  /** The job's id. */
  id: string
  plan: Plan
}

/** What a step will do, decided before rendering and writing. */
export type Plan =
  | { kind: 'skip'; why: string; errorId?: string }
  | { kind: 'fail'; why: string }
  /** After a step without an outcome yet; `waitsFor`: the stepId named in its `when`; `onceMet`: what comes then. */
  | { kind: 'wait'; waitsFor?: string; onceMet?: Plan }
  /** The bridge is to be asked. */
  | { kind: 'ask' }
  /** Code of the tenant that has given its result. */
  | { kind: 'custom' }
  /** After a step that failed and stops the rest. */
  | { kind: 'stop' }
  | { kind: 'delay'; until: Date }
  /** Outside the subscriber's schedule. */
  | { kind: 'defer'; until: Date }
  | { kind: 'digest'; key: string; closesAt: Date; lookBackSeconds: number | null }
  | { kind: 'throttle'; key: string; threshold: number; endsAt: Date }
  | { kind: 'in_app'; scope: RenderScope }
  | { kind: 'send'; scope: RenderScope; targets: Target[]; first: Candidate; named: boolean }

/** The rows of many notifications, and what only the writing transaction can decide. */
export type HistoryPage = {
  notifications: NewNotification[]
  jobs: NewJob[]
  messages: NewMessage[]
  /** Decided by counting and joining when the page is written. */
  throttles: ThrottlePlan[]
  digests: DigestPlan[]
  awaiting: Awaiting[]
  /** Steps that the bridge is to be asked about, unless they end while the page is written. */
  asks: NewCall[]
  /** Asked for only where somebody outside is told of it. */
  names: () => Names
}

export type DigestPlan = DigestClaim
export type ThrottlePlan = WindowKey & { jobId: string; notificationId: string; threshold: number; endsAt: string }

/** A step that waits for another's outcome, by job ids. */
export type Awaiting = { notificationId: string; jobId: string; targetId: string }
