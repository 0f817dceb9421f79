import { expect, test } from 'vitest'
import { ApiFault } from '../../api/fault.ts'
import { stepOf, workflowOf } from '../../test-data.ts'
import { toFaults } from './faults.ts'

test('what the server found wrong stands with the step it is about, by its id', () => {
  const fault = new ApiFault(422, {
    errors: {
      name: { messages: ['is needed'] },
      'steps.1.controlValues.subject': { messages: ['is empty', 'is needed'] },
      'steps.1.name': { messages: ['is long'] },
      'steps.9.name': { messages: ['of no step'] },
      steps: { messages: ['too many'] },
    },
  })
  expect(toFaults(fault, workflowOf({ steps: [stepOf('a'), stepOf('b')] }))).toEqual({
    workflow: { name: 'is needed', 'steps.9.name': 'of no step', steps: 'too many' },
    steps: { b: { 'controlValues.subject': 'is empty is needed', name: 'is long' } },
  })
})
