import { Type } from 'typebox'
import { endpointSchema, toEndpointJson } from '../../core/replies/channel-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { listEndpoints } from '../../store/channels/endpoints.ts'

const exact = Type.Optional(Type.String())

export default defineRoute({
  method: 'GET',
  path: '/v1/channel-endpoints',
  summary: 'List channel endpoints',
  query: fields({
    ...cursorQuery(['_id', 'createdAt', 'updatedAt']),
    subscriberId: exact,
    integrationIdentifier: exact,
    connectionIdentifier: exact,
    channel: exact,
    providerId: exact,
    contextKeys: Type.Optional(Type.Array(Type.String(), { description: 'Exactly these, each as `type:id`.' })),
  }),
  response: cursorPageOf(endpointSchema),
  async handler({ ctx, db, env, query }) {
    const { after, before, limit, orderBy, orderDirection, includeCursor, contextKeys, ...given } = query
    const filter = { ...given, ...(contextKeys && { contextKeys: contextKeys.toSorted() }) }
    return cursorList(
      { ctx, env, query },
      {
        name: 'channel-endpoints',
        filter,
        load: (page) => listEndpoints(db, env, filter, page),
        toJson: (rows) => rows.map((row) => toEndpointJson(ctx, env, row)),
      },
    )
  },
})
