import type { Static } from 'typebox'
import type { ActorName } from '../../store/access/actor-names.ts'
import type { PublicationRow } from '../../store/publishing/publications.ts'
import { idOf, keyOf, nameOf, type ResourceKind, resourceKinds } from './differences.ts'
import type { Chosen } from './plan.ts'
import type { Published } from './publish.ts'
import { type publicationSchema, type publishedSchema, resourceType } from './publishing-json.ts'

type Named = { kind: ResourceKind; key: string; name: string }
const words = { added: 'created', modified: 'updated', deleted: 'deleted' } as const

/** `chosen`: what was asked for; all of it is answered, also what needed no change. */
export function toPublishedJson(
  it: Published,
  { chosen, dryRun }: { chosen: readonly Chosen[] | null; dryRun: boolean },
): Static<typeof publishedSchema> {
  const done = new Set(it.planned.map(idOf))
  const kept = it.kept.map(({ difference, reason }) => ({ ...difference, reason }))
  const skipped = [...kept, ...unchanged(it, chosen, new Set([...done, ...kept.map(idOf)]))]
  const toSynced = ({ kind, key, name }: Named) => ({ resourceType, kind, resourceId: key, resourceName: name })
  const results = resourceKinds.flatMap((kind) => {
    const own = it.planned.filter((planned) => planned.kind === kind)
    const left = skipped.filter((other) => other.kind === kind)
    const totalProcessed = own.length + left.length
    // Clients look for workflows.
    if (totalProcessed === 0 && kind !== 'workflow') return []
    const successful = own.map((planned) => ({ ...toSynced(planned), action: words[planned.action] }))
    const skipped_ = left.map((other) => ({ ...toSynced(other), reason: other.reason }))
    return [{ resourceType, kind, successful, failed: [], skipped: skipped_, totalProcessed }]
  })
  return {
    results,
    summary: {
      resources: it.planned.length + skipped.length,
      successful: it.planned.length,
      failed: 0,
      skipped: skipped.length,
    },
    dryRun,
    fingerprint: it.fingerprint,
    ...(it.publicationId !== null && { publicationId: it.publicationId }),
  }
}

function unchanged(
  { source, target, differences }: Published,
  chosen: readonly Chosen[] | null,
  named: ReadonlySet<string>,
): (Named & { reason: string })[] {
  const differing = new Map(differences.map((it) => [idOf(it), it]))
  const heads = new Map(
    [target, source].flatMap((side) =>
      [...side.workflows, ...side.layouts, ...side.words].map((head) => {
        const it = { kind: head.kind, key: keyOf(head), name: nameOf(head) }
        return [idOf(it), it] as const
      }),
    ),
  )
  const asked = new Set((chosen ?? []).flatMap(({ kind, key }) => (kind ? idOf({ kind, key }) : key)))
  const isAsked = (it: Named) => chosen === null || asked.has(idOf(it)) || asked.has(it.key)
  return [...heads].flatMap(([id, it]) => {
    if (named.has(id) || !isAsked(it)) return []
    if (!differing.has(id)) return [{ ...it, reason: 'unchanged' }]
    return chosen === null ? [{ ...it, reason: 'only in the target: it stays unless it is chosen' }] : []
  })
}

export function toPublicationJson(
  it: PublicationRow,
  names: ReadonlyMap<string, ActorName>,
): Static<typeof publicationSchema> {
  return {
    _id: it.id,
    ...(it.sourceId !== null && { sourceEnvironmentId: it.sourceId }),
    ...(it.sourceName !== null && { sourceName: it.sourceName }),
    ...(it.restoredId !== null && {
      restored: { publicationId: it.restoredId, state: it.restoredState ?? 'after' },
    }),
    ...(it.note !== null && { note: it.note }),
    summary: it.summary,
    createdAt: it.createdAt.toISOString(),
    ...(it.createdBy !== null && {
      createdBy: { _id: it.createdBy, ...names.get(it.createdBy) },
    }),
  }
}
