import type { ResourceChange, ResourceDiff } from '../../../api/types.ts'
import type { DiffLineKind } from '../../../ui/diff-line.tsx'
import type { ShownChange } from '../../../ui/diff-view.tsx'
import { twoSides } from '../two-sides.ts'

type Line = { kind: DiffLineKind; text: string }

/** What differs, by place: the thing itself, then each of its steps. */
export function shownChanges({ changes }: Pick<ResourceDiff, 'changes'>): ShownChange[] {
  const places = new Map<string, ResourceChange[]>()
  for (const change of changes) {
    if (change.path === '') continue
    const place = change.stepId === undefined ? 'General' : `Step ${change.stepId}`
    places.set(place, [...(places.get(place) ?? []), change])
  }
  return [...places].map(([place, these]) => ({
    place,
    kind: kindOf(these),
    fields: these.map((change) => ({ path: pathOf(change), lines: linesOf(change) })),
  }))
}

const isWholeStep = ({ stepId, path }: ResourceChange) => stepId !== undefined && path === `steps.${stepId}`

function kindOf(changes: readonly ResourceChange[]): ShownChange['kind'] {
  const whole = changes.find(isWholeStep)
  return whole?.action === 'added' ? 'added' : whole?.action === 'deleted' ? 'removed' : 'changed'
}

/** Without its step, which stands above. */
function pathOf(change: ResourceChange): string {
  if (change.action === 'moved') return 'place among the steps'
  if (isWholeStep(change)) return 'the whole step'
  return change.stepId === undefined ? change.path : change.path.slice(`steps.${change.stepId}.`.length)
}

const kinds: Record<string, DiffLineKind> = { '-': 'removed', '+': 'added' }

export function linesOf({ action, before, after, lines, moreLines, previousIndex, newIndex }: ResourceChange): Line[] {
  if (action === 'moved') return twoSides((previousIndex ?? 0) + 1, (newIndex ?? 0) + 1)
  if (!lines) return twoSides(before, after)
  const hunks = lines.flatMap((hunk, index): Line[] => [
    ...(index > 0 || hunk.before > 1 ? [{ kind: 'gap' as const, text: `line ${hunk.after}` }] : []),
    ...hunk.lines.map((line) => ({ kind: kinds[line[0] ?? ''] ?? ('same' as const), text: line.slice(1) })),
  ])
  return moreLines ? [...hunks, { kind: 'gap', text: `${moreLines} more changed lines` }] : hunks
}
