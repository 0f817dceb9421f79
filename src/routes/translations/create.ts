import { Type } from 'typebox'
import { checkContent } from '../../core/translations/judge-content.ts'
import { readLocale } from '../../core/translations/locales.ts'
import {
  findTranslation,
  getResource,
  resourceTypes,
  saveTranslations,
} from '../../core/translations/save-translations.ts'
import { toTranslationJson, translationSchema } from '../../core/translations/translation-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { createPauses } from '../../lib/chunks.ts'
import { fields, freeObject, oneOf } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/translations',
  summary: 'Save the words of a workflow or layout in one language, in place of those before',
  changesContent: true,
  body: fields({
    resourceId: Type.String({ description: 'The workflowId or layoutId.' }),
    resourceType: oneOf(resourceTypes),
    locale: Type.String({ description: 'As in de_AT or de-AT.' }),
    content: { ...freeObject, description: 'Texts by key, nested or not.' },
  }),
  response: translationSchema,
  async handler({ db, env, now, body }) {
    const locale = readLocale(body.locale)
    const content = await checkContent(body.content, createPauses())
    const resource = await getResource(db, env, body, { locks: true })
    await saveTranslations(db, env, [{ resource, locale, content }], now)
    const row = await findTranslation(db, env, resource, locale)
    if (!row) throw new Error('what was saved is there')
    return toTranslationJson(resource, row)
  },
})
