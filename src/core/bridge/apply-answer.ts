import { isPlainObject } from '../../lib/canonical-json.ts'
import { cutText } from '../../lib/one-line.ts'
import type { JobRow } from '../../store/history/notifications.ts'
import type { Plan } from '../pipeline/plan.ts'
import { judgeShape } from '../workflows/control-values.ts'
import type { Step } from '../workflows/workflow.ts'
import { type Answer, answerOf } from './answer.ts'
import { cardText } from './card-text.ts'

type Values = Record<string, unknown>

/** A step with what the bridge said in place of its own values, or what it has come to already. */
export type Applied = { step: Step; providers: Values } | { plan: Plan }

export function applyAnswer(step: Step, answer: Answer): Applied {
  switch (answer.kind) {
    case 'skip':
      return { plan: { kind: 'skip', why: 'The code of the workflow skips this step' } }
    case 'absent':
      return { plan: { kind: 'skip', why: 'The code of the workflow does not come to this step' } }
    case 'failed':
      return { plan: { kind: 'fail', why: answer.why } }
    case 'outputs':
      return applyOutputs(step, answer.outputs, answer.providers ?? {})
  }
}

/** For whoever shows a step: with what the bridge said, where that still stands in the job. */
export function asAnswered(step: Step, job: Pick<JobRow, 'answer'>): Step {
  const answer = answerOf(job)
  const applied = answer && applyAnswer(step, answer)
  return applied && 'step' in applied ? applied.step : step
}

function applyOutputs(step: Step, outputs: Values, providers: Values): Applied {
  if (step.type === 'custom') return { plan: { kind: 'custom' } }
  const { values, faults } = judgeShape(step.type, toControlValues(step, outputs))
  const [fault] = Object.entries(faults)
  if (!fault) return { step: { ...step, controlValues: values }, providers }
  const [field, { messages }] = fault
  return { plan: { kind: 'fail', why: cutText(`The bridge's answer: ${field} ${messages.join(', ')}`, 500) } }
}

/** The same in the words of our steps. */
function toControlValues({ type }: Step, outputs: Values): Values {
  switch (type) {
    case 'email':
      // Their code has made the whole page: no layout of ours stands around it.
      return { ...outputs, editorType: 'html', layoutId: null }
    case 'chat':
      return { body: typeof outputs.body === 'string' ? outputs.body : cardText(outputs.card) }
    case 'delay':
      return outputs.type === 'dynamic' ? { type: 'scheduled', delayPath: outputs.dynamicKey } : outputs
    case 'digest': {
      const { amount, unit, digestKey, lookBackWindow, cron } = outputs
      const isTimed = typeof cron === 'string'
      return { type: isTimed ? 'timed' : 'regular', amount, unit, digestKey, lookBackWindow, cron }
    }
    default:
      return outputs
  }
}

/** What goes to one vendor besides, in its own format. `_passthrough.body` is how their code says the same. */
export function providersOf(providers: Values): Record<string, Values> {
  const named = Object.entries(providers).flatMap(([id, given]): [string, Values][] => {
    if (!isPlainObject(given)) return []
    const { _passthrough: through, ...own } = given
    const body = isPlainObject(through) && isPlainObject(through.body) ? through.body : {}
    const all = { ...own, ...body }
    return Object.keys(all).length > 0 ? [[id, all]] : []
  })
  return Object.fromEntries(named)
}
