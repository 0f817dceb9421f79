import type { Ctx } from '../../context.ts'
import type { Env } from '../../store/database.ts'
import { listChannels, putChannel } from '../../store/subscriber-channels.ts'
import { lockSubscriber, touchSubscriber } from '../../store/subscribers.ts'
import { openChannel, sealChannel } from './channel-credentials.ts'

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
    const row = rows.find((channel) => channel.integrationId === integrationId)
    if (!row) return
    const channel = openChannel(ctx, env, row)
    const deviceTokens = (channel.deviceTokens ?? []).filter((token) => !gone.includes(token))
    const key = { subscriberId: subscriber.id, integrationId }
    await putChannel(db, env, key, sealChannel(ctx, env, key, { ...channel, deviceTokens }))
    await touchSubscriber(db, env, subscriber.id, ctx.clock())
  })
}
