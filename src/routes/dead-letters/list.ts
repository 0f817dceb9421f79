import { Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { messageSchema, toMessageJsons } from '../../core/replies/message-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf, pageOf, pageQuery } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { channels } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import { inPortions } from '../../store/history/in-portions.ts'
import { listMessages, listMessagesById } from '../../store/history/messages.ts'

const deadLetterSchema = Type.Object(
  {
    ...messageSchema.properties,
    attempts: Type.Integer({ description: 'How often a provider was asked.' }),
    integrationId: Type.Optional(Type.String({ description: 'The integration that tried last.' })),
  },
  { title: 'DeadLetter' },
)

export default defineRoute({
  method: 'GET',
  path: '/v1/dead-letters',
  summary: 'List messages that were given up, newest first',
  query: fields({
    channel: Type.Optional(oneOf(channels)),
    integrationId: Type.Optional(Type.String()),
    ...pageQuery(100),
  }),
  response: pageOf(deadLetterSchema),
  async handler({ ctx, db, env, query }) {
    const { page = 0, limit = 10, channel, integrationId } = query
    const none = { data: [], hasMore: false, pageSize: limit, page, totalCount: 0 }
    if (integrationId !== undefined && !isUuid7(integrationId)) return none
    const filter = {
      isDead: true as const,
      ...(channel !== undefined && { channel }),
      ...(integrationId !== undefined && { integrationId }),
    }
    const { items, hasMore, totalCount } = await listMessages(db, env, filter, { page, limit })
    const data = inPortions(items, (ids) => ctx.database.read(env, (db) => toDeadLetters(ctx, db, env, ids)))
    return { data, hasMore, pageSize: limit, page, totalCount }
  },
})

async function toDeadLetters(ctx: Ctx, db: Db, env: Env, ids: readonly string[]) {
  const rows = await listMessagesById(db, env, ids)
  const more = new Map(rows.map((row) => [row.id, row]))
  return (await toMessageJsons(ctx, db, env, rows)).map((json) => {
    const row = more.get(json._id)
    return {
      ...json,
      attempts: row?.attempts ?? 0,
      ...(row?.integration_id && { integrationId: row.integration_id }),
    }
  })
}
