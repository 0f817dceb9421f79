import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { chunksByWeight } from '../../lib/chunks.ts'
import { uuid7, uuid7Time } from '../../lib/uuid7.ts'
import { listOfOrganization } from '../../store/access/environments.ts'
import { type Db, type Env, lockNotAvailable, type Outside, sqlState } from '../../store/database.ts'
import { type Contents, readContents } from '../../store/publishing/contents.ts'
import { type AnyHead, currentManifest, loadSide, type Side } from '../../store/publishing/heads.ts'
import {
  type ChangeSummary,
  cameFrom,
  insertPublication,
  lastPublicationId,
  lockForPublishing,
  type NewPublication,
  notePublished,
  type PublishedChange,
} from '../../store/publishing/publications.ts'
import { refuseUnless } from '../access/permissions.ts'
import { pickReachable } from '../access/reach.ts'
import { noteChanges } from '../record/note-change.ts'
import { type Difference, findDifferences, fingerprintOf } from './differences.ts'
import { type Chosen, makePlan, type Plan } from './plan.ts'
import { formerDefault, writePlan } from './write.ts'

/** `env`: the target. */
export type PublishScope = { ctx: Ctx; db: Db; env: Env; now: Date; outside: Outside }

export type PublishInput = {
  chosen: readonly Chosen[] | null
  dryRun: boolean
  note: string | null
  /** Of the diff that somebody looked at. */
  fingerprint: string | null
}

export type Published = Plan & {
  source: Side
  target: Side
  differences: readonly Difference[]
  fingerprint: string
  /** Null: nothing was to be done, or it was only tried. */
  publicationId: string | null
}

/** The source and its name: the parent of the target, unless one is named. Throws for who may not publish. */
export async function getSource(db: Db, env: Env, named: string | undefined): Promise<{ env: Env; name: string }> {
  const all = await listOfOrganization(db, env.organizationId)
  const wanted = named ?? all.find(({ id }) => id === env.environmentId)?.parentId
  if (!wanted) throw invalidField('sourceEnvironmentId', 'is required: this environment has no parent')
  const found = pickReachable(all, env, wanted)
  if (!found || found.deletedAt !== null) throw new ApiError('environment_not_found')
  if (found.isElsewhere) throw new ApiError('environment_elsewhere')
  if (found.id === env.environmentId) {
    throw invalidField('sourceEnvironmentId', 'must be another environment than the one that is published to', named)
  }
  const source = { ...env, environmentId: found.id }
  refuseUnless(source, 'read')
  return { env: source, name: found.name }
}

/** All that an environment holds now. */
export async function readNow(db: Db, env: Env): Promise<Side> {
  return loadSide(db, env, await currentManifest(db, env))
}

/** Everything that is planned, or nothing, in the transaction of the target. */
export async function publish(
  scope: PublishScope,
  { env: from, name }: { env: Env; name: string },
  input: PublishInput,
): Promise<Published> {
  const { ctx, db, env, outside } = scope
  // Within the target's transaction nobody sees another environment.
  const source = await outside('source', () => ctx.database.read(from, (read) => readNow(read, from)))
  if (!input.dryRun) await lock(scope)
  const target = await readNow(db, env)
  const differences = findDifferences(source, target, await cameFrom(db, env, from.environmentId))
  const made = { source, target, differences, sourceId: from.environmentId }
  const planned = judge(made, input)
  if (input.dryRun || planned.planned.length === 0) return planned
  // What was read before is read again only if the target has changed since.
  const key = `contents ${fingerprintOf('', planned.planned)}`
  const given = sourcesOf(planned.planned)
  const contents = await outside(key, () => ctx.database.read(from, (read) => readBounded(read, from, given)))
  const written = await write(
    scope,
    planned,
    { read: async () => contents, putsBack: false, from: { sourceId: from.environmentId, sourceName: name } },
    input,
  )
  await notePublished(db, env, from.environmentId, written.heads)
  return { ...planned, publicationId: written.id }
}

/** Somebody else publishes to it, or changes it by hand: they go one after the other. */
export async function lock({ db, env }: Pick<PublishScope, 'db' | 'env'>): Promise<void> {
  await lockForPublishing(db, env).catch((error: unknown) => {
    throw sqlState(error) === lockNotAvailable ? new ApiError('environment_busy', { retryAfterSeconds: 1 }) : error
  })
}

type Judged = { source: Side; target: Side; differences: readonly Difference[]; sourceId: string }

export function judge({ sourceId, ...sides }: Judged, { chosen, fingerprint }: PublishInput): Published {
  const shown = fingerprintOf(sourceId, sides.differences)
  if (fingerprint !== null && fingerprint !== shown) throw new ApiError('publication_stale')
  return { ...sides, ...makePlan(sides, chosen), fingerprint: shown, publicationId: null }
}

function sourcesOf(planned: readonly Difference[]): AnyHead[] {
  return planned.flatMap((it) => (it.kind === 'setting' ? [] : (it.source ?? [])))
}

// All of it is in memory until it is written.
const mostChars = 64 * 1024 * 1024
const portionChars = 4 * 1024 * 1024

async function readBounded(db: Db, env: Env, heads: readonly AnyHead[]): Promise<Contents> {
  const size = heads.reduce((sum, head) => sum + head.size, 0)
  if (size > mostChars) {
    throw invalidField('resources', `hold more than ${mostChars / 1024 / 1024} MB together: publish them in parts`)
  }
  const found = new Map<string, string>()
  for (const portion of chunksByWeight(heads, portionChars, (head) => head.size)) {
    for (const [key, text] of await readContents(db, env, portion)) found.set(key, text)
  }
  return found
}

type Writing = {
  read(sources: readonly AnyHead[]): Promise<Contents>
  putsBack: boolean
  from: Pick<NewPublication, 'sourceId' | 'sourceName' | 'restoredId' | 'restoredState'>
}

export async function write(
  { ctx, db, env, now }: PublishScope,
  { planned, target }: Published,
  { read, putsBack, from }: Writing,
  { note }: PublishInput,
): Promise<{ id: string; heads: AnyHead[] }> {
  const ceases = formerDefault(target.layouts, planned)
  const heads = await writePlan({ db, env, now, read }, planned, { target, putsBack })
  const at = await nextTime(ctx, db, env)
  const id = uuid7(at)
  const changes = changesOf(planned, ceases)
  const [before, after] = [target.manifest, await currentManifest(db, env)]
  await insertPublication(db, env, { id, note, changes, summary: summaryOf(changes), before, after, ...from }, at)
  noteChanges(
    db,
    { type: 'publication', id, name: from.sourceName ?? null },
    changes.map(({ kind, resourceId, action }) => ({ path: `${kind} ${resourceId}`, after: action })),
  )
  return { id, heads }
}

/** Publications are listed in the order in which they were made, also those that waited for each other. */
async function nextTime(ctx: Ctx, db: Db, env: Env): Promise<Date> {
  const last = await lastPublicationId(db, env)
  return new Date(Math.max(ctx.clock().getTime(), last === null ? 0 : uuid7Time(last).getTime() + 1))
}

function changesOf(
  planned: readonly Difference[],
  ceases: { identifier: string; name: string } | null,
): PublishedChange[] {
  const changes = planned.map(({ kind, key, name, action }) => ({ kind, resourceId: key, name, action }))
  if (!ceases) return changes
  return [...changes, { kind: 'layout', resourceId: ceases.identifier, name: ceases.name, action: 'modified' }]
}

function summaryOf(changes: readonly Pick<PublishedChange, 'action'>[]): ChangeSummary {
  const count = (action: PublishedChange['action']) => changes.filter((it) => it.action === action).length
  return { added: count('added'), modified: count('modified'), deleted: count('deleted') }
}
