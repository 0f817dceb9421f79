import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localeOfFile, readJsonText } from '../core/translations/files.ts'
import { contentFault } from '../core/translations/judge-content.ts'
import { shownLocale } from '../core/translations/locales.ts'
import { type Change, saveTranslations } from '../core/translations/save-translations.ts'
import { isPlainObject } from '../lib/canonical-json.ts'
import { createPauses } from '../lib/chunks.ts'
import type { Db, Env } from '../store/database.ts'
import { findResource, listTranslations, type ResourceType } from '../store/wording/translations.ts'

type TranslationFile = { file: string; type: ResourceType; identifier: string; locale: string; content: unknown }
export type AppliedTranslation = { file: string; name: string; outcome: 'created' | 'changed' | 'unchanged' }

const folders = [
  ['workflow', 'workflows'],
  ['layout', 'layouts'],
] as const

/** `translations/workflows/<workflowId>/de_AT.json` and `translations/layouts/<layoutId>/de_AT.json` beside workflows. */
export function readTranslations(folder: string, faults: string[]): TranslationFile[] {
  return folders.flatMap(([type, name]) => {
    const place = join(folder, 'translations', name)
    return namesIn(place, 'folders').flatMap((identifier) =>
      namesIn(join(place, identifier), 'files').flatMap((leaf) => {
        const file = ['translations', name, identifier, leaf].join('/')
        const locale = localeOfFile(leaf)
        if (locale === null) faults.push(`${file}: is not named after a language such as de_AT.json`)
        const content = readJsonText(readFileSync(join(place, identifier, leaf), 'utf8'))
        if (content === undefined) faults.push(`${file}: is not JSON that can be stored`)
        return locale === null || content === undefined ? [] : [{ file, type, identifier, locale, content }]
      }),
    )
  })
}

function namesIn(place: string, kind: 'folders' | 'files'): string[] {
  if (!existsSync(place)) return []
  const found = readdirSync(place, { withFileTypes: true })
  return found.flatMap((it) => (it.isDirectory() === (kind === 'folders') ? it.name : [])).sort()
}

/** After the workflows and layouts they belong to, and all in one edition. Faults go to `faults`. */
export async function applyTranslations(
  db: Db,
  env: Env,
  files: readonly TranslationFile[],
  faults: string[],
  now: Date,
): Promise<AppliedTranslation[]> {
  const pause = createPauses()
  const changes: (Change & { file: string; name: string })[] = []
  for (const { file, type, identifier, locale, content } of files) {
    const resource = await findResource(db, env, type, identifier, { locks: true })
    const fault = resource ? await contentFault(content, pause) : `there is no ${type} ${identifier}`
    if (fault !== null || !resource || !isPlainObject(content)) faults.push(`${file}: ${fault}`)
    else changes.push({ resource, locale, content, file, name: `${identifier} ${shownLocale(locale)}` })
  }
  if (faults.length > 0) return []
  const keyOf = (id: string, locale: string) => `${id} ${locale}`
  const resources = changes.map(({ resource }) => resource)
  const before = await listTranslations(db, env, [...new Map(resources.map((it) => [it.id, it])).values()])
  const known = new Set(before.map(({ resourceId, locale }) => keyOf(resourceId, locale)))
  const made = new Set(await saveTranslations(db, env, changes, now))
  return changes.map((change) => {
    const isKnown = known.has(keyOf(change.resource.id, change.locale))
    const outcome = !made.has(change) ? 'unchanged' : isKnown ? 'changed' : 'created'
    return { file: change.file, name: change.name, outcome }
  })
}
