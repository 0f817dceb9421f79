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
