import { knownLocale } from '../../core/translations/locales.ts'
import { getResource, saveTranslations } from '../../core/translations/save-translations.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v2/translations/{resourceType}/{resourceId}/{locale}',
  summary: 'Delete the words of one language; what is under way keeps them',
  changesContent: true,
  status: 204,
  async handler({ db, env, now, params }) {
    const resource = await getResource(db, env, params, { locks: true })
    const locale = knownLocale(params.locale)
    const deleted = locale === null ? [] : await saveTranslations(db, env, [{ resource, locale, content: null }], now)
    if (deleted.length === 0) throw new ApiError('translation_not_found')
  },
})
