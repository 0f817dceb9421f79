import { Type } from 'typebox'
import { importMaster, importSchema } from '../../core/translations/files.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, freeObject } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/translations/master-json',
  summary: 'Save all words of one language, as the export gives them',
  changesContent: true,
  bodyLimitBytes: 4 * 1024 * 1024,
  isHeavy: () => true,
  body: fields({
    locale: Type.String({ description: 'As in de_AT.' }),
    masterJson: { ...freeObject, description: '`workflows` and `layouts`, each by its identifier.' },
  }),
  response: importSchema,
  handler: async ({ db, env, now, body }) =>
    importMaster(db, env, { locale: body.locale, master: body.masterJson }, now),
})
