import { isPlainObject } from '../../lib/canonical-json.ts'
import { cutText } from '../../lib/one-line.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import type { StepType } from '../workflows/workflow.ts'
import type { Answer } from './answer.ts'

// In characters. Results of code are read again for every later step; the rest becomes a message, and is stored once.
const mostOf = (type: StepType) => (type === 'custom' ? 32 : 512) * 1024
// Those of a message are gone through one by one while a page of steps is planned, and nobody else has their turn.
const mostValuesOf = (type: StepType) => (type === 'custom' ? 10_000 : 2_000)

/** What a reply to a question about one step says. What it says wrongly is said wrongly for good. */
export function readOutputs(json: Record<string, unknown>, type: StepType, now: Date): Answer {
  const at = now.toISOString()
  const failed = (why: string): Answer => ({ kind: 'failed', at, why: cutText(`The bridge's answer ${why}`, 500) })
  const { outputs, providers, options } = json
  if (isPlainObject(options) && options.skip === true) return { kind: 'skip', at }
  if (!isPlainObject(outputs)) return failed('has no outputs')
  const refused = findRefusedContent([outputs, providers ?? null])
  if (refused) return failed(`cannot be stored: ${refused.path.replace(/^0\.?/, 'outputs.')} ${refused.reason}`)
  const size = JSON.stringify([outputs, providers]).length
  if (size > mostOf(type)) return failed(`has ${size} characters; a step of this type may have ${mostOf(type)}`)
  const values = countValues([outputs, providers], mostValuesOf(type))
  if (values > mostValuesOf(type)) return failed(`has more than the ${mostValuesOf(type)} values that it may have`)
  // Every step but these must say something; nothing at all comes where their code ended without coming to it.
  if (Object.keys(outputs).length === 0 && type !== 'custom') return { kind: 'absent', at }
  return { kind: 'outputs', at, outputs, ...(isPlainObject(providers) && { providers }) }
}

/** It stops soon after `most`. */
function countValues(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const inner of Object.values(value)) {
    count += countValues(inner, most - count)
    if (count > most) break
  }
  return count
}
