import { type Static, Type } from 'typebox'
import { messageSchema } from '../../core/replies/message-json.ts'
import { subscriberSchema, toSubscriberJsons } from '../../core/replies/subscriber-json.ts'
import { invalidField } from '../../errors.ts'
import { profileProperties, subscriberIdInput } from '../../lib/inputs.ts'
import { fields, pageQuery, uncountedPageOf } from '../../lib/schemas.ts'
import { listSubscribersByPage } from '../../store/subscribers.ts'
import { defineAlias } from './define-alias.ts'

const one = '/v1/subscribers/{subscriberId}'
// Clients send what they read, with the channels that a person has not.
const channels = Type.Optional(
  Type.Unsafe<unknown>({
    type: ['array', 'null'],
    maxItems: 0,
    description: 'Only empty: PUT …/credentials sets them.',
  }),
)
const mark = fields({ seen: Type.Optional(Type.Boolean()), read: Type.Optional(Type.Boolean()) }, { minProperties: 1 })
const messageIds = Type.Unsafe<string | string[]>({
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1000 }],
})

export const olderSubscribers = [
  defineAlias({
    method: 'POST',
    path: '/v1/subscribers',
    to: 'subscribers-create',
    body: fields({ subscriberId: subscriberIdInput, ...profileProperties, channels }),
    async handler({ body: { channels: _none, ...profile }, next }) {
      return next({ body: profile })
    },
  }),
  defineAlias({
    method: 'GET',
    path: '/v1/subscribers',
    to: 'subscribers-search',
    query: fields(pageQuery(100)),
    response: uncountedPageOf(subscriberSchema),
    async handler({ ctx, db, env, query: { page = 0, limit = 10 } }) {
      const rows = await listSubscribersByPage(db, env, { page, limit })
      const data = await toSubscriberJsons(ctx, db, env, rows.slice(0, limit))
      return { page, pageSize: limit, hasMore: rows.length > limit, data }
    },
  }),
  defineAlias({ method: 'GET', path: one, to: 'subscribers-get' }),
  defineAlias({
    method: 'PUT',
    path: one,
    to: 'subscribers-update',
    body: fields({ subscriberId: Type.Optional(Type.String()), ...profileProperties, channels }),
    async handler({ body: { subscriberId: _inPath, channels: _none, ...profile }, next }) {
      return next({ body: profile })
    },
  }),
  defineAlias({ method: 'DELETE', path: one, to: 'subscribers-delete' }),
  defineAlias({
    method: 'PATCH',
    path: `${one}/online-status`,
    to: 'subscribers-online-status',
    body: fields(
      { isOnline: Type.Optional(Type.Boolean()), online: Type.Optional(Type.Boolean()) },
      { minProperties: 1 },
    ),
    async handler({ body: { isOnline, online }, next }) {
      return next({ body: { isOnline: isOnline ?? online } })
    },
  }),
  defineAlias({
    method: 'POST',
    path: `${one}/messages/markAs`,
    to: 'subscribers-messages-mark-as',
    body: fields({ messageId: messageIds, mark }),
    response: Type.Array(messageSchema),
    async handler({ body: { messageId, mark }, next }) {
      const names = namesOf(mark)
      if (names.length === 0) throw invalidField('mark', 'must say seen or read')
      let marked: unknown
      for (const markAs of names) marked = await next({ body: { messageId, markAs } })
      return marked
    },
  }),
]

/** One after the other, what was read last: who has read has seen. */
function namesOf({ seen, read }: Static<typeof mark>): string[] {
  return [
    ...(seen === undefined ? [] : [seen ? 'seen' : 'unseen']),
    ...(read === undefined ? [] : [read ? 'read' : 'unread']),
  ]
}
