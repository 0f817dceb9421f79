import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { toDeviceToken } from '../../providers/endpoint.ts'
import { deleteEndpoints } from '../../store/channels/endpoints.ts'
import type { Db, Env } from '../../store/database.ts'
import { type ChannelRow, listChannels, putChannel } from '../../store/subscriber-channels.ts'
import { lockSubscriber, type SubscriberRow, touchSubscriber } from '../../store/subscribers.ts'
import { loadReached } from '../channels/reached.ts'
import { openChannel, sealChannel } from './channel-credentials.ts'

type Scope = { ctx: Ctx; db: Db; env: Env; now: Date }

/** For devices that the vendor reports as gone. Locks the subscriber, so that a token added meanwhile stays. */
export async function removeDeviceTokens(
  ctx: Ctx,
  env: Env,
  { subscriberId, integrationId }: { subscriberId: string; integrationId: string },
  gone: readonly string[],
): Promise<void> {
  await ctx.database.write(env, async (db) => {
    const subscriber = await lockSubscriber(db, env, subscriberId)
    if (!subscriber) return
    const rows = await listChannels(db, env, [subscriber.id])
    const scope = { ctx, db, env, now: ctx.clock() }
    const channels = rows.filter((channel) => channel.integrationId === integrationId)
    await takeFrom(scope, subscriber, channels, gone)
    const endpoints =
      (await loadReached(ctx, db, env, [subscriber.id], { toSend: false })).get(subscriber.id)?.get(integrationId) ?? []
    const isGone = (token: string | undefined) => token !== undefined && gone.includes(token)
    const ids = endpoints.filter(({ to }) => isGone(toDeviceToken(to()))).map(({ id }) => id)
    if (ids.length > 0) await deleteEndpoints(db, env, ids)
  })
}

/** Of every integration of the provider. Throws 404 if the subscriber has nothing there. */
export async function forgetDeviceTokens(
  scope: Scope,
  subscriberId: string,
  providerId: string,
  tokens: readonly string[],
): Promise<SubscriberRow> {
  const { db, env } = scope
  const subscriber = await lockSubscriber(db, env, subscriberId)
  if (!subscriber) throw new ApiError('subscriber_not_found')
  const rows = await listChannels(db, env, [subscriber.id])
  const channels = rows.filter((channel) => channel.providerId === providerId)
  if (channels.length === 0) throw new ApiError('channel_not_found')
  return takeFrom(scope, subscriber, channels, tokens)
}

/** The subscriber as it is then: unchanged if none of the tokens was there. */
async function takeFrom(
  { ctx, db, env, now }: Scope,
  subscriber: SubscriberRow,
  channels: readonly ChannelRow[],
  tokens: readonly string[],
): Promise<SubscriberRow> {
  let isChanged = false
  for (const row of channels) {
    const channel = openChannel(ctx, env, row)
    const deviceTokens = channel.deviceTokens?.filter((token) => !tokens.includes(token)) ?? []
    if (deviceTokens.length === (channel.deviceTokens?.length ?? 0)) continue
    isChanged = true
    const key = { subscriberId: subscriber.id, integrationId: row.integrationId }
    await putChannel(db, env, key, sealChannel(ctx, env, key, { ...channel, deviceTokens }))
  }
  return isChanged ? touchSubscriber(db, env, subscriber.id, now) : subscriber
}
