import type { SmsMessage } from '../message.ts'
import type { Outcome } from '../outcome.ts'

/** For vendors that refuse every message without a sender. `name`: theirs of the field, which the trigger may give. */
export function noSender({ from, overrides }: SmsMessage, name: string): Outcome | undefined {
  if (from || overrides[name]) return undefined
  const reason = 'No sender: set `from` in the integration or overrides.sms.from'
  return { kind: 'rejected', reason, because: 'integration' }
}
