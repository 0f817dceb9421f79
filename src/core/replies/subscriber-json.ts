import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { channelProviderIds } from '../../providers/provider-ids.ts'
import type { Db, Env } from '../../store/database.ts'
import { type ChannelRow, listChannels } from '../../store/subscriber-channels.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'

/** Spec 2.3. */
export const channelCredentialsSchema = Type.Object(
  {
    webhookUrl: Type.Optional(Type.String()),
    channel: Type.Optional(Type.String()),
    deviceTokens: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 4096 }))),
    alertUid: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    imageUrl: Type.Optional(Type.String()),
    state: Type.Optional(Type.String()),
    externalUrl: Type.Optional(Type.String()),
  },
  { title: 'ChannelCredentials', additionalProperties: false },
)
export type ChannelCredentials = Static<typeof channelCredentialsSchema>

const profileText = Type.Optional(nullable(Type.String()))

/** Spec 2.1. `topics` is deprecated and left out. */
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

/** What replies, templates and conditions all show of a person, in the specification's words. */
export function toProfileJson(row: SubscriberRow) {
  return {
    _id: row.id,
    subscriberId: row.subscriber_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    avatar: row.avatar,
    locale: row.locale,
    timezone: row.timezone,
    isOnline: row.is_online,
  }
}

/** Many at once: their channels are one query. */
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
    ...toProfileJson(row),
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

export function openChannel(ctx: Ctx, env: Env, row: ChannelRow): ChannelCredentials {
  return JSON.parse(ctx.sealer.open(secretPlaces.channel({ ...env, ...row }), row.credentials))
}

export function sealChannel(
  ctx: Ctx,
  env: Env,
  key: { subscriberId: string; integrationId: string },
  credentials: ChannelCredentials,
): string {
  return ctx.sealer.seal(secretPlaces.channel({ ...env, ...key }), JSON.stringify(credentials))
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
