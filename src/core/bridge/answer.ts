import type { JobRow } from '../../store/history/notifications.ts'

/** What the bridge said about one step for one person, as it stands in the step's job. `at`: when. */
export type Answer =
  | { kind: 'outputs'; at: string; outputs: Record<string, unknown>; providers?: Record<string, unknown> }
  /** Its code says that the step is to be left out. */
  | { kind: 'skip'; at: string }
  /** Its code ended without coming to this step. */
  | { kind: 'absent'; at: string }
  /** It refused, or did not answer in time. */
  | { kind: 'failed'; at: string; why: string }

export function answerOf({ answer }: Pick<JobRow, 'answer'>): Answer | null {
  // Written by read-answer.ts and record-calls.ts.
  return answer as Answer | null
}

/** By the index of the step. */
export function answersOf(jobs: readonly JobRow[]): ReadonlyMap<number, Answer> {
  return new Map(
    jobs.flatMap((job): [number, Answer][] => {
      const answer = answerOf(job)
      return answer ? [[job.step_index, answer]] : []
    }),
  )
}
