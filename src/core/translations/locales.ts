import { invalidField } from '../../errors.ts'

/**
 * Whose words a reader gets, the best first: `de-AT`, `de`, then those of the environment's default locale. Clients write
 * `de_AT`, too.
 */
export function localeChain(locale: string | null, defaultLocale: string): string[] {
  return [...new Set([...withParents(locale ?? ''), ...withParents(defaultLocale)])]
}

/** As BCP 47 writes it; null: it is none. */
export function normalLocale(locale: string): string | null {
  try {
    return Intl.getCanonicalLocales(locale.trim().replaceAll('_', '-'))[0] ?? null
  } catch {
    return null
  }
}

function withParents(locale: string): string[] {
  const words = normalLocale(locale)?.split('-') ?? []
  return words.map((_, index) => words.slice(0, words.length - index).join('-'))
}

const names = {
  language: new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }),
  script: new Intl.DisplayNames('en', { type: 'script', fallback: 'none' }),
  region: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
}

/** The language, script and region of a locale that has a name, as BCP 47 writes it. Null: there is none like it. */
export function knownLocale(given: string): string | null {
  const locale = given.length <= 35 ? normalLocale(given) : null
  if (locale === null) return null
  const { language, script, region, baseName } = new Intl.Locale(locale)
  const isKnown =
    baseName === locale &&
    [language, script, region].filter((it) => it !== undefined).join('-') === locale &&
    names.language.of(language) !== undefined &&
    (script === undefined || names.script.of(script) !== undefined) &&
    (region === undefined || names.region.of(region) !== undefined)
  return isKnown ? locale : null
}

/** As clients write it: `de_AT`. */
export function shownLocale(locale: string): string {
  return locale.replaceAll('-', '_')
}

/** Throws 422. */
export function readLocale(given: string, field = 'locale'): string {
  const locale = knownLocale(given)
  if (locale === null) throw invalidField(field, 'must be a language such as de or de_AT', given)
  return locale
}
