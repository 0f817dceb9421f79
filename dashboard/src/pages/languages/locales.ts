const names = new Intl.DisplayNames('en', { type: 'language' })

/** `de_AT` → `Austrian German`; what is none is shown as it is. */
export function localeName(locale: string): string {
  try {
    return names.of(locale.replaceAll('_', '-')) ?? locale
  } catch {
    return locale
  }
}

/** `de-at` → `de_AT`, as the server writes it; null: it is none. */
export function readLocale(text: string): string | null {
  try {
    const [locale] = Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'))
    return locale?.replaceAll('-', '_') ?? null
  } catch {
    return null
  }
}

/** The languages that stand in where this one has no words of its own: `de` for `de_AT`. */
export function parentsOf(locale: string): string[] {
  const words = locale.split('_')
  return words.slice(1).map((_, index) => words.slice(0, words.length - 1 - index).join('_'))
}

/** What is offered where one is typed. */
export const commonLocales =
  'ar bg cs da de de_AT de_CH el en en_GB en_US es es_MX et fi fr fr_CA he hi hr hu id it ja ko lt lv nb nl pl pt pt_BR ro ru sk sl sr sv th tr uk vi zh_CN zh_TW'.split(
    ' ',
  )
