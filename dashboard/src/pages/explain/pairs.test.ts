import { expect, test } from 'vitest'
import { jobOf, stepOf } from '../../test-data.ts'
import { pairsOf } from './pairs.ts'
import type { ExplainedStep } from './recipient.ts'

test('a step of then stands beside the same step of today; what is new stands alone, what is gone comes last', () => {
  const step = (id: string, name: string) => ({ ...jobOf().step, _id: id, name })
  const jobs = [
    jobOf({ _id: 'j-gone', step: step('old', 'Was here'), type: 'sms' }),
    jobOf({ _id: 'j-kept', step: step('id-of-e-mail', 'Old name') }),
  ]
  const now: ExplainedStep[] = [
    { stepId: 'in-app', type: 'in_app', outcome: 'send' },
    { stepId: 'e-mail', type: 'email', outcome: 'skip' },
  ]
  const steps = [stepOf('in-app', { name: 'In the app' }), stepOf('e-mail', { name: 'Mail' })]
  const told = pairsOf(jobs, now, steps).map(({ name, job, now: today }) => [name, job?._id, today?.outcome])
  expect(told).toEqual([
    ['In the app', undefined, 'send'],
    ['Mail', 'j-kept', 'skip'],
    ['Was here', 'j-gone', undefined],
  ])
})
