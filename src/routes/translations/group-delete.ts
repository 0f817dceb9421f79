import { dropTranslations, getResource } from '../../core/translations/save-translations.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v2/translations/{resourceType}/{resourceId}',
  summary: 'Delete all languages of a workflow or layout; what is under way keeps them',
  changesContent: true,
  status: 204,
  async handler({ db, env, now, params }) {
    const resource = await getResource(db, env, params, { locks: true })
    if ((await dropTranslations(db, env, resource, now)) === 0) throw new ApiError('translation_not_found')
  },
})
