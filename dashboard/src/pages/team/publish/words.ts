import type { Publication, PublishedEnvironment, ResourceDiff } from '../../../api/types.ts'
import type { Tone } from '../../../ui/badge.tsx'

export type Kind = ResourceDiff['kind']

export const kinds: readonly { kind: Kind; one: string; many: string }[] = [
  { kind: 'workflow', one: 'Workflow', many: 'Workflows' },
  { kind: 'layout', one: 'Layout', many: 'Layouts' },
  { kind: 'translation', one: 'Language', many: 'Languages' },
  { kind: 'setting', one: 'Setting', many: 'Settings' },
]
export const kindWord = (kind: Kind) => kinds.find((it) => it.kind === kind)?.one ?? kind

/** What becomes of it in the target. */
export const actionWords: Record<ResourceDiff['action'], { word: string; tone: Tone }> = {
  added: { word: 'new', tone: 'ok' },
  modified: { word: 'changed', tone: 'info' },
  deleted: { word: 'removed', tone: 'bad' },
}

export const doneWords = { created: actionWords.added, updated: actionWords.modified, deleted: actionWords.deleted }

/** "2 new, 1 changed"; in the order in which people ask. */
export function countsOf({ added, modified, deleted }: Publication['summary']): string {
  const counts = [
    [added, 'new'],
    [modified, 'changed'],
    [deleted, 'removed'],
  ] as const
  const said = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return said.join(', ') || 'nothing'
}

export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

export type Step = { kind: Kind; id: string; name: string; word: string; tone: Tone }
export type Left = { kind: Kind; id: string; name: string; reason: string }

/** What was done, or would be, and what stays though it differs. */
export function stepsOf({ results }: Pick<PublishedEnvironment, 'results'>): { done: Step[]; left: Left[] } {
  const done = results.flatMap(({ kind, successful }) =>
    successful.map(({ resourceId, resourceName, action }) => ({
      kind,
      id: resourceId,
      name: resourceName,
      ...doneWords[action],
    })),
  )
  const left = results.flatMap(({ kind, skipped }) =>
    skipped.flatMap(({ resourceId, resourceName, reason }) =>
      reason === 'unchanged' ? [] : [{ kind, id: resourceId, name: resourceName, reason }],
    ),
  )
  return { done, left }
}

/** Where a publication came from. */
export function originOf({ sourceName, restored }: Pick<Publication, 'sourceName' | 'restored'>): string {
  if (restored) return `Put back: as it was ${restored.state} an earlier publication`
  return sourceName ? `From ${sourceName}` : 'Published'
}
