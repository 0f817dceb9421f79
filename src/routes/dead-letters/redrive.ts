import { Type } from 'typebox'
import { redriveMessages } from '../../core/delivery/redrive-messages.ts'
import { invalidField } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { channels } from '../../providers/provider.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/dead-letters/redrive',
  summary: 'Send messages again that were given up: those named, or all that fit the filter',
  body: fields({
    messageIds: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 1000 })),
    all: Type.Optional(Type.Boolean()),
    channel: Type.Optional(oneOf(channels)),
    integrationId: Type.Optional(Type.String()),
  }),
  response: Type.Object({
    redriven: Type.Integer(),
    hasMore: Type.Boolean({ description: 'With `all`: more are left than one call takes; call again.' }),
  }),
  async handler({ ctx, db, env, now, body }) {
    const { messageIds, all, channel, integrationId } = body
    if ((messageIds === undefined) === (all !== true)) {
      throw invalidField('messageIds', 'must be given, or all: true, and not both')
    }
    if (integrationId !== undefined && !isUuid7(integrationId)) return { redriven: 0, hasMore: false }
    const filter = {
      ...(messageIds && { messageIds: messageIds.filter(isUuid7) }),
      ...(channel !== undefined && { channel }),
      ...(integrationId !== undefined && { integrationId }),
    }
    return redriveMessages(ctx, db, env, filter, now)
  },
})
