import { ApiError, invalidField } from '../../errors.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Db, Env } from '../../store/database.ts'
import { nextEdition } from '../../store/wording/editions.ts'
import {
  findResource,
  insertTranslations,
  listTranslations,
  type NewTranslation,
  type Resource,
  type ResourceType,
  type TranslationRow,
} from '../../store/wording/translations.ts'
import { noteChange } from '../record/note-change.ts'
import type { Content } from './judge-content.ts'

export const resourceTypes = ['workflow', 'layout'] as const
export const maxLocales = 50

/** Throws 404. `locks`: for whoever changes its translations. */
export async function getResource(
  db: Db,
  env: Env,
  { resourceType, resourceId }: { resourceType: string; resourceId: string },
  { locks = false } = {},
): Promise<Resource> {
  const type = resourceTypes.find((it) => it === resourceType)
  if (!type) throw new ApiError('translation_not_found', { message: 'Translations are those of a workflow or layout.' })
  const found = await findResource(db, env, type, resourceId, { locks })
  if (found) return found
  throw type === 'workflow' ? new ApiError('workflow_not_found') : layoutNotFound()
}

function layoutNotFound(): ApiError {
  return new ApiError('translation_not_found', { message: 'No layout has this layoutId in this environment.' })
}

type Translated = Pick<Resource, 'type' | 'id'> & Partial<Pick<Resource, 'identifier'>>
export type Change = { resource: Translated; locale: string; content: Content | null }

/**
 * All of them are one edition; what is the same as before is no change. The resources must be locked. Returns what was
 * changed.
 */
export async function saveTranslations(db: Db, env: Env, changes: readonly Change[], now: Date): Promise<Change[]> {
  if (changes.length === 0) return []
  const resources = [...new Map(changes.map(({ resource }) => [keyOf(resource), resource])).values()]
  const current = new Map((await listTranslations(db, env, resources)).map((row) => [rowKey(row), row]))
  const made = changes.filter(({ resource, locale, content }) => {
    const before = current.get(`${keyOf(resource)} ${locale}`)?.content ?? null
    return canonicalJson(before) !== canonicalJson(content)
  })
  for (const resource of resources) refuseMany(resource, [...current.values()], made)
  if (made.length === 0) return []
  const edition = await nextEdition(db, env, now)
  await insertTranslations(db, env, edition, made.map(toRow), now)
  for (const { resource, locale, content } of made) {
    const { type, id, identifier } = resource
    const before = current.get(`${keyOf(resource)} ${locale}`)?.content
    const subject = {
      type: 'translation',
      id: `${type}/${id}/${locale}`,
      name: identifier && `${identifier} ${locale}`,
    }
    noteChange(db, subject, { before, after: content ?? undefined })
  }
  return made
}

function toRow({ resource, locale, content }: Change): NewTranslation {
  const text = content === null ? null : JSON.stringify(content)
  return { resourceType: resource.type, resourceId: resource.id, locale, content: text }
}

function keyOf({ type, id }: { type: ResourceType; id: string }): string {
  return `${type} ${id}`
}

function rowKey({ resourceType, resourceId, locale }: TranslationRow): string {
  return `${resourceType} ${resourceId} ${locale}`
}

/** Of those in force before and those made now. */
function refuseMany(resource: Change['resource'], current: readonly TranslationRow[], made: readonly Change[]): void {
  const key = keyOf(resource)
  const locales = new Set(
    current.filter((row) => `${row.resourceType} ${row.resourceId}` === key).map(({ locale }) => locale),
  )
  for (const change of made) {
    if (keyOf(change.resource) !== key) continue
    if (change.content === null) locales.delete(change.locale)
    else locales.add(change.locale)
  }
  if (locales.size > maxLocales) throw invalidField('locale', `is one language too many: there are ${maxLocales}`)
}

/** Null: there are none in this language. */
export async function findTranslation(
  db: Db,
  env: Env,
  resource: Resource,
  locale: string,
): Promise<TranslationRow | null> {
  return (await listTranslations(db, env, [resource])).find((row) => row.locale === locale) ?? null
}

/** All of a workflow or layout. Returns how many there were. */
export async function dropTranslations(db: Db, env: Env, resource: Translated, now: Date): Promise<number> {
  const current = await listTranslations(db, env, [resource])
  const changes = current.map(({ locale }) => ({ resource, locale, content: null }))
  return (await saveTranslations(db, env, changes, now)).length
}
