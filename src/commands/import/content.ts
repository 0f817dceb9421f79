import { isPlainObject } from '../../lib/canonical-json.ts'
import { chunks } from '../../lib/chunks.ts'
import type { Carried } from '../from-novu/carry-workflow.ts'
import type { Item } from '../from-novu/lists.ts'
import type { Outcome } from './counts.ts'
import { resultsIn } from './imported.ts'
import { commit, note, type Run } from './run.ts'
import { TargetRefusal } from './target.ts'

const perCall = 20
const outcomes: Record<string, Outcome> = { added: 'created', modified: 'updated', unchanged: 'unchanged' }

/**
 * What is not saved yet because nothing is: a plan gives it along, so that what needs it finds it. Content is small: it is
 * what people have written.
 */
export type Planned = Map<string, Item>

/** Layouts, workflows or words. Of some together each is taken by itself: a fault of one leaves out that one. */
export async function saveContent(run: Run, kind: string, all: readonly Carried[], planned: Planned): Promise<void> {
  for (const some of chunks(all, perCall)) {
    await saveSome(run, kind, some, run.mode === 'plan' ? [...planned.values()] : [])
    commit(run)
  }
  if (run.mode !== 'plan') return
  for (const { name, entry } of all) planned.set(`${kind} ${name}`, entry)
}

async function saveSome(run: Run, kind: string, some: readonly Carried[], needed: readonly Item[]): Promise<void> {
  let remaining = [...some]
  while (remaining.length > 0) {
    const resources = [...needed, ...remaining.map(({ entry }) => entry)]
    try {
      const reply = await run.target.call('POST', '/v1/content', { dryRun: run.mode !== 'import', resources })
      const results = resultsIn(reply, 'resources', resources.length).slice(needed.length)
      for (const [at, { name, left }] of remaining.entries()) {
        const { action, changes } = Object(results[at])
        const paths = Array.isArray(changes) ? changes.filter(isPlainObject).map(({ path }) => String(path)) : []
        note(run, kind, { name, outcome: outcomeOf(action, name), changes: paths, left })
      }
      return
    } catch (error) {
      if (!(error instanceof TargetRefusal) || ![400, 413, 422].includes(error.status)) throw error
      const faulty = faultsOf(error, needed.length, remaining.length)
      if (faulty.size === 0) {
        // A fault without a place, such as a call that is nested too deep: each is tried by itself.
        for (const one of remaining) await saveSome(run, kind, [one], needed)
        return
      }
      for (const [at, why] of faulty) refuse(run, kind, remaining[at], why)
      remaining = remaining.filter((_it, at) => !faulty.has(at))
    }
  }
}

function outcomeOf(action: unknown, name: string): Outcome {
  const outcome = outcomes[String(action)]
  if (!outcome) throw new Error(`Tidings does not say what became of ${name}: check that it is the address of Tidings.`)
  return outcome
}

function refuse(run: Run, kind: string, carried: Carried | undefined, why: readonly { field: string; why: string }[]) {
  if (!carried) return
  note(run, kind, { name: carried.name, outcome: 'failed', left: why })
}

type Faults = Map<number, { field: string; why: string }[]>

/** By place among the entries of this call. */
function faultsOf({ body, message }: TargetRefusal, skip: number, count: number): Faults {
  const errors = isPlainObject(body) && isPlainObject(body.errors) ? body.errors : {}
  const faults: Faults = new Map()
  for (const [path, fault] of Object.entries(errors)) {
    const [, place = '', field = ''] = /^resources\.(\d+)\.?(.*)$/s.exec(path) ?? []
    const at = Number(place) - skip
    if (place === '' || at < 0 || at >= count) continue
    const messages = isPlainObject(fault) && Array.isArray(fault.messages) ? fault.messages.map(String) : []
    faults.set(at, [...(faults.get(at) ?? []), { field, why: messages.join('; ') }])
  }
  // Of one alone it is clear.
  return faults.size === 0 && count === 1 ? new Map([[0, [{ field: '', why: message }]]]) : faults
}
