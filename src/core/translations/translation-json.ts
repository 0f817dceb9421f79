import { type Static, Type } from 'typebox'
import { freeObject, oneOf } from '../../lib/schemas.ts'
import type { Db, Env } from '../../store/database.ts'
import { listTranslations, type Resource, type TranslationRow } from '../../store/wording/translations.ts'
import { shownLocale } from './locales.ts'
import { findMissing } from './missing.ts'
import { resourceTypes } from './save-translations.ts'

const time = Type.String({ format: 'date-time' })
const resourceType = oneOf(resourceTypes)

/** TranslationResponseDto of the client. */
export const translationSchema = Type.Object(
  {
    resourceId: Type.String({ description: 'The workflowId or layoutId.' }),
    resourceType,
    locale: Type.String({ description: 'As in en_US.' }),
    content: { ...freeObject, description: 'By key, nested or not.' },
    createdAt: time,
    updatedAt: time,
  },
  { title: 'Translation' },
)

/** TranslationGroupDto of the client. */
export const translationGroupSchema = Type.Object(
  {
    resourceId: Type.String(),
    resourceType,
    resourceName: Type.String(),
    locales: Type.Array(Type.String()),
    outdatedLocales: Type.Optional(
      Type.Array(Type.String(), { description: 'Those that lack keys which templates ask for.' }),
    ),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'TranslationGroup' },
)

export function toTranslationJson(
  { identifier }: Pick<Resource, 'identifier'>,
  { resourceType, locale, content, createdAt, updatedAt }: TranslationRow,
): Static<typeof translationSchema> {
  return {
    resourceId: identifier,
    resourceType,
    locale: shownLocale(locale),
    content,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** Null: it has no translations. */
export async function findTranslationGroup(
  db: Db,
  env: Env,
  resource: Resource,
): Promise<Static<typeof translationGroupSchema> | null> {
  const rows = await listTranslations(db, env, [resource])
  if (rows.length === 0) return null
  const { defaultLocale, locales } = await findMissing(db, env, resource)
  const outdated = locales.filter((it) => it.locale !== defaultLocale && it.missingKeys.length > 0)
  const times = (pick: (row: TranslationRow) => Date) => rows.map((row) => pick(row).getTime())
  return {
    resourceId: resource.identifier,
    resourceType: resource.type,
    resourceName: resource.name,
    locales: rows.map(({ locale }) => shownLocale(locale)),
    ...(outdated.length > 0 && { outdatedLocales: outdated.map(({ locale }) => locale) }),
    createdAt: new Date(Math.min(...times((row) => row.createdAt))).toISOString(),
    updatedAt: new Date(Math.max(...times((row) => row.updatedAt))).toISOString(),
  }
}
