import { Type } from 'typebox'
import { getVisibleConnection } from '../../core/channels/own-channels.ts'
import { ownConnectionSchema, toOwnConnectionJson } from '../../core/replies/channel-json.ts'
import { ApiError } from '../../errors.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

export default defineInboxRoute({
  method: 'GET',
  path: '/v1/inbox/channel-connections/{identifier}',
  summary: "Get a channel connection of one's own, or one that is shared in the session's contexts",
  query: fields({ connectionMode: Type.Optional(oneOf(['subscriber', 'shared'])) }),
  // Clients from 3.18.1 on read the whole body, those before its data.
  response: Type.Object({ ...ownConnectionSchema.properties, data: ownConnectionSchema }),
  async handler({ db, env, params, query, person }) {
    const shown = toOwnConnectionJson(await getVisibleConnection(db, env, person, params.identifier))
    const isOther = query.connectionMode !== undefined && query.connectionMode !== shown.connectionMode
    if (isOther) throw new ApiError('connection_not_found')
    return { ...shown, data: shown }
  },
})
