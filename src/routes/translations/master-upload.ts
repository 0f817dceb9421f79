import { filesInput, importMaster, importSchema, localeOfFile, readJsonText } from '../../core/translations/files.ts'
import { invalidField } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/translations/master-json/upload',
  summary: 'The same from a file named after its language (de_AT.json), sent as a form or as JSON',
  changesContent: true,
  takesForm: true,
  bodyLimitBytes: 4 * 1024 * 1024,
  isHeavy: () => true,
  body: fields({ files: { ...filesInput, maxItems: 1 } }),
  response: importSchema,
  async handler({ db, env, now, body }) {
    const [file] = body.files
    if (!file) throw invalidField('files', 'must hold one file')
    const locale = localeOfFile(file.name)
    if (locale === null) throw invalidField('files.0.name', 'must be a language such as de_AT.json', file.name)
    const master = readJsonText(file.content)
    if (master === undefined) throw invalidField('files.0.content', 'is not JSON that can be stored')
    return importMaster(db, env, { locale, master }, now)
  },
})
