import { isPlainObject } from '../../lib/canonical-json.ts'
import { chunksByWeight, createPauses } from '../../lib/chunks.ts'
import type { ActorName } from '../../store/access/actor-names.ts'
import type { Contents } from '../../store/publishing/contents.ts'
import { type AnyHead, headKey } from '../../store/publishing/heads.ts'
import { toLayoutDefinition } from '../layouts/layout.ts'
import type { WorkflowDefinition } from '../workflows/workflow.ts'
import { type Change, type Changes, changesOfLayout, changesOfObject, changesOfWorkflow } from './changes.ts'
import { type Difference, nameOf } from './differences.ts'
import { type ResourceDiffJson, resourceType } from './publishing-json.ts'

type Read = (heads: readonly AnyHead[]) => Promise<Contents>
type Names = ReadonlyMap<string, ActorName>
type Shown = Pick<ResourceDiffJson, 'needs' | 'warnings' | 'dependencies'>

// Of both sides, for one look; and of all that is answered. The rest is listed without its lines.
const portionChars = 4 * 1024 * 1024
const mostRead = 48 * 1024 * 1024
const mostAnswered = 1_500_000

/** Line by line what differs. Others have their turns meanwhile, and no transaction need be open. */
export async function showDifferences(
  differences: readonly Difference[],
  read: { source: Read; target: Read; names: Names },
  about: (it: Difference) => Shown,
): Promise<ResourceDiffJson[]> {
  const pause = createPauses()
  const shown: ResourceDiffJson[] = []
  let [readChars, answered] = [0, 0]
  for (const portion of chunksByWeight(differences, portionChars, weigh)) {
    const sides = portion.map((it) => (isCompared(it) ? it : null))
    const weight = portion.reduce((sum, it) => sum + weigh(it), 0)
    const isTooMuch = answered > mostAnswered || (weight > 0 && readChars + weight > mostRead)
    if (!isTooMuch) readChars += weight
    const [source, target] = isTooMuch
      ? [new Map(), new Map()]
      : [
          await read.source(sides.flatMap((it) => it?.source ?? [])),
          await read.target(sides.flatMap((it) => it?.target ?? [])),
        ]
    for (const it of portion) {
      const isLeftOut = isTooMuch || answered > mostAnswered
      const found = isLeftOut && isCompared(it) ? { changes: [], isShortened: true } : changesOf(it, { source, target })
      answered += JSON.stringify(found.changes).length
      shown.push({ ...toResourceJson(it, found, read.names), ...about(it) })
      await pause()
    }
  }
  return shown
}

type Compared = Extract<Difference, { kind: 'workflow' | 'layout' | 'translation' }> & { action: 'modified' }

/** What is new or gone is not shown line by line. */
function isCompared(it: Difference): it is Compared {
  return it.kind !== 'setting' && it.action === 'modified'
}

function weigh(it: Difference): number {
  return isCompared(it) ? (it.source?.size ?? 0) + (it.target?.size ?? 0) : 0
}

function changesOf(it: Difference, contents: { source: Contents; target: Contents }): Changes {
  if (it.kind === 'setting') {
    return { changes: [{ path: it.key, action: 'modified', before: it.target, after: it.source }], isShortened: false }
  }
  if (!it.source || !it.target) {
    const change: Change = { path: '', action: it.action, ...(it.source ? { after: it.name } : { before: it.name }) }
    return { changes: [change], isShortened: false }
  }
  const after = parse(contents.source, it.source)
  const before = parse(contents.target, it.target)
  switch (it.kind) {
    case 'workflow':
      // Written by us, from validated definitions.
      return changesOfWorkflow(before as WorkflowDefinition, after as WorkflowDefinition)
    case 'layout': {
      const [was, is] = [toLayoutDefinition(before), toLayoutDefinition(after)]
      if (!was || !is) throw new Error(`the layout ${it.key} has no definition`)
      return changesOfLayout({ ...was, isDefault: it.target.isDefault }, { ...is, isDefault: it.source.isDefault })
    }
    case 'translation':
      return changesOfObject(isPlainObject(before) ? before : {}, isPlainObject(after) ? after : {})
  }
}

function parse(contents: Contents, head: AnyHead): unknown {
  const text = contents.get(headKey(head))
  if (text === undefined) throw new Error(`the content of ${headKey(head)} was not read`)
  return JSON.parse(text)
}

function toResourceJson(
  it: Difference,
  { changes, isShortened }: Changes,
  names: Names,
): Omit<ResourceDiffJson, keyof Shown> {
  const count = (...actions: Change['action'][]) => changes.filter(({ action }) => actions.includes(action)).length
  const [source, target] = it.kind === 'setting' ? [null, null] : [it.source, it.target]
  return {
    resourceType,
    kind: it.kind,
    resourceId: it.key,
    name: it.name,
    action: it.action,
    onlyIfChosen: it.onlyIfChosen,
    sourceResource: source && toSideJson(source, names),
    targetResource: target && toSideJson(target, names),
    changes: it.onlyIfChosen ? [] : changes.map((change) => ({ resourceType, ...change })),
    isShortened,
    summary: it.onlyIfChosen
      ? { added: 0, modified: 0, deleted: 0, unchanged: 1 }
      : { added: count('added'), modified: count('modified', 'moved'), deleted: count('deleted'), unchanged: 0 },
  }
}

function toSideJson(head: AnyHead, names: Names) {
  const { updatedAt, updatedBy } = head
  return {
    id: head.kind === 'translation' ? null : head.identifier,
    name: nameOf(head),
    updatedAt: updatedAt === null ? null : new Date(updatedAt).toISOString(),
    updatedBy: updatedBy === null ? null : { _id: updatedBy, firstName: names.get(updatedBy)?.name ?? '' },
  }
}

/** Who made them, for `names`. */
export function authorsOf(differences: readonly Difference[]): (string | null)[] {
  return differences.flatMap((it) =>
    it.kind === 'setting' ? [] : [it.source?.updatedBy ?? null, it.target?.updatedBy ?? null],
  )
}
