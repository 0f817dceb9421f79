import { isPlainObject } from '../../lib/canonical-json.ts'
import { type Channel, channels } from '../../providers/provider.ts'
import type { Item } from '../from-novu/lists.ts'
import { textIn } from '../from-novu/names.ts'
import type { Activity, StepThere } from './activity.ts'
import { compareWaits, hasType, readWaits } from './judge-waits.ts'

/** `because`: of what differs, step by step; or why nobody can say. */
export type Verdict = { word: 'same' | 'differs' | 'cannot be compared'; because: string[] }

type StepHere = { stepId: string; channel: Channel; outcome: string; why: string }

/** What happened there against what POST /v1/events/explain says would happen here. */
export function judge(activity: Activity, explanation: Item, now = new Date()): Verdict {
  const { workflowId, subscriberId, steps } = activity
  const cannot = (why: string): Verdict => ({ word: 'cannot be compared', because: [why] })
  if (workflowId === '') return cannot('the other service does not say which workflow it was')
  if (subscriberId === '') return cannot('the other service does not say whom it reached')
  const { result, recipients } = explanation
  if (isPlainObject(result) && result.status === 'trigger_not_active') return judgeOff(steps)
  if (isPlainObject(result) && result.status !== 'processed') return cannot(refusalIn(result))
  const people = Array.isArray(recipients) ? recipients.filter(isPlainObject) : []
  const person = people.find((it) => it.subscriberId === subscriberId)
  if (!person) return cannot('there is no such subscriber here')
  const here = readSteps(person.steps)
  const differences = [
    ...compareWaits(activity.waits, readWaits(person.steps, now)),
    ...activity.others
      .filter((it) => !hasType(person.steps, it))
      .map((it) => `a step of the type ${it} there, and none here`),
  ]
  const unclear: string[] = []
  for (const channel of channels) {
    const [theirs, ours] = [steps.filter((it) => it.channel === channel), here.filter((it) => it.channel === channel)]
    for (let at = 0; at < Math.max(theirs.length, ours.length); at++) {
      const found = compareStep(theirs[at], ours[at])
      if (found) (found.isClear ? differences : unclear).push(found.why)
    }
  }
  if (differences.length > 0) return { word: 'differs', because: differences }
  return unclear.length > 0 ? { word: 'cannot be compared', because: unclear } : { word: 'same', because: [] }
}

/** The workflow is switched off here. */
function judgeOff(steps: readonly StepThere[]): Verdict {
  const sent = steps.filter((it) => it.became === 'sent').map((it) => it.channel)
  const open = steps.some((it) => it.became === 'open' || it.became === 'merged')
  const off = 'the workflow is switched off here, so nothing would be sent'
  if (sent.length > 0) return { word: 'differs', because: [`${off}; sent there: ${sent.join(', ')}`] }
  return open ? { word: 'cannot be compared', because: [off] } : { word: 'same', because: [] }
}

type Difference = { isClear: boolean; why: string }

function compareStep(there: StepThere | undefined, here: StepHere | undefined): Difference | null {
  if (!there) return here ? onlyHere(here) : null
  if (there.became === 'open') return { isClear: false, why: `${there.channel}: it is not over there (${there.why})` }
  if (there.became === 'merged')
    return { isClear: false, why: `${there.channel}: there it went into the digest of another trigger` }
  const name = here ? `${here.stepId} (${there.channel})` : there.channel
  const wasSent = there.became === 'sent'
  if (!here) return wasSent ? { isClear: true, why: `${name}: sent there; there is no such step here` } : null
  const wouldSend = isSent(here)
  if (wasSent === wouldSend) return null
  const why = wasSent
    ? `sent there; here: ${here.outcome}${here.why && `, ${here.why}`}`
    : `not sent there${there.why && ` (${there.why})`}; would be sent here`
  return { isClear: true, why: `${name}: ${why}` }
}

/** A step there that was not reached has no entry. */
function onlyHere(here: StepHere): Difference | null {
  if (!isSent(here)) return null
  return { isClear: true, why: `${here.stepId} (${here.channel}): nothing of it there; would be sent here` }
}

/** What waits for an earlier step, or for the person's hours, is sent then. */
function isSent({ outcome }: StepHere): boolean {
  return outcome === 'send' || outcome === 'wait' || outcome === 'defer'
}

function readSteps(given: unknown): StepHere[] {
  return (Array.isArray(given) ? given.filter(isPlainObject) : []).flatMap(({ stepId, type, outcome, why }) => {
    const channel = channels.find((it) => it === type)
    return channel ? [{ stepId: textIn(stepId), channel, outcome: textIn(outcome), why: textIn(why) }] : []
  })
}

function refusalIn({ status, error }: Item): string {
  const words = Array.isArray(error) ? error.map(String).join(' ') : textIn(error)
  return words === '' ? textIn(status) : words
}
