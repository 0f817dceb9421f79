import { isPlainObject } from '../../lib/canonical-json.ts'
import { cutText } from '../../lib/cut-text.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import type { StepType } from '../workflows/workflow.ts'
import type { Answer } from './answer.ts'

// In characters. Results of code are read again for every later step; the rest becomes a message, and is stored once.
const mostOf = (type: StepType) => (type === 'custom' ? 32 : 512) * 1024

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
  // Every step but these must say something; nothing at all comes where their code ended without coming to it.
  if (Object.keys(outputs).length === 0 && type !== 'custom') return { kind: 'absent', at }
  return { kind: 'outputs', at, outputs, ...(isPlainObject(providers) && { providers }) }
}
