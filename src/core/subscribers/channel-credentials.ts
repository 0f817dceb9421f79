import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import type { Db, Env } from '../../store/database.ts'
import { type ChannelRow, listChannels } from '../../store/subscriber-channels.ts'
import { loadReached, type Reached } from '../channels/reached.ts'

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

/** `gone`: a digest of the chat address that the vendor called gone (see target-pace.ts). */
export type Channel = ChannelCredentials & { gone?: string; endpoints?: readonly Reached[] }

/** Subscriber id → integration id → how the subscriber is reached through it. */
export type ChannelsOfPeople = Map<string, Map<string, Channel>>

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

/** `toSend`: with the workspaces of endpoints. */
export async function loadChannels(
  ctx: Ctx,
  db: Db,
  env: Env,
  subscriberIds: readonly string[],
  purpose: { toSend: boolean },
): Promise<ChannelsOfPeople> {
  const channels: ChannelsOfPeople = new Map()
  for (const row of await listChannels(db, env, subscriberIds)) {
    const ofSubscriber = channels.get(row.subscriberId) ?? new Map<string, Channel>()
    ofSubscriber.set(row.integrationId, { ...openChannel(ctx, env, row), ...(row.gone !== null && { gone: row.gone }) })
    channels.set(row.subscriberId, ofSubscriber)
  }
  for (const [subscriberId, byIntegration] of await loadReached(ctx, db, env, subscriberIds, purpose)) {
    const ofSubscriber = channels.get(subscriberId) ?? new Map<string, Channel>()
    for (const [id, endpoints] of byIntegration) ofSubscriber.set(id, { ...ofSubscriber.get(id), endpoints })
    channels.set(subscriberId, ofSubscriber)
  }
  return channels
}
