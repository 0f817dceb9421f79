import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import {
  type TopicJson,
  topicKey,
  type topicMembersReply,
  topicName,
  toTopicJson,
} from '../../core/replies/topic-json.ts'
import { chunks } from '../../lib/chunks.ts'
import { fields, listOf } from '../../lib/schemas.ts'
import type { Env } from '../../store/database.ts'
import { listMembersAfter } from '../../store/topic-subscriptions.ts'
import { listTopicsByPage } from '../../store/topics.ts'
import { defineAlias, type Next } from './define-alias.ts'

const one = '/v1/topics/{topicKey}'
const topic = Type.Object({
  _id: Type.String(),
  _organizationId: Type.String(),
  _environmentId: Type.String(),
  key: Type.String(),
  name: Type.Optional(Type.String()),
})
const topicWithMembers = Type.Object({ ...topic.properties, subscribers: listOf(Type.String()) })
const members = fields({ subscribers: Type.Array(Type.String(), { minItems: 1, maxItems: 1000 }) })
type MembersReply = Static<typeof topicMembersReply>
const pageSize = Type.Optional(Type.Integer({ minimum: 1, maximum: 100 }))

export const olderTopics = [
  defineAlias({
    method: 'POST',
    path: '/v1/topics',
    to: 'topics-create',
    body: fields({ key: topicKey, name: topicName }),
    status: 201,
    response: Type.Object({ _id: Type.String(), key: Type.String() }),
    handler: ({ next }) => next({ query: { failIfExists: true } }),
  }),
  defineAlias({
    method: 'GET',
    path: '/v1/topics',
    to: 'topics-list',
    query: fields({
      page: Type.Optional(Type.Integer({ minimum: 0 })),
      pageSize,
      limit: pageSize,
      key: Type.Optional(Type.String({ description: 'The whole key.' })),
    }),
    response: Type.Object({
      page: Type.Integer(),
      pageSize: Type.Integer(),
      totalCount: Type.Integer(),
      data: Type.Array(topic),
    }),
    async handler({ db, env, query: { page = 0, limit = 10, pageSize = limit, key } }) {
      const { rows, totalCount } = await listTopicsByPage(db, env, { page, limit: pageSize, key: key ?? null })
      return { page, pageSize, totalCount, data: rows.map((row) => toOlder(env, toTopicJson(row))) }
    },
  }),
  defineAlias({
    method: 'GET',
    path: one,
    to: 'topics-get',
    response: topicWithMembers,
    async handler({ ctx, env, next }) {
      const found = await next<TopicJson>()
      return { ...toOlder(env, found), subscribers: memberIds(ctx, env, found._id) }
    },
  }),
  defineAlias({
    method: 'PATCH',
    path: one,
    to: 'topics-update',
    body: fields({ name: topicName }),
    response: topic,
    async handler({ env, next }) {
      return toOlder(env, await next<TopicJson>())
    },
  }),
  defineAlias({ method: 'DELETE', path: one, to: 'topics-delete', status: 204, response: null }),
  defineAlias({
    method: 'POST',
    path: `${one}/subscribers`,
    to: 'topics-subscriptions-add',
    body: members,
    status: 200,
    response: Type.Object({
      succeeded: Type.Array(Type.String()),
      failed: Type.Optional(Type.Object({ notFound: Type.Array(Type.String()) })),
    }),
    async handler({ body, next }) {
      const replies = await inHundreds<MembersReply>(body, next)
      const notFound = replies.flatMap(({ errors = [] }) => errors.map(({ subscriberId }) => subscriberId))
      return {
        succeeded: replies.flatMap(({ data }) => data.map(({ subscriber }) => subscriber.subscriberId)),
        ...(notFound.length > 0 && { failed: { notFound } }),
      }
    },
  }),
  defineAlias({
    method: 'POST',
    path: `${one}/subscribers/removal`,
    to: 'topics-subscriptions-remove',
    body: members,
    status: 204,
    response: null,
    handler: ({ body, next }) => inHundreds(body, next),
  }),
]

/** A call of today names at most a hundred. */
async function inHundreds<T>({ subscribers }: Static<typeof members>, next: Next): Promise<T[]> {
  const replies: T[] = []
  for (const subscriberIds of chunks([...new Set(subscribers)], 100)) {
    replies.push(await next<T>({ body: { subscriberIds } }))
  }
  return replies
}

function toOlder(env: Env, { _id, key, name }: TopicJson) {
  const place = { _organizationId: env.organizationId, _environmentId: env.environmentId }
  return { _id, ...place, key, ...(name !== undefined && { name }) }
}

/** All members, loaded while the reply is written: a topic may have a million. */
async function* memberIds(ctx: Ctx, env: Env, topicId: string): AsyncGenerator<string[]> {
  const load = (after: string | null) => ctx.database.read(env, (db) => listMembersAfter(db, env, topicId, after, 1000))
  let page = await load(null)
  while (page.length > 0) {
    yield page.map((member) => member.subscriber_id)
    page = await load(page.at(-1)?.membershipId ?? null)
  }
}
