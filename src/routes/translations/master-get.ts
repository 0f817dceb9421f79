import { Type } from 'typebox'
import { exportMaster, masterSchema } from '../../core/translations/files.ts'
import { readLocale } from '../../core/translations/locales.ts'
import { getDefaultLocale } from '../../core/translations/missing.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/translations/master-json',
  summary: 'All words of one language, by workflow and layout',
  query: fields({
    locale: Type.Optional(Type.String({ description: 'The default locale, unless another is named.' })),
  }),
  response: masterSchema,
  async handler({ db, env, query }) {
    const locale = query.locale === undefined ? await getDefaultLocale(db, env) : readLocale(query.locale)
    return exportMaster(db, env, locale)
  },
})
