import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { channelProviderIds } from '../../providers/provider-ids.ts'
import type { Db, Env } from '../../store/database.ts'
import { type ChannelRow, listChannels } from '../../store/subscriber-channels.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { channelCredentialsSchema, openChannel } from '../subscribers/channel-credentials.ts'
import { toProfile } from '../subscribers/profile.ts'

const profileText = Type.Optional(nullable(Type.String()))

/** Spec 2.1. `topics` is deprecated and not sent. */
export const subscriberSchema = Type.Object(
  {
    _id: Type.String(),
    subscriberId: Type.String(),
    firstName: profileText,
    lastName: profileText,
    email: profileText,
    phone: profileText,
    avatar: profileText,
    locale: profileText,
    channels: Type.Array(
      Type.Object(
        {
          providerId: oneOf(channelProviderIds),
          integrationIdentifier: Type.Optional(Type.String()),
          credentials: channelCredentialsSchema,
          _integrationId: Type.String(),
        },
        { title: 'ChannelSettings' },
      ),
    ),
    topics: Type.Optional(Type.Array(Type.String(), { deprecated: true, description: 'Not sent.' })),
    isOnline: Type.Optional(nullable(Type.Boolean())),
    lastOnlineAt: profileText,
    __v: Type.Integer(),
    data: Type.Optional(nullable(freeObject)),
    timezone: profileText,
    _organizationId: Type.String(),
    _environmentId: Type.String(),
    deleted: Type.Boolean(),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Subscriber' },
)
export type SubscriberJson = Static<typeof subscriberSchema>

/** Many subscribers, with one query for their channels. */
export async function toSubscriberJsons(
  ctx: Ctx,
  db: Db,
  env: Env,
  rows: readonly SubscriberRow[],
): Promise<SubscriberJson[]> {
  if (rows.length === 0) return []
  const channels = Map.groupBy(
    await listChannels(
      db,
      env,
      rows.map((row) => row.id),
    ),
    (channel) => channel.subscriberId,
  )
  return rows.map((row) => ({
    ...toProfile(row),
    channels: (channels.get(row.id) ?? []).flatMap((channel) => toChannelJson(ctx, env, channel)),
    lastOnlineAt: row.last_online_at?.toISOString() ?? null,
    __v: row.version,
    data: isPlainObject(row.data) ? row.data : null,
    _organizationId: env.organizationId,
    _environmentId: env.environmentId,
    deleted: false,
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
}

export async function toSubscriberJson(ctx: Ctx, db: Db, env: Env, row: SubscriberRow): Promise<SubscriberJson> {
  const [json] = await toSubscriberJsons(ctx, db, env, [row])
  if (!json) throw new Error('one row in, one out')
  return json
}

function toChannelJson(ctx: Ctx, env: Env, row: ChannelRow): SubscriberJson['channels'] {
  const providerId = channelProviderIds.find((id) => id === row.providerId)
  if (!providerId) return []
  return [
    {
      providerId,
      integrationIdentifier: row.integrationIdentifier,
      credentials: openChannel(ctx, env, row),
      _integrationId: row.integrationId,
    },
  ]
}
