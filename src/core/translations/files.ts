import { type Static, Type } from 'typebox'
import { invalidField } from '../../errors.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { createPauses } from '../../lib/chunks.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import { fields } from '../../lib/schemas.ts'
import type { Db, Env } from '../../store/database.ts'
import {
  listTranslationsOf,
  lockResources,
  type Resource,
  type ResourceType,
} from '../../store/wording/translations.ts'
import { contentFault } from './judge-content.ts'
import { knownLocale, readLocale } from './locales.ts'
import { type Change, saveTranslations } from './save-translations.ts'

/** A file as a form or JSON brings it. */
export const filesInput = Type.Array(
  fields({ name: Type.String({ description: 'As in de_AT.json.' }), content: Type.String() }),
  { minItems: 1, maxItems: 100 },
)
type GivenFile = Static<typeof filesInput>[number]

export const uploadSchema = Type.Object(
  {
    totalFiles: Type.Integer(),
    successfulUploads: Type.Integer(),
    failedUploads: Type.Integer(),
    errors: Type.Array(Type.String()),
  },
  { title: 'UploadedTranslations' },
)

/** Each file is a language of the resource, which must be locked. A file with a fault holds back no other. */
export async function uploadFiles(
  db: Db,
  env: Env,
  resource: Resource,
  files: readonly GivenFile[],
  now: Date,
): Promise<Static<typeof uploadSchema>> {
  const pause = createPauses()
  const changes = new Map<string, Change>()
  const errors: string[] = []
  for (const { name, content: text } of files) {
    const locale = localeOfFile(name)
    const content = readJsonText(text)
    const fault =
      locale === null
        ? 'the name is no language such as de_AT.json'
        : content === undefined
          ? 'it is not JSON'
          : await contentFault(content, pause)
    if (fault !== null) errors.push(`${name}: ${fault}`)
    else if (locale !== null && isPlainObject(content)) changes.set(locale, { resource, locale, content })
  }
  await saveTranslations(db, env, [...changes.values()], now)
  const successfulUploads = files.length - errors.length
  return { totalFiles: files.length, successfulUploads, failedUploads: errors.length, errors }
}

/** `de_AT.json` → `de-AT`; null: it is none. */
export function localeOfFile(name: string): string | null {
  return /\.json$/i.test(name) ? knownLocale(name.slice(0, -'.json'.length)) : null
}

/** Undefined: it is no JSON, or holds what is never stored. */
export function readJsonText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return findRefusedContent(value) === null ? value : undefined
  } catch {
    return undefined
  }
}

export const masterSchema = Type.Object(
  {
    workflows: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    layouts: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'MasterTranslations', description: 'All words of one language, by workflowId and layoutId.' },
)

export async function exportMaster(db: Db, env: Env, locale: string): Promise<Static<typeof masterSchema>> {
  const rows = await listTranslationsOf(db, env, locale)
  const of = (type: ResourceType) =>
    Object.fromEntries(rows.filter((row) => row.type === type).map((row) => [row.identifier, row.content]))
  return { workflows: of('workflow'), layouts: of('layout') }
}

export const importSchema = Type.Object(
  {
    success: Type.Boolean(),
    message: Type.String(),
    successful: Type.Optional(Type.Array(Type.String())),
    failed: Type.Optional(Type.Array(Type.String({ description: 'Each with the reason.' }))),
  },
  { title: 'ImportedTranslations' },
)

const mostResources = 1_000

/** As exportMaster gives it. What has a fault holds back nothing else. */
export async function importMaster(
  db: Db,
  env: Env,
  given: { locale: string; master: unknown },
  now: Date,
): Promise<Static<typeof importSchema>> {
  const locale = readLocale(given.locale)
  const pause = createPauses()
  const changes: Change[] = []
  const failed: string[] = []
  const successful: string[] = []
  let count = 0
  for (const [type, contents] of partsOf(given.master)) {
    count += Object.keys(contents).length
    if (count > mostResources)
      throw invalidField('masterJson', `names more than ${mostResources} workflows and layouts`)
    const known = new Map((await lockResources(db, env, type, Object.keys(contents))).map((it) => [it.identifier, it]))
    for (const [identifier, content] of Object.entries(contents)) {
      const resource = known.get(identifier)
      const fault = resource ? await contentFault(content, pause) : `there is no such ${type}`
      if (fault !== null || !resource || !isPlainObject(content)) failed.push(`${identifier}: ${fault}`)
      else {
        changes.push({ resource, locale, content })
        successful.push(identifier)
      }
    }
  }
  await saveTranslations(db, env, changes, now)
  const message = `${successful.length} imported, ${failed.length} refused.`
  return { success: failed.length === 0, message, successful, failed }
}

/** `{ workflows: { … }, layouts: { … } }`, or workflows alone, by their identifiers. */
function partsOf(master: unknown): [ResourceType, Record<string, unknown>][] {
  if (!isPlainObject(master)) throw invalidField('masterJson', 'must be an object of workflows and layouts')
  const { workflows, layouts } = master
  if (workflows === undefined && layouts === undefined) return [['workflow', master]]
  const part = (name: string, value: unknown): Record<string, unknown> => {
    if (value === undefined) return {}
    if (!isPlainObject(value)) throw invalidField(`masterJson.${name}`, 'must be an object')
    return value
  }
  return [
    ['workflow', part('workflows', workflows)],
    ['layout', part('layouts', layouts)],
  ]
}
