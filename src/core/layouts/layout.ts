import { isPlainObject } from '../../lib/canonical-json.ts'
import type { LayoutHead } from '../../store/wording/editions.ts'
import type { BlockContent } from '../blocks/compile-blocks.ts'
import type { BlockWarning } from '../blocks/page.ts'
import type { Step } from '../workflows/workflow.ts'

/** The template, in which marks stand for what a body brings; of blocks without the page around it. Made when saved. */
export type CompiledLayout = (BlockContent | { html: string }) & { warnings: BlockWarning[] }

/** One version of a layout, as stored: it never changes. */
export type LayoutDefinition = {
  name: string
  isTranslationEnabled: boolean
  controlValues: { body: string; editorType: 'html' | 'block' }
  compiled: CompiledLayout
}

export function toLayoutDefinition(stored: unknown): LayoutDefinition | null {
  // Written by us, from a validated definition.
  return isPlainObject(stored) ? (stored as LayoutDefinition) : null
}

/** The layout that a step's e-mail stands in, of those in force. A step that names none gets the default. */
export function layoutOf(
  layouts: readonly LayoutHead[],
  { type, controlValues }: Pick<Step, 'type' | 'controlValues'>,
) {
  if (type !== 'email' || controlValues.layoutId === null) return null
  const { layoutId } = controlValues
  const wanted = (it: LayoutHead) => (layoutId === undefined ? it.isDefault : it.identifier === layoutId)
  return layouts.find(wanted) ?? null
}
