import { chunks, chunksByWeight, createPauses } from '../../lib/chunks.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import { type Contents, readContents } from '../../store/publishing/contents.ts'
import { type AnyHead, headKey, type LayoutHead, type Side } from '../../store/publishing/heads.ts'
import {
  deleteWorkflows,
  findStepIds,
  insertWorkflows,
  updateWorkflows,
  type WorkflowUpdate,
} from '../../store/publishing/write-workflows.ts'
import type { EventType } from '../../store/webhooks/event-types.ts'
import { tellOfWorkflows } from '../../store/webhooks/tell.ts'
import { nextEdition } from '../../store/wording/editions.ts'
import { type LayoutVersion, saveLayoutVersions } from '../../store/wording/layouts.ts'
import { insertTranslations, type NewTranslation } from '../../store/wording/translations.ts'
import { insertVersions, listWorkflowsById, type NewVersion } from '../../store/workflows.ts'
import type { Difference } from './differences.ts'

/** `read`: the contents of sources, asked for in portions. */
type Scope = { db: Db; env: Env; now: Date; read(sources: readonly AnyHead[]): Promise<Contents> }

/** What endpoints hear of workflows that are new, and of others. */
type Told = { made: EventType; changed: EventType }
const published: Told = { made: 'workflow.published', changed: 'workflow.published' }

/** What of the default layout changes only because another one becomes it. */
export function formerDefault(layouts: readonly LayoutHead[], planned: readonly Difference[]): LayoutHead | null {
  const former = layouts.find((it) => it.isDefault)
  const isReplaced = planned.some((it) => it.kind === 'layout' && it.source?.isDefault)
  const isPlanned = planned.some((it) => it.kind === 'layout' && it.target === former)
  return former && isReplaced && !isPlanned ? former : null
}

/**
 * Makes the target what the source is, as far as it is planned: new versions of workflows, and one edition for all the
 * rest. `putsBack`: the source is an earlier state of the same environment. Returns what stands there now.
 */
export async function writePlan(
  scope: Scope,
  planned: readonly Difference[],
  { target, putsBack, told = published }: { target: Side; putsBack: boolean; told?: Told },
): Promise<AnyHead[]> {
  const ids: Ids = new Map([...target.workflows, ...target.layouts].map((it) => [`${it.kind} ${it.identifier}`, it.id]))
  await writeWorkflows(scope, planned, { ids, putsBack, told })
  const ceases = formerDefault(target.layouts, planned)
  const inEdition = planned.filter(({ kind }) => kind !== 'workflow')
  if (inEdition.length > 0 || ceases) {
    const locale = planned.find((it) => it.kind === 'setting')?.source
    const edition = await nextEdition(scope.db, scope.env, scope.now, locale)
    await writeLayouts(scope, edition, planned, { ceases, putsBack, ids })
    await writeWords(scope, edition, planned, ids)
  }
  return planned.flatMap((it): AnyHead[] => {
    if (it.kind === 'setting' || !it.source) return []
    return [{ ...it.source, id: idIn(ids, it.source) }]
  })
}

/** Of workflows and layouts in the target, by kind and identifier. */
type Ids = Map<string, string>

/** Of words, what they belong to. */
function idIn(ids: Ids, head: AnyHead): string {
  const [kind, identifier] =
    head.kind === 'translation' ? [head.owner, head.ownerIdentifier] : [head.kind, head.identifier]
  const id = ids.get(`${kind} ${identifier}`)
  if (id === undefined) throw new Error(`the ${kind} ${identifier} is not in the target`)
  return id
}

// A statement with more text than this would hold up others while it is made.
const mostChars = 1024 * 1024

async function writeWorkflows(
  scope: Scope,
  planned: readonly Difference[],
  { ids, putsBack, told }: { ids: Ids; putsBack: boolean; told: Told },
): Promise<void> {
  const { db, env, now } = scope
  const all = planned.flatMap((it) => (it.kind === 'workflow' ? [it] : []))
  const gone = all.flatMap((it) => (it.source ? [] : (it.target?.id ?? [])))
  if (gone.length > 0) await deleteWorkflows(db, env, gone, now)
  const given = all.flatMap(({ key, source, target }) => (source ? [{ key, source, target }] : []))
  const lasting = given.map(({ source, target }) => target?.id ?? (putsBack ? source.id : null))
  const known = lasting.filter((id) => id !== null)
  const stepIds = await findStepIds(db, env, known)
  const rows = new Map((await listWorkflowsById(db, env, known)).map((row) => [row.id, row]))

  const made: { id: string; identifier: string; name: string; active: boolean }[] = []
  const changed: WorkflowUpdate[] = []
  const versions: (NewVersion & { size: number; source: AnyHead })[] = []
  for (const [index, { key, source, target }] of given.entries()) {
    const row = rows.get(lasting[index] ?? '')
    const id = row?.id ?? uuid7(now)
    ids.set(`workflow ${key}`, id)
    // What comes back as it was when it was deleted needs no version.
    const isThere = putsBack && row?.id === source.id && row.version === source.version
    const version = row ? row.version + (isThere ? 0 : 1) : 1
    if (!row) made.push({ id, identifier: key, name: source.name, active: source.active })
    else changed.push({ id, name: source.name, version, active: target ? null : source.active })
    if (!isThere) versions.push({ id, version, definition: '', size: source.size, source })
  }
  if (made.length > 0) await insertWorkflows(db, env, made, now)
  if (changed.length > 0) await updateWorkflows(db, env, changed, now)
  await writeVersions(scope, versions, stepIds, putsBack)
  const events = [
    ...made.map(({ id }) => ({ id, type: told.made })),
    ...changed.map(({ id }) => ({ id, type: told.changed })),
    ...gone.map((id) => ({ id, type: 'workflow.deleted' as const })),
  ]
  for (const page of chunks(events, 500)) await tellOfWorkflows(db, env, page, now)
}

async function writeVersions(
  { db, env, now, read }: Scope,
  versions: readonly (NewVersion & { size: number; source: AnyHead })[],
  stepIds: ReadonlyMap<string, ReadonlyMap<string, string>>,
  putsBack: boolean,
): Promise<void> {
  const pause = createPauses()
  for (const portion of chunksByWeight(versions, mostChars, ({ size }) => size)) {
    const contents = await read(portion.map(({ source }) => source))
    const rows: NewVersion[] = []
    for (const { id, version, source } of portion) {
      const text = contentOf(contents, source)
      const isOwn = putsBack && source.id === id
      rows.push({ id, version, definition: isOwn ? text : withStepIds(text, stepIds.get(id) ?? new Map(), now) })
      await pause()
    }
    await insertVersions(db, env, rows, now)
  }
}

function contentOf(contents: Contents, head: AnyHead): string {
  const text = contents.get(headKey(head))
  if (text === undefined) throw new Error(`the content of ${headKey(head)} was not read`)
  return text
}

/** Steps keep the ids that they have in this environment; new ones get their own. */
function withStepIds(text: string, known: ReadonlyMap<string, string>, now: Date): string {
  // Written by us, from a validated definition.
  const definition = JSON.parse(text) as { steps: { stepId: string }[] }
  const steps = definition.steps.map((step) => ({ ...step, id: known.get(step.stepId) ?? uuid7(now) }))
  return JSON.stringify({ ...definition, steps })
}

async function writeLayouts(
  { db, env, now, read }: Scope,
  edition: number,
  planned: readonly Difference[],
  { ceases, putsBack, ids }: { ceases: LayoutHead | null; putsBack: boolean; ids: Ids },
): Promise<void> {
  const rows = planned.flatMap((it) => {
    if (it.kind !== 'layout') return []
    const { key, source, target } = it
    const { name, isDefault } = source ?? { name: it.name, isDefault: false }
    const id = target?.id ?? (putsBack && source ? source.id : uuid7(now))
    ids.set(`layout ${key}`, id)
    return [{ id, identifier: key, name, isDefault, source }]
  })
  if (ceases) {
    const { id, identifier, name } = ceases
    const definition = contentOf(await readContents(db, env, [ceases]), ceases)
    await saveLayoutVersions(db, env, edition, [{ id, identifier, name, isDefault: false, definition }], now)
  }
  // Who ceases to be the default comes before who becomes it, in another statement or in this one.
  const ordered = rows.toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault))
  for (const portion of chunksByWeight(ordered, mostChars, ({ source }) => source?.size ?? 0)) {
    const contents = await read(portion.flatMap(({ source }) => source ?? []))
    const versions = portion.map(({ source, ...row }): LayoutVersion => {
      return { ...row, definition: source && contentOf(contents, source) }
    })
    await saveLayoutVersions(db, env, edition, versions, now)
  }
}

async function writeWords(
  { db, env, now, read }: Scope,
  edition: number,
  planned: readonly Difference[],
  ids: Ids,
): Promise<void> {
  const words = planned.flatMap((it) => (it.kind === 'translation' ? [it] : []))
  for (const portion of chunksByWeight(words, mostChars, ({ source }) => source?.size ?? 0)) {
    const contents = await read(portion.flatMap(({ source }) => source ?? []))
    const rows = portion.flatMap(({ source, target }): NewTranslation[] => {
      const head = source ?? target
      if (!head) return []
      const content = source && contentOf(contents, source)
      return [{ resourceType: head.owner, resourceId: idIn(ids, head), locale: head.locale, content }]
    })
    await insertTranslations(db, env, edition, rows, now)
  }
}
