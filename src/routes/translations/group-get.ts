import { getResource } from '../../core/translations/save-translations.ts'
import { findTranslationGroup, translationGroupSchema } from '../../core/translations/translation-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/translations/group/{resourceType}/{resourceId}',
  summary: 'The languages of a workflow or layout, and which of them lack something',
  response: translationGroupSchema,
  async handler({ db, env, params }) {
    const group = await findTranslationGroup(db, env, await getResource(db, env, params))
    if (!group) throw new ApiError('translation_not_found')
    return group
  },
})
