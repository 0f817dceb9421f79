import { sha256 } from '../../lib/seal.ts'
import type { AnyHead, LayoutHead, Side, WordsHead, WorkflowHead } from '../../store/publishing/heads.ts'
import { shownLocale } from '../translations/locales.ts'

export const resourceKinds = ['workflow', 'layout', 'translation', 'setting'] as const
export type ResourceKind = (typeof resourceKinds)[number]

/** One thing that is not the same on both sides. `target`: as it is where it would be changed. */
type Of<H> = { source: H | null; target: H | null }
export type Difference = {
  /** As people know it, in every environment: of words `workflows/order/de_AT`. */
  key: string
  name: string
  action: 'added' | 'modified' | 'deleted'
  /** It is only in the target and did not come by publishing: it stays, unless somebody wants it gone. */
  onlyIfChosen: boolean
} & (
  | ({ kind: 'workflow' } & Of<WorkflowHead>)
  | ({ kind: 'layout' } & Of<LayoutHead>)
  | ({ kind: 'translation' } & Of<WordsHead>)
  | { kind: 'setting'; source: string; target: string }
)

export const localeSetting = 'defaultLocale'

/** Of one environment and any other. */
export function keyOf(head: AnyHead): string {
  if (head.kind !== 'translation') return head.identifier
  return `${head.owner}s/${head.ownerIdentifier}/${shownLocale(head.locale)}`
}

export function nameOf(head: AnyHead): string {
  return head.kind === 'translation' ? `${head.ownerName}: ${shownLocale(head.locale)}` : head.name
}

/** In a set of both sides. */
export function idOf({ kind, key }: { kind: ResourceKind; key: string }): string {
  return `${kind} ${key}`
}

/** `cameFromSource`: of what is only in the target, whether it came by publishing from this very source. */
export function findDifferences(
  source: Side,
  target: Side,
  cameFromSource: (head: AnyHead) => boolean,
): readonly Difference[] {
  const differs = (a: AnyHead, b: AnyHead) =>
    a.hash !== b.hash || (a.kind === 'layout' && b.kind === 'layout' && a.isDefault !== b.isDefault)
  const compare = <H extends AnyHead>(from: readonly H[], to: readonly H[]) => {
    const there = new Map(to.map((head) => [keyOf(head), head]))
    const here = new Map(from.map((head) => [keyOf(head), head]))
    const given = from.flatMap((head) => {
      const other = there.get(keyOf(head)) ?? null
      if (other && !differs(head, other)) return []
      const action: Difference['action'] = other ? 'modified' : 'added'
      return [{ key: keyOf(head), name: nameOf(head), action, onlyIfChosen: false, source: head, target: other }]
    })
    const gone = to.flatMap((head) => {
      if (here.has(keyOf(head))) return []
      const action: Difference['action'] = 'deleted'
      const onlyIfChosen = !cameFromSource(head)
      return [{ key: keyOf(head), name: nameOf(head), action, onlyIfChosen, source: null, target: head }]
    })
    return [...given, ...gone]
  }
  const locales: Difference[] =
    source.defaultLocale === target.defaultLocale
      ? []
      : [
          {
            kind: 'setting',
            key: localeSetting,
            name: 'Default language',
            action: 'modified',
            onlyIfChosen: false,
            source: source.defaultLocale,
            target: target.defaultLocale,
          },
        ]
  return [
    ...compare(source.workflows, target.workflows).map((it) => ({ kind: 'workflow' as const, ...it })),
    ...compare(source.layouts, target.layouts).map((it) => ({ kind: 'layout' as const, ...it })),
    ...compare(source.words, target.words).map((it) => ({ kind: 'translation' as const, ...it })),
    ...locales,
  ]
}

/** The same as long as the same things differ in the same way: whoever looked at them publishes no others. */
export function fingerprintOf(sourceId: string, differences: readonly Difference[]): string {
  const lines = differences.map((it) => {
    const side = (head: AnyHead | string | null) =>
      head === null || typeof head === 'string' ? head : [head.hash, head.kind === 'layout' && head.isDefault]
    return JSON.stringify([it.kind, it.key, it.onlyIfChosen, side(it.source), side(it.target)])
  })
  return sha256(sourceId, ...lines.sort()).toString('hex')
}
