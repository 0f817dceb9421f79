import { Type } from 'typebox'
import { environmentSchema, showEnvironment } from '../../core/replies/environment-json.ts'
import { readLocale } from '../../core/translations/locales.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'
import { currentEdition, firstDefaultLocale, nextEdition } from '../../store/wording/editions.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/environment',
  summary: 'Change whose translations stand where a reader’s own language has none',
  changesContent: true,
  body: fields({ defaultLocale: Type.String({ description: 'As in en_US.' }) }),
  response: Type.Object({ data: environmentSchema }),
  async handler({ ctx, db, env, now, body }) {
    const locale = readLocale(body.defaultLocale, 'defaultLocale')
    const before = (await currentEdition(db, env))?.defaultLocale ?? firstDefaultLocale
    if (locale !== before) await nextEdition(db, env, now, locale)
    return { data: await showEnvironment(ctx, db, env) }
  },
})
