import { Type } from 'typebox'
import { refuseOthersName } from '../../core/channels/own-channels.ts'
import { ownEndpointSchema, toOwnEndpointJson } from '../../core/replies/channel-json.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { listEndpoints } from '../../store/channels/endpoints.ts'

const exact = Type.Optional(Type.String())
const { after, before, limit } = cursorQuery([])
const { data, next, previous } = cursorPageOf(ownEndpointSchema).properties

export default defineInboxRoute({
  method: 'GET',
  path: '/v1/inbox/channel-endpoints',
  summary: "List one's own channel endpoints, without what is secret in them",
  query: fields({
    after,
    before,
    limit,
    subscriberId: Type.Optional(Type.String({ description: 'Not needed; nobody else may be named.' })),
    integrationIdentifier: exact,
    connectionIdentifier: exact,
    channel: exact,
    providerId: exact,
    contextKeys: Type.Optional(Type.Array(Type.String(), { description: 'Exactly these, each as `type:id`.' })),
  }),
  response: Type.Object({ data, next, previous }),
  async handler({ ctx, db, env, query, person }) {
    const { after: _after, before: _before, limit: _limit, subscriberId, contextKeys, ...given } = query
    refuseOthersName(person, subscriberId)
    const filter = {
      ...given,
      ...(contextKeys && { contextKeys: contextKeys.toSorted() }),
      ownerId: person.subscriber.id,
    }
    const page = await cursorList(
      { ctx, env, query },
      {
        name: 'inbox-channel-endpoints',
        filter,
        load: (request) => listEndpoints(db, env, filter, request),
        toJson: (rows) => rows.map(toOwnEndpointJson),
      },
    )
    return { data: page.data, next: page.next, previous: page.previous }
  },
})
