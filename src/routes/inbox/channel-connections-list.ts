import { Type } from 'typebox'
import { refuseOthersName } from '../../core/channels/own-channels.ts'
import { ownConnectionSchema, toOwnConnectionJson } from '../../core/replies/channel-json.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields, oneOf } from '../../lib/schemas.ts'
import { listConnections } from '../../store/channels/connections.ts'

const exact = Type.Optional(Type.String())
const { after, before, limit } = cursorQuery([])
const { data, next, previous } = cursorPageOf(ownConnectionSchema).properties

export default defineInboxRoute({
  method: 'GET',
  path: '/v1/inbox/channel-connections',
  summary: "List one's own channel connections, and those that are shared in the session's contexts",
  query: fields({
    after,
    before,
    limit,
    subscriberId: Type.Optional(Type.String({ description: 'Not needed; nobody else may be named.' })),
    integrationIdentifier: exact,
    channel: exact,
    providerId: exact,
    connectionMode: Type.Optional(oneOf(['subscriber', 'shared'])),
    contextKeys: Type.Optional(Type.Array(Type.String(), { description: 'Exactly these, each as `type:id`.' })),
  }),
  response: Type.Object({ data, next, previous }),
  async handler({ ctx, db, env, query, person }) {
    const { integrationIdentifier, channel, providerId, connectionMode, contextKeys } = query
    refuseOthersName(person, query.subscriberId)
    const filter = {
      visibleTo: { subscriberId: person.subscriber.id, contextKeys: person.contextKeys },
      ...(integrationIdentifier !== undefined && { integrationIdentifier }),
      ...(channel !== undefined && { channel }),
      ...(providerId !== undefined && { providerId }),
      ...(connectionMode !== undefined && { isShared: connectionMode === 'shared' }),
      ...(contextKeys && { contextKeys: contextKeys.toSorted() }),
    }
    const page = await cursorList(
      { ctx, env, query },
      {
        name: 'inbox-channel-connections',
        filter,
        load: (request) => listConnections(db, env, filter, request),
        toJson: (rows) => rows.map(toOwnConnectionJson),
      },
    )
    return { data: page.data, next: page.next, previous: page.previous }
  },
})
