import { Type } from 'typebox'
import { suppressedChannels, suppressionSchema, toSuppressionJson } from '../../core/replies/suppression-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf, pageOf, pageQuery } from '../../lib/schemas.ts'
import { listSuppressions } from '../../store/suppressions.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/suppressions',
  summary: 'List the addresses nothing is sent to, by channel and address',
  query: fields({
    channel: Type.Optional(oneOf(suppressedChannels)),
    address: Type.Optional(Type.String({ description: 'The whole address, in any case.' })),
    ...pageQuery(1000),
  }),
  response: pageOf(suppressionSchema),
  async handler({ db, env, query }) {
    const { page = 0, limit = 10, ...filter } = query
    const rows = await listSuppressions(db, env, filter, { page, limit })
    return { data: rows.slice(0, limit).map(toSuppressionJson), hasMore: rows.length > limit, pageSize: limit, page }
  },
})
