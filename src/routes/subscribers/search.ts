import { Type } from 'typebox'
import { subscriberSchema, toSubscriberJsons } from '../../core/replies/subscriber-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { searchSubscribers } from '../../store/subscribers.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/subscribers',
  summary: 'Search subscribers',
  query: fields({
    ...cursorQuery(['_id', 'createdAt', 'updatedAt', 'subscriberId'], 1000),
    email: Type.Optional(Type.String({ description: 'A part of the e-mail address, case-sensitive.' })),
    name: Type.Optional(Type.String({ description: 'A part of "first last", case-sensitive.' })),
    phone: Type.Optional(Type.String({ description: 'A part of the phone number.' })),
    subscriberId: Type.Optional(Type.String({ description: 'The whole subscriberId.' })),
    search: Type.Optional(
      Type.String({
        description:
          'A part of name, e-mail address or phone number in upper or lower case, or the whole subscriberId.',
      }),
    ),
  }),
  response: cursorPageOf(subscriberSchema),
  async handler({ ctx, db, env, query }) {
    const { email, name, phone, subscriberId, search } = query
    const filter = {
      ...(email !== undefined && { email }),
      ...(name !== undefined && { name }),
      ...(phone !== undefined && { phone }),
      ...(subscriberId !== undefined && { subscriberId }),
      ...(search !== undefined && { search }),
    }
    return cursorList(
      { ctx, env, query },
      {
        name: 'subscribers',
        filter,
        load: (page) => searchSubscribers(db, env, filter, page),
        toJson: (rows) => toSubscriberJsons(ctx, db, env, rows),
      },
    )
  },
})
