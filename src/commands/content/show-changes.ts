import type { Applied } from '../../core/content/apply-content.ts'
import type { Output } from '../host.ts'

type Resource = Applied['resources'][number]
type Change = Resource['changes'][number]

export function nameOf({ kind, resourceId }: Pick<Resource, 'kind' | 'resourceId'>): string {
  if (kind === 'workflow') return resourceId
  if (kind === 'layout') return `layout ${resourceId}`
  const [, owner, locale] = /^\w+?s\/(.*)\/([^/]*)$/s.exec(resourceId) ?? []
  return `${owner} ${locale?.replaceAll('-', '_')}`
}

/** In a few words: the fields, then the steps. */
export function summarized({ kind, action, changes }: Resource): string {
  if (action !== 'modified' || kind === 'translation') return ''
  const unique = (words: string[]) => [...new Set(words)]
  const steps = (wanted: Change['action'], sign: string) =>
    changes.flatMap((it) =>
      it.stepId !== undefined && it.action === wanted && it.path === `steps.${it.stepId}`
        ? `${sign} step ${it.stepId}`
        : [],
    )
  const words = unique([
    ...changes.flatMap((it) => (it.stepId === undefined ? (it.path.split('.', 1)[0] ?? '') : [])),
    ...changes.flatMap((it) =>
      it.stepId !== undefined && it.path !== `steps.${it.stepId}` ? `step ${it.stepId}` : [],
    ),
    ...steps('added', '+'),
    ...steps('deleted', '-'),
  ])
  if (words.length > 0) return words.join(', ')
  return changes.length > 0 ? 'order of the steps' : ''
}

const signs = { added: '+', modified: '~', deleted: '-', moved: '~' } as const

/** Line by line, as a person reads a patch. */
export function printChanges({ changes, isShortened }: Resource, print: Output): void {
  for (const it of changes) {
    const values = it.lines ? '' : `: ${valuesOf(it)}`
    print(`  ${signs[it.action]} ${it.path}${values}`)
    for (const hunk of it.lines ?? []) {
      print(`      @@ line ${hunk.after} @@`)
      // The bar: what somebody wrote is to be no command to a CI that reads this. No more are its control characters.
      for (const line of hunk.lines) print(`      | ${line.replaceAll(/[^\P{Cc}\t]/gu, '\ufffd')}`)
    }
    if (it.moreLines) print(`      … and ${it.moreLines} more lines`)
  }
  if (isShortened) print('  … and more')
}

function valuesOf({ action, before, after, previousIndex = 0, newIndex = 0 }: Change): string {
  const shown = (value: unknown) => JSON.stringify(value)
  switch (action) {
    case 'added':
      return shown(after)
    case 'deleted':
      return shown(before)
    case 'moved':
      return `from place ${previousIndex + 1} to ${newIndex + 1}`
    case 'modified':
      return `${shown(before)} → ${shown(after)}`
  }
}
