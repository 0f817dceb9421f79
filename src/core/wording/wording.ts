import { LRUCache } from 'lru-cache'
import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Db, Env } from '../../store/database.ts'
import {
  findHeads,
  findLayoutVersions,
  findTranslations,
  type Heads,
  type LayoutKey,
  type TranslationHead,
} from '../../store/wording/editions.ts'
import { type LayoutDefinition, layoutOf, toLayoutDefinition } from '../layouts/layout.ts'
import { localeChain } from '../translations/locales.ts'
import type { Words } from '../translations/translate.ts'
import { mentionsVariables } from '../values/variables.ts'
import type { Step, Workflow } from '../workflows/workflow.ts'

/** What is written around and into the steps of a workflow for one reader: their layout and translations. */
export type Wording = {
  layoutOf(step: Pick<Step, 'type' | 'controlValues'>): { key: string; layout: LayoutDefinition; words: Words } | null
  /** Of the workflow itself. */
  words: Words
  /** The same for the same words. */
  key: string
}

/** Null: the edition has nothing for this workflow. */
export type Wordings = {
  of(asked: Asked): Wording | null
  /** One of the layouts or translations may ask for variables. */
  mentionsVariables: boolean
}

/** The steps are those whose layouts are needed. */
export type Asked = {
  edition: number | null
  workflow: Pick<Workflow, 'id' | 'version'> & { steps: readonly Pick<Step, 'type' | 'controlValues' | 'variants'>[] }
  locale: string | null
}

const noWordings: Wordings = { of: () => null, mentionsVariables: false }

// What an edition holds never changes, so entries stay valid; the limits only bound memory, in characters.
const headsCache = new LRUCache<string, Heads>({ max: 1_000, maxSize: 16 * 1024 * 1024 })
const layoutCache = new LRUCache<string, LayoutDefinition>({ max: 1_000, maxSize: 16 * 1024 * 1024 })
const wordsCache = new LRUCache<string, Record<string, unknown>>({ max: 5_000, maxSize: 32 * 1024 * 1024 })

/** One query each for what is not remembered yet; none in an environment without layouts and translations. */
export async function loadWordings(
  db: Db,
  env: Pick<Env, 'environmentId'>,
  asked: readonly Asked[],
): Promise<Wordings> {
  const numbers = [...new Set(asked.flatMap(({ edition }) => edition ?? []))]
  if (numbers.length === 0) return noWordings
  const heads = await loadHeads(db, env, numbers)
  const needed = new Map<string, Needed>()
  for (const it of asked) {
    const known = it.edition === null ? undefined : heads.get(it.edition)
    const key = askedKey(it)
    if (known && !needed.has(key)) needed.set(key, needs(known, it))
  }
  const all = [...needed.values()]
  const layouts = await loadLayouts(
    db,
    env,
    all.flatMap((it) => it.layouts),
  )
  const words = await loadWords(
    db,
    env,
    all.flatMap((it) => [...it.own, ...it.ofLayouts]),
  )
  const made = new Map([...needed].map(([key, it]) => [key, toWording(it, layouts, words)]))
  const mentions = [...layouts.values(), ...words.values()].some(mentionsVariables)
  return { of: (it) => made.get(askedKey(it)) ?? null, mentionsVariables: mentions }
}

function askedKey({ edition, workflow, locale }: Asked): string {
  return `${edition} ${workflow.id} ${workflow.version} ${locale ?? ''}`
}

type Needed = { heads: Heads; layouts: LayoutKey[]; own: TranslationHead[]; ofLayouts: TranslationHead[] }

/** `own`, `ofLayouts`: the best language first. */
function needs(heads: Heads, { workflow, locale }: Asked): Needed {
  const contents = workflow.steps.flatMap((step) => [
    step,
    ...(step.variants ?? []).map(({ controlValues }) => ({ type: step.type, controlValues })),
  ])
  const layouts = [...new Set(contents.flatMap((it) => layoutOf(heads.layouts, it) ?? []))]
  const chain = localeChain(locale, heads.defaultLocale)
  const inChain = (type: TranslationHead['resourceType'], id: string) =>
    heads.translations
      .filter((it) => it.resourceType === type && it.resourceId === id && chain.includes(it.locale))
      .toSorted((a, b) => chain.indexOf(a.locale) - chain.indexOf(b.locale))
  const ofLayouts = layouts.flatMap(({ id }) => inChain('layout', id))
  return { heads, layouts, own: inChain('workflow', workflow.id), ofLayouts }
}

function toWording(
  { heads, layouts: used, own, ofLayouts }: Needed,
  layouts: ReadonlyMap<string, LayoutDefinition>,
  words: ReadonlyMap<string, Record<string, unknown>>,
): Wording | null {
  if (used.length === 0 && own.length === 0) return null
  const toWords = (given: readonly TranslationHead[]): Words =>
    given.map((head) => ({ locale: head.locale, content: words.get(translationKey(head)) ?? {} }))
  const keyOf = (given: readonly TranslationHead[]) => given.map(({ locale, edition }) => `${locale}@${edition}`).join()
  // Asked for each mail of a page of readers, and the same for all of them.
  const found = new Map<string, ReturnType<Wording['layoutOf']>>()
  const find = (step: Parameters<Wording['layoutOf']>[0]) => {
    const head = layoutOf(heads.layouts, step)
    const layout = head && layouts.get(layoutKey(head))
    if (!layout) return null
    const translations = ofLayouts.filter(({ resourceId }) => resourceId === head.id)
    return { key: `${layoutKey(head)} ${keyOf(translations)}`, layout, words: toWords(translations) }
  }
  return {
    key: keyOf(own),
    words: toWords(own),
    layoutOf(step) {
      const named = `${step.type} ${JSON.stringify(step.controlValues.layoutId)}`
      const before = found.get(named)
      if (before !== undefined) return before
      const layout = find(step)
      found.set(named, layout)
      return layout
    },
  }
}

function layoutKey({ id, edition }: LayoutKey): string {
  return `${id}@${edition}`
}

function translationKey({ resourceType, resourceId, locale, edition }: TranslationHead): string {
  return `${resourceType} ${resourceId} ${locale}@${edition}`
}

async function loadHeads(
  db: Db,
  { environmentId }: Pick<Env, 'environmentId'>,
  numbers: readonly number[],
): Promise<Map<number, Heads>> {
  const keyOf = (number: number) => `${environmentId}:${number}`
  const found = new Map(numbers.flatMap((number) => [headsCache.get(keyOf(number)) ?? []].flat()).map(byNumber))
  const missing = numbers.filter((number) => !found.has(number))
  for (const heads of missing.length > 0 ? await findHeads(db, { environmentId }, missing) : []) {
    headsCache.set(keyOf(heads.number), heads, { size: JSON.stringify(heads).length })
    found.set(heads.number, heads)
  }
  return found
}

function byNumber(heads: Heads): [number, Heads] {
  return [heads.number, heads]
}

async function loadLayouts(
  db: Db,
  { environmentId }: Pick<Env, 'environmentId'>,
  wanted: readonly LayoutKey[],
): Promise<Map<string, LayoutDefinition>> {
  const found = new Map<string, LayoutDefinition>()
  const missing = new Map<string, LayoutKey>()
  for (const it of wanted) {
    const key = layoutKey(it)
    const layout = layoutCache.get(`${environmentId}:${key}`)
    if (layout) found.set(key, layout)
    else missing.set(key, it)
  }
  const rows = missing.size > 0 ? await findLayoutVersions(db, { environmentId }, [...missing.values()]) : []
  for (const row of rows) {
    const layout = toLayoutDefinition(row.definition)
    if (!layout) continue
    layoutCache.set(`${environmentId}:${layoutKey(row)}`, layout, { size: JSON.stringify(layout).length })
    found.set(layoutKey(row), layout)
  }
  return found
}

async function loadWords(
  db: Db,
  { environmentId }: Pick<Env, 'environmentId'>,
  wanted: readonly TranslationHead[],
): Promise<Map<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>()
  const missing = new Map<string, TranslationHead>()
  for (const it of wanted) {
    const key = translationKey(it)
    const words = wordsCache.get(`${environmentId}:${key}`)
    if (words) found.set(key, words)
    else missing.set(key, it)
  }
  const rows = missing.size > 0 ? await findTranslations(db, { environmentId }, [...missing.values()]) : []
  for (const row of rows) {
    if (!isPlainObject(row.content)) continue
    const size = JSON.stringify(row.content).length + 1
    wordsCache.set(`${environmentId}:${translationKey(row)}`, row.content, { size })
    found.set(translationKey(row), row.content)
  }
  return found
}
