import { type Static, Type } from 'typebox'
import { validationFailed } from '../../errors.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { oneOf } from '../../lib/schemas.ts'
import { sha256 } from '../../lib/seal.ts'
import type { Db } from '../../store/database.ts'
import { type AnyHead, currentManifest } from '../../store/publishing/heads.ts'
import { switchWorkflows } from '../../store/publishing/write-workflows.ts'
import { keyOf } from '../publishing/differences.ts'
import { checkLimits } from '../publishing/plan.ts'
import { lock, type PublishScope } from '../publishing/publish.ts'
import { changeSchema, resourceType } from '../publishing/publishing-json.ts'
import { writePlan } from '../publishing/write.ts'
import { noteChanges } from '../record/note-change.ts'
import { type Item, prepareContent } from './prepare-content.ts'

export const appliedSchema = Type.Object(
  {
    dryRun: Type.Boolean(),
    resources: Type.Array(
      Type.Object({
        kind: oneOf(['workflow', 'layout', 'translation']),
        resourceId: Type.String(),
        action: oneOf(['added', 'modified', 'unchanged']),
        changes: Type.Array(changeSchema),
        isShortened: Type.Boolean({ description: 'There are more changes than are shown.' }),
        warnings: Type.Array(Type.String({ description: 'What of its blocks is not sent as it stands there.' })),
      }),
      { description: 'In the order of the request.' },
    ),
    summary: Type.Object({ added: Type.Integer(), modified: Type.Integer(), unchanged: Type.Integer() }),
  },
  { title: 'AppliedContent' },
)
export type Applied = Static<typeof appliedSchema>

/**
 * Makes workflows, layouts and words what files say, all of it or nothing. What no file names stays. Throws 422 with the
 * faults of every entry.
 */
export async function applyContent(
  scope: PublishScope,
  values: readonly unknown[],
  { dryRun }: { dryRun: boolean },
): Promise<Applied> {
  const { ctx, db, env, now, outside } = scope
  if (!dryRun) await lock(scope)
  const manifest = await currentManifest(db, env)
  // If somebody has changed it when the transaction begins again, it is compared again.
  const key = `content ${sha256(canonicalJson(manifest)).toString('hex')}`
  const prepared = await outside(key, () => prepareContent(ctx, env, values, manifest))
  if (Object.keys(prepared.faults).length > 0) throw validationFailed(prepared.faults)
  const { side, items } = prepared
  const planned = items.flatMap(({ difference }) => difference ?? [])
  checkLimits(side, planned)
  if (!dryRun) {
    const told = { made: 'workflow.created', changed: 'workflow.updated' } as const
    const read = async () => prepared.contents
    const written = await writePlan({ db, env, now, read }, planned, { target: side, putsBack: false, told })
    await switchThem(scope, items, side.workflows)
    noteItems(db, items, [...side.workflows, ...written])
  }
  const resources = items.map(toJson)
  const count = (action: (typeof resources)[number]['action']) => resources.filter((it) => it.action === action).length
  return {
    dryRun,
    resources,
    summary: { added: count('added'), modified: count('modified'), unchanged: count('unchanged') },
  }
}

async function switchThem(
  { db, env, now }: PublishScope,
  items: readonly Item[],
  workflows: readonly { id: string; identifier: string }[],
): Promise<void> {
  const ids = new Map(workflows.map((it) => [it.identifier, it.id]))
  const rows = items.flatMap(({ entry, switchTo, difference }) => {
    const id = switchTo === null ? undefined : ids.get(entry.key)
    // Of a new version endpoints have been told.
    return id === undefined || switchTo === null ? [] : [{ id, active: switchTo, isTold: difference !== null }]
  })
  if (rows.length > 0) await switchWorkflows(db, env, rows, now)
}

/** For the record of changes. */
function noteItems(db: Db, items: readonly Item[], heads: readonly AnyHead[]): void {
  const ids = new Map(heads.map((head) => [`${head.kind} ${keyOf(head)}`, head.id]))
  for (const item of items) {
    const { kind, resourceId, action, changes } = toJson(item)
    if (action === 'unchanged') continue
    const id = ids.get(`${kind} ${resourceId}`) ?? resourceId
    noteChanges(
      db,
      { type: kind, id: kind === 'translation' ? resourceId : id, name: resourceId },
      changes.map(toNoted),
    )
  }
}

function toNoted({ path, before, after, lines }: Applied['resources'][number]['changes'][number]) {
  const having = (sign: string) =>
    lines?.flatMap((hunk) => hunk.lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1))).join('\n')
  return { path, before: before ?? having('-'), after: after ?? having('+') }
}

function toJson({ entry, difference, changes, isShortened, warnings, switchTo }: Item): Applied['resources'][number] {
  const { kind, key } = entry
  const switched =
    switchTo === null ? [] : [{ path: 'active', action: 'modified' as const, before: !switchTo, after: switchTo }]
  const action = difference?.action === 'added' ? 'added' : difference || switchTo !== null ? 'modified' : 'unchanged'
  const all = [...changes, ...switched].map((change) => ({ resourceType, ...change }))
  return { kind, resourceId: key, action, changes: all, isShortened, warnings }
}
