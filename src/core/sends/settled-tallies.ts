import type { Moved } from '../../store/feedback/callbacks.ts'
import type { SendTally } from '../../store/sends/send-tallies.ts'

/** A report may settle what was in doubt or given up. */
export function toSettled({ channel, delivery, was, sendId }: Moved): SendTally[] {
  if (!sendId || delivery === was || (was !== 'unknown' && was !== 'dead')) return []
  const outcome = delivery === 'sent' ? 'sent' : 'failed'
  return [
    { sendId, channel, outcome, n: 1 },
    { sendId, channel, outcome: was, n: -1 },
  ]
}
