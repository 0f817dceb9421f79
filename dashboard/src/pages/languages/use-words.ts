import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import { contentQuery, missingQuery, type Resource, readContent, refreshWords } from './queries.ts'
import { byDefault, type Language, rowsOf, type WordRow } from './rows.ts'
import { type Content, textsOf } from './words.ts'

export type Words = {
  languages: Language[]
  rows: WordRow[]
  /** All of them, for those who write templates. */
  keys: string[]
  fault: ApiFault | null
  isPending: boolean
  /** Changes what is stored in a language now, whatever was read before. */
  change(locale: string, how: (content: Content) => Content): Promise<void>
  /** All words of a language, and that it is one. */
  removeLanguage(locale: string): Promise<void>
  /** Something else has stored words. */
  refresh(): Promise<void>
}

/** The words of a workflow or layout in all its languages. */
export function useWords(resource: Resource): Words {
  const queries = useQueryClient()
  const { data, error, isPending } = useQuery(missingQuery(resource))
  const stored = data?.locales ?? []
  const contents = useQueries({ queries: stored.map(({ locale }) => contentQuery(resource, locale)) })
  const read = stored.map(({ locale, missingKeys }, index) => ({
    locale,
    isDefault: locale === data?.defaultLocale,
    isStored: true,
    texts: textsOf(contents[index]?.data ?? {}),
    missing: missingKeys,
  }))
  const hasDefault = !data || read.some(({ isDefault }) => isDefault)
  const languages = byDefault(hasDefault ? read : [...read, emptyDefault(data)])
  const rows = rowsOf(data?.keys ?? [], languages)
  const fault = error ?? contents.find((one) => one.error)?.error
  const done = () => refreshWords(queries)
  return {
    languages,
    rows,
    keys: rows.map(({ key }) => key),
    fault: fault ? toFault(fault) : null,
    isPending: isPending || contents.some((one) => one.isPending),
    change: async (locale, how) => {
      await inTurn(async () => {
        const { locales } = await queries.fetchQuery({ ...missingQuery(resource), staleTime: 0 })
        const isThere = locales.some((one) => one.locale === locale)
        const content = how(isThere ? await readContent(resource, locale) : {})
        await api.post('/v2/translations', { body: { ...resource, locale, content } })
      })
      await done()
    },
    removeLanguage: async (locale) => {
      await api.delete('/v2/translations/{resourceType}/{resourceId}/{locale}', { path: { ...resource, locale } })
      await done()
    },
    refresh: done,
  }
}

function emptyDefault({ defaultLocale, untranslatedKeys }: { defaultLocale: string; untranslatedKeys: string[] }) {
  return { locale: defaultLocale, isDefault: true, isStored: false, texts: new Map(), missing: untranslatedKeys }
}

let last: Promise<unknown> = Promise.resolve()

/** A language is read and written as a whole: two changes at once would lose one of them. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const next = last.catch(() => {}).then(work)
  last = next
  return next
}
