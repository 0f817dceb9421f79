import type { Explanation } from '../../api/types.ts'

/** Somebody whom the event would reach, and what each step would do for them. */
export type Recipient = Explanation['recipients'][number]
export type ExplainedStep = Recipient['steps'][number]
