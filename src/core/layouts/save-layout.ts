import { type Static, Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { freeSlug } from '../../lib/free-slug.ts'
import { fields, nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import { nextEdition } from '../../store/wording/editions.ts'
import {
  findDefaultLayout,
  findLayout,
  type LayoutRow,
  type LayoutVersion,
  listLayoutIdentifiers,
  listLayoutUsers,
  lockForDeletion,
  lockLayouts,
  saveLayoutVersions,
} from '../../store/wording/layouts.ts'
import { noteChange } from '../record/note-change.ts'
import { dropTranslations } from '../translations/save-translations.ts'
import { toLayoutContent } from './compile-layout.ts'
import { type LayoutDefinition, toLayoutDefinition } from './layout.ts'

export const layoutId = Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })
export const layoutName = Type.String({ minLength: 1, maxLength: 255 })

/** A document of blocks may also come as the object itself. */
const body = Type.Unsafe<string | Record<string, unknown> | null>({ type: ['string', 'object', 'null'] })
const emailValues = fields({ body: Type.Optional(body), editorType: Type.Optional(oneOf(['html', 'block'])) })

/** As the public client sends it; `isDefault` is our addition. */
export const layoutInput = {
  name: layoutName,
  isTranslationEnabled: Type.Optional(Type.Boolean()),
  isDefault: Type.Optional(
    Type.Boolean({
      description: 'Around every e-mail whose step names no layout. The one that was it is so no longer.',
    }),
  ),
  controlValues: Type.Optional(nullable(fields({ email: Type.Optional(nullable(emailValues)) }))),
}
export type LayoutInput = Static<ReturnType<typeof fields<typeof layoutInput>>>

/** A layout as it is now. */
export type CurrentLayout = Omit<LayoutRow, 'definition'> & { definition: LayoutDefinition }

type Scope = { db: Db; env: Env; now: Date }

export function toCurrentLayout({ definition, ...row }: LayoutRow): CurrentLayout {
  const found = toLayoutDefinition(definition)
  if (!found) throw new Error(`layout ${row.id} has no definition`)
  return { ...row, definition: found }
}

export async function getLayout(db: Db, env: Env, ref: string): Promise<CurrentLayout> {
  const row = await findLayout(db, env, ref)
  if (!row) throw new ApiError('layout_not_found')
  return toCurrentLayout(row)
}

// All of those in force are known to every worker that sends.
export const mostLayouts = 100

/** Without controlValues it is only a place for the body. Not the default unless that is said. */
export async function createLayout(scope: Scope, identifier: string, input: LayoutInput): Promise<CurrentLayout> {
  const content = toLayoutContent(input.controlValues?.email ?? null)
  const definition = { name: input.name, isTranslationEnabled: input.isTranslationEnabled ?? false, ...content }
  await lockLayouts(scope.db, scope.env)
  refuseTaken(identifier, await listLayoutIdentifiers(scope.db, scope.env))
  return insert(scope, identifier, definition, input.isDefault ?? false)
}

function refuseTaken(identifier: string, taken: readonly string[]): void {
  if (taken.includes(identifier)) throw new ApiError('layout_exists')
  if (taken.length >= mostLayouts) throw new ApiError('too_many_layouts')
}

function insert(scope: Scope, identifier: string, definition: LayoutDefinition, isDefault: boolean) {
  return write(scope, { id: uuid7(scope.now), identifier, isDefault, definition })
}

/** Never the default. Without a layoutId it gets one by its name. */
export async function duplicateLayout(
  scope: Scope,
  ref: string,
  input: { name: string; layoutId?: string | undefined; isTranslationEnabled?: boolean | undefined },
): Promise<CurrentLayout> {
  const { db, env } = scope
  await lockLayouts(db, env)
  const { definition } = await getLayout(db, env, ref)
  const taken = await listLayoutIdentifiers(db, env)
  const identifier = input.layoutId?.trim() ?? freeSlug(input.name, 'layout', new Set(taken))
  refuseTaken(identifier, taken)
  const { name, isTranslationEnabled = definition.isTranslationEnabled } = input
  return insert(scope, identifier, { ...definition, name, isTranslationEnabled }, false)
}

/** What is not given stays; `controlValues` null: only a place for the body. Saving the same again is no change. */
export async function updateLayout(scope: Scope, ref: string, input: LayoutInput): Promise<CurrentLayout> {
  const { db, env } = scope
  const { controlValues } = input
  const content = controlValues === undefined ? null : toLayoutContent(controlValues?.email ?? null)
  await lockLayouts(db, env)
  const before = await getLayout(db, env, ref)
  const { isTranslationEnabled = before.definition.isTranslationEnabled, isDefault = before.isDefault } = input
  const definition = { ...before.definition, ...content, name: input.name, isTranslationEnabled }
  if (isSameLayout(definition, before.definition) && isDefault === before.isDefault) return before
  return write(scope, { id: before.id, identifier: before.identifier, isDefault, definition }, before)
}

export function isSameLayout(a: LayoutDefinition, b: LayoutDefinition): boolean {
  return canonicalJson(asSent(a)) === canonicalJson(asSent(b))
}

/** Without what we add: a better compiler alone makes no new version. */
function asSent({ compiled: _made, ...definition }: LayoutDefinition): Omit<LayoutDefinition, 'compiled'> {
  return definition
}

/** One edition for all that changes: where this one becomes the default, another one ceases to be it. */
async function write(
  { db, env, now }: Scope,
  row: Pick<CurrentLayout, 'id' | 'identifier' | 'isDefault' | 'definition'>,
  before?: CurrentLayout,
): Promise<CurrentLayout> {
  const former = row.isDefault ? await findDefaultLayout(db, env) : null
  const edition = await nextEdition(db, env, now)
  const ceases = former && former.id !== row.id ? [toVersion({ ...toCurrentLayout(former), isDefault: false })] : []
  const version = toVersion(row)
  await saveLayoutVersions(db, env, edition, [...ceases, version], now)
  noteChange(
    db,
    { type: 'layout', id: row.id, name: row.identifier },
    { before: before && noted(before), after: noted(row) },
  )
  return { ...row, name: version.name, edition, updatedAt: now, updatedBy: env.keyId || null }
}

function toVersion({
  id,
  identifier,
  isDefault,
  definition,
}: Pick<CurrentLayout, 'id' | 'identifier' | 'isDefault' | 'definition'>): LayoutVersion {
  return { id, identifier, name: definition.name, isDefault, definition: JSON.stringify(definition) }
}

function noted({ isDefault, definition }: Pick<CurrentLayout, 'isDefault' | 'definition'>) {
  return { isDefault, ...asSent(definition) }
}

/** Refused while it is the default, or while a workflow names it. What runs goes on with it. */
export async function deleteLayout({ db, env, now }: Scope, ref: string): Promise<void> {
  await lockLayouts(db, env)
  const { id, identifier, name, isDefault } = await getLayout(db, env, ref)
  if (isDefault) throw new ApiError('layout_is_default')
  // From here on no workflow can be saved that names it.
  await lockForDeletion(db, env, id)
  const users = await listLayoutUsers(db, env, { identifier, isDefault: false })
  if (users.length > 0) {
    const named = users.slice(0, 10).map(({ workflowId }) => workflowId)
    const more = users.length > named.length ? ` and ${users.length - named.length} more` : ''
    const message = `These workflows name this layout; change them first: ${named.join(', ')}${more}.`
    throw new ApiError('layout_in_use', { message, existing: { workflows: users.slice(0, 100) } })
  }
  await dropTranslations(db, env, { type: 'layout', id, identifier }, now)
  const edition = await nextEdition(db, env, now)
  await saveLayoutVersions(db, env, edition, [{ id, identifier, name, isDefault: false, definition: null }], now)
  noteChange(db, { type: 'layout', id, name: identifier }, { before: { name } })
}
