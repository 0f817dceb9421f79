import { Type } from 'typebox'
import { openInboxOf } from '../../core/inbox/open-session.ts'
import { inboxSessionSchema, toInboxSessionJson } from '../../core/replies/inbox-session-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/subscribers/{subscriberId}/inbox-session',
  summary: "Open a known subscriber's inbox without a hash: a token for the inbox routes that ends with this key",
  query: fields({
    lookOnly: Type.Optional(
      Type.Boolean({ description: 'A token that can change nothing, and does not make the person online.' }),
    ),
  }),
  status: 201,
  response: Type.Object({ data: inboxSessionSchema }),
  async handler({ ctx, db, env, now, params: { subscriberId }, query: { lookOnly = false } }) {
    return { data: toInboxSessionJson(ctx, await openInboxOf(ctx, db, env, { subscriberId, lookOnly, now })) }
  },
})
