import type { Static } from 'typebox'
import type { LayoutDefinition } from '../core/layouts/layout.ts'
import {
  type CurrentLayout,
  createLayout,
  layoutId,
  layoutInput,
  toCurrentLayout,
  updateLayout,
} from '../core/layouts/save-layout.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { fields } from '../lib/schemas.ts'
import { bodyValidator } from '../lib/validate.ts'
import type { Db, Env } from '../store/database.ts'
import { findLayout, lockLayouts } from '../store/wording/layouts.ts'

const fileInput = fields({ layoutId, ...layoutInput })
export type LayoutFile = Static<typeof fileInput>
const checkInput = bodyValidator(fileInput)

export type Outcome = {
  outcome: 'created' | 'changed' | 'unchanged'
  changes: string[]
  /** What of its blocks is not sent as it stands there. */
  warnings: string[]
}

/** Validated like a body of POST /v2/layouts. */
export function readLayout(value: unknown): LayoutFile {
  checkInput(value)
  const input = value as LayoutFile
  return { ...input, layoutId: input.layoutId.trim() }
}

/** A file says all of a layout; only whether it is the default stays as it is if it is not said. */
export async function applyLayout(db: Db, env: Env, file: LayoutFile, now: Date): Promise<Outcome> {
  const scope = { db, env, now }
  const { isTranslationEnabled = false, controlValues = null, layoutId: identifier } = file
  const input = { ...file, isTranslationEnabled, controlValues }
  await lockLayouts(db, env)
  const found = await findLayout(db, env, identifier)
  if (found?.identifier !== identifier) {
    const made = await createLayout(scope, identifier, input)
    return { outcome: 'created', changes: [], warnings: warningsOf(made) }
  }
  const before = toCurrentLayout(found)
  const after = await updateLayout(scope, identifier, input)
  const changes = changesBetween(before, after)
  return { outcome: changes.length > 0 ? 'changed' : 'unchanged', changes, warnings: warningsOf(after) }
}

function warningsOf({ definition }: CurrentLayout): string[] {
  return definition.compiled.warnings.map(({ message }) => message)
}

function changesBetween(before: CurrentLayout, after: CurrentLayout): string[] {
  if (before.edition === after.edition) return []
  const names = ['name', 'isTranslationEnabled', 'controlValues'] as const satisfies (keyof LayoutDefinition)[]
  const changed = names.filter((name) => !isSame(before.definition[name], after.definition[name]))
  return [...changed, ...(before.isDefault === after.isDefault ? [] : ['isDefault'])]
}

export function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b)
}
