import { ApiError, type FieldErrors, validationFailed } from '../../errors.ts'
import type { TriggerResult } from '../accept/judge-events.ts'

/**
 * A single event that comes to status `error` is refused, so that a misspelt name throws in the client. The refusal
 * carries the fields of the result too. Other statuses are results, and so is everything of a bulk call.
 */
export function orRefusal(result: TriggerResult | undefined, name: string): TriggerResult | ApiError {
  if (!result) throw new Error('one event in, one result out')
  if (result.status !== 'error') return result
  const faults = result.error ?? []
  if (faults.includes('transaction_id_conflict')) return new ApiError('transaction_id_conflict', { existing: result })
  const errors = faults.includes('workflow_not_found') ? unknownWorkflow(name) : toFieldErrors(faults)
  return new ApiError('validation_failed', { ...validationFailed(errors).details, existing: result })
}

function unknownWorkflow(name: string): FieldErrors {
  return { name: { messages: ['is not the workflowId of a workflow in this environment'], value: name } }
}

const startsWithField = /^((?:payload|overrides|to|actor|tenant|context)(?:\.\S+)?) (.+)$/s

/** The faults of an event are sentences that begin with their field; those about the whole event do not. */
function toFieldErrors(faults: readonly string[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const fault of faults) {
    const [, field = 'body', message = fault] = startsWithField.exec(fault) ?? []
    const entry = errors[field] ?? { messages: [] }
    errors[field] = entry
    entry.messages.push(message)
  }
  return errors
}
