import { parentsOf } from './locales.ts'

/** A language with its words, and which of the keys that templates ask for it lacks. */
export type Language = {
  locale: string
  isDefault: boolean
  /** False: it is only shown because it is the default. */
  isStored: boolean
  texts: ReadonlyMap<string, string>
  missing: readonly string[]
}

export type WordCell = {
  locale: string
  text: string | null
  isMissing: boolean
  /** What stands in for a text that is not there, and whose it is. */
  instead: { locale: string; text: string } | null
}
export type WordRow = { key: string; isUsed: boolean; cells: WordCell[] }

/** The default one first, then by name. */
export function byDefault(languages: readonly Language[]): Language[] {
  return languages.toSorted(
    (a, b) => Number(b.isDefault) - Number(a.isDefault) || (a.locale < b.locale ? -1 : a.locale > b.locale ? 1 : 0),
  )
}

/** What templates ask for first, in their order; then what else there is, by name. */
export function rowsOf(used: readonly string[], languages: readonly Language[]): WordRow[] {
  const asked = new Set(used)
  const others = new Set(languages.flatMap(({ texts }) => [...texts.keys()]).filter((key) => !asked.has(key)))
  const rowOf = (key: string): WordRow => ({
    key,
    isUsed: asked.has(key),
    cells: languages.map((language) => cellOf(key, language, languages)),
  })
  return [...asked, ...[...others].toSorted()].map(rowOf)
}

function cellOf(key: string, { locale, texts, missing }: Language, all: readonly Language[]): WordCell {
  const text = texts.get(key) ?? null
  return { locale, text, isMissing: missing.includes(key), instead: text === null ? insteadOf(key, locale, all) : null }
}

function insteadOf(key: string, locale: string, all: readonly Language[]): WordCell['instead'] {
  const chosen = all.find(({ isDefault }) => isDefault)?.locale
  const chain = [...parentsOf(locale), ...(chosen ? [chosen, ...parentsOf(chosen)] : [])]
  for (const name of chain) {
    const text = name === locale ? undefined : all.find((one) => one.locale === name)?.texts.get(key)
    if (text !== undefined) return { locale: name, text }
  }
  return null
}

export type Shown = 'all' | 'missing' | 'unused'

/** Those that are asked for, with the search in a key or a text, in any case. */
export function shownRows(rows: readonly WordRow[], search: string, shown: Shown): WordRow[] {
  const wanted = search.trim().toLowerCase()
  const fits = (text: string | null) => text?.toLowerCase().includes(wanted)
  return rows.filter(({ key, isUsed, cells }) => {
    if (shown === 'missing' && !cells.some(({ isMissing }) => isMissing)) return false
    if (shown === 'unused' && isUsed) return false
    return fits(key) || cells.some(({ text }) => fits(text))
  })
}

type Found = {
  defaultLocale: string
  untranslatedKeys: readonly string[]
  locales: readonly { locale: string; missingKeys: readonly string[] }[]
}

/** In all its languages together, and in the default one, whether it has words or not. */
export function missingIn({ defaultLocale, untranslatedKeys, locales }: Found): number {
  const isThere = locales.some(({ locale }) => locale === defaultLocale)
  return locales.reduce((sum, { missingKeys }) => sum + missingKeys.length, isThere ? 0 : untranslatedKeys.length)
}

/** Every key that a template asks for or that has words. */
export function keysOf({ keys, locales }: Keys): string[] {
  return [...new Set([...keys, ...locales.flatMap(({ unusedKeys }) => unusedKeys)])]
}
type Keys = { keys: readonly string[]; locales: readonly { unusedKeys: readonly string[] }[] }
