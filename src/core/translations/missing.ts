import { type Static, Type } from 'typebox'
import { oneOf } from '../../lib/schemas.ts'
import { wordsIn } from '../../render/template-words.ts'
import type { Db, Env } from '../../store/database.ts'
import { currentEdition, findLayoutVersions, firstDefaultLocale } from '../../store/wording/editions.ts'
import { listTranslations, type Resource, type TranslationRow } from '../../store/wording/translations.ts'
import { inAppFields } from '../inbox/in-app-message.ts'
import { toLayoutDefinition } from '../layouts/layout.ts'
import { sendFields } from '../pipeline/send-content.ts'
import { findCurrentWorkflow } from '../workflows/save-workflow.ts'
import type { Step, Workflow } from '../workflows/workflow.ts'
import { keysOfContent } from './judge-content.ts'
import { localeChain, shownLocale } from './locales.ts'
import { resourceTypes } from './save-translations.ts'
import { findWords, keysIn, type Words } from './translate.ts'

export const missingSchema = Type.Object(
  {
    resourceId: Type.String(),
    resourceType: oneOf(resourceTypes),
    defaultLocale: Type.String(),
    keys: Type.Array(Type.String(), { description: 'What its templates ask for.' }),
    untranslatedKeys: Type.Array(Type.String(), {
      description: 'Not in the default language either: readers whose language has none see the name of the key.',
    }),
    locales: Type.Array(
      Type.Object({
        locale: Type.String(),
        missingKeys: Type.Array(Type.String(), { description: 'Neither in this language nor in its parents.' }),
        unusedKeys: Type.Array(Type.String(), { description: 'Translated, and asked for by no template.' }),
      }),
    ),
  },
  { title: 'MissingTranslations' },
)
export type MissingJson = Static<typeof missingSchema>

export async function getDefaultLocale(db: Db, env: Env): Promise<string> {
  return (await currentEdition(db, env))?.defaultLocale ?? firstDefaultLocale
}

/** What a workflow or layout asks for, and what of it each of its languages has. */
export async function findMissing(db: Db, env: Env, resource: Resource): Promise<MissingJson> {
  const rows = await listTranslations(db, env, [resource])
  const defaultLocale = await getDefaultLocale(db, env)
  const keys = keysIn(await templatesOf(db, env, resource))
  return {
    resourceId: resource.identifier,
    resourceType: resource.type,
    ...compareKeys(keys, rows, defaultLocale),
  }
}

/** `keys`: that templates ask for. */
export function compareKeys(
  keys: readonly string[],
  rows: readonly Pick<TranslationRow, 'locale' | 'content'>[],
  defaultLocale: string,
): Omit<MissingJson, 'resourceId' | 'resourceType'> {
  const used = new Set(keys)
  const missingIn = (locale: string) => {
    const words = wordsOf(rows, locale)
    return keys.filter((key) => findWords(words, key.split('.')) === null)
  }
  return {
    defaultLocale: shownLocale(defaultLocale),
    keys: [...keys],
    untranslatedKeys: missingIn(defaultLocale),
    locales: rows.map(({ locale, content }) => ({
      locale: shownLocale(locale),
      missingKeys: missingIn(locale),
      unusedKeys: keysOfContent(content).filter((key) => !used.has(key)),
    })),
  }
}

function wordsOf(rows: readonly Pick<TranslationRow, 'locale' | 'content'>[], locale: string): Words {
  return localeChain(locale, locale).flatMap((it) => rows.find((row) => row.locale === it) ?? [])
}

async function templatesOf(db: Db, env: Env, { type, id, edition }: Resource): Promise<string[]> {
  if (type === 'workflow') {
    const current = await findCurrentWorkflow(db, env, id)
    return current ? workflowTemplates(current.workflow) : []
  }
  const [row] = edition === null ? [] : await findLayoutVersions(db, env, [{ id, edition }])
  const layout = toLayoutDefinition(row?.definition)
  if (!layout) return []
  return ['html' in layout.compiled ? layout.compiled.html : layout.compiled.content]
}

/** Of all its steps and their variants. */
export function workflowTemplates({ steps }: Pick<Workflow, 'steps'>): string[] {
  return steps.flatMap((step) =>
    [step, ...(step.variants ?? [])].flatMap((content) =>
      Object.values(step.type === 'in_app' ? inAppFields(content) : sendFields(content)),
    ),
  )
}

type StepContent = Pick<Step, 'controlValues' | 'compiled'>

/** Translations that are asked for in a way that is not understood: there is nothing in their place. */
export function oddTranslations(
  type: Step['type'],
  content: StepContent,
): { field: string; variable: string; message: string }[] {
  const fields = type === 'in_app' ? inAppFields(content) : sendFields(content)
  return Object.entries(fields).flatMap(([field, template]) =>
    wordsIn(template).odd.map((variable) => ({
      field,
      variable,
      message: `Translations are shown by {{ t.key }}; in ${variable} there is nothing in their place.`,
    })),
  )
}

/** By language, how many of the keys that a workflow asks for are not there. */
export async function countMissing(
  db: Db,
  env: Env,
  workflow: Pick<Workflow, 'id' | 'steps'>,
): Promise<Record<string, number> | null> {
  const keys = keysIn(workflowTemplates(workflow))
  if (keys.length === 0) return null
  const rows = await listTranslations(db, env, [{ type: 'workflow', id: workflow.id }])
  const { defaultLocale, untranslatedKeys, locales } = compareKeys(keys, rows, await getDefaultLocale(db, env))
  return Object.fromEntries([
    [defaultLocale, untranslatedKeys.length],
    ...locales.map(({ locale, missingKeys }) => [locale, missingKeys.length] as const),
  ])
}
