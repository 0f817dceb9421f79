import { knownLocale } from '../../core/translations/locales.ts'
import { findTranslation, getResource } from '../../core/translations/save-translations.ts'
import { toTranslationJson, translationSchema } from '../../core/translations/translation-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/translations/{resourceType}/{resourceId}/{locale}',
  summary: 'The words of a workflow or layout in one language',
  response: translationSchema,
  async handler({ db, env, params }) {
    const resource = await getResource(db, env, params)
    const locale = knownLocale(params.locale)
    const row = locale === null ? null : await findTranslation(db, env, resource, locale)
    if (!row) throw new ApiError('translation_not_found')
    return toTranslationJson(resource, row)
  },
})
