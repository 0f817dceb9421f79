import { type FieldErrors, validationFailed } from '../../errors.ts'
import type { Db, Env } from '../../store/database.ts'
import { holdLayouts } from '../../store/wording/layouts.ts'
import type { WorkflowDefinition } from '../workflows/workflow.ts'

export const layoutUnknown = 'names no layout of this environment; leave it out for the default, null for none'

/** Throws 422 for a layout that does not exist. Those that do exist cannot be deleted until the transaction ends. */
export async function checkLayouts(db: Db, env: Env, definition: WorkflowDefinition): Promise<void> {
  const named = namedLayouts(definition)
  if (named.length === 0) return
  const known = new Set(await holdLayouts(db, env, [...new Set(named.map(({ layoutId }) => layoutId))]))
  const faults = layoutFaults(definition, known)
  if (Object.keys(faults).length > 0) throw validationFailed(faults)
}

export function layoutFaults(definition: WorkflowDefinition, known: ReadonlySet<string>): FieldErrors {
  const faults: FieldErrors = {}
  for (const { path, layoutId } of namedLayouts(definition)) {
    if (!known.has(layoutId)) faults[path] = { messages: [layoutUnknown], value: layoutId }
  }
  return faults
}

function namedLayouts({ steps }: WorkflowDefinition): { path: string; layoutId: string }[] {
  return steps.flatMap(({ type, controlValues, variants = [] }, index) => {
    if (type !== 'email') return []
    const contents = [controlValues, ...variants.map((variant) => variant.controlValues)]
    return contents.flatMap(({ layoutId }, at) => {
      const place = at === 0 ? `steps.${index}` : `steps.${index}.variants.${at - 1}`
      return typeof layoutId === 'string' ? [{ path: `${place}.controlValues.layoutId`, layoutId }] : []
    })
  })
}
