import { Type } from 'typebox'
import { filesInput, uploadFiles, uploadSchema } from '../../core/translations/files.ts'
import { getResource, resourceTypes } from '../../core/translations/save-translations.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/translations/upload',
  summary: 'Save languages from JSON files named after them (de_AT.json), sent as a form or as JSON',
  changesContent: true,
  takesForm: true,
  bodyLimitBytes: 4 * 1024 * 1024,
  isHeavy: () => true,
  body: fields({ resourceId: Type.String(), resourceType: oneOf(resourceTypes), files: filesInput }),
  response: uploadSchema,
  async handler({ db, env, now, body }) {
    return uploadFiles(db, env, await getResource(db, env, body, { locks: true }), body.files, now)
  },
})
