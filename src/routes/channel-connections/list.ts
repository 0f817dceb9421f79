import { Type } from 'typebox'
import { connectionSchema, toConnectionJson } from '../../core/replies/channel-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields, oneOf } from '../../lib/schemas.ts'
import { listConnections } from '../../store/channels/connections.ts'

const exact = Type.Optional(Type.String())

export default defineRoute({
  method: 'GET',
  path: '/v1/channel-connections',
  summary: 'List channel connections: the workspaces that installed an app',
  query: fields({
    ...cursorQuery(['_id', 'createdAt', 'updatedAt']),
    subscriberId: exact,
    integrationIdentifier: exact,
    channel: exact,
    providerId: exact,
    connectionMode: Type.Optional(oneOf(['subscriber', 'shared'])),
    contextKeys: Type.Optional(Type.Array(Type.String(), { description: 'Exactly these, each as `type:id`.' })),
  }),
  response: cursorPageOf(connectionSchema),
  async handler({ ctx, db, env, query }) {
    const { subscriberId, integrationIdentifier, channel, providerId, connectionMode, contextKeys } = query
    const filter = {
      ...(subscriberId !== undefined && { subscriberId }),
      ...(integrationIdentifier !== undefined && { integrationIdentifier }),
      ...(channel !== undefined && { channel }),
      ...(providerId !== undefined && { providerId }),
      ...(connectionMode !== undefined && { isShared: connectionMode === 'shared' }),
      ...(contextKeys && { contextKeys: contextKeys.toSorted() }),
    }
    return cursorList(
      { ctx, env, query },
      {
        name: 'channel-connections',
        filter,
        load: (page) => listConnections(db, env, filter, page),
        toJson: (rows) => rows.map(toConnectionJson),
      },
    )
  },
})
