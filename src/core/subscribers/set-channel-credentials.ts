import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import type { Provider } from '../../providers/provider.ts'
import { channelProviderIds } from '../../providers/provider-ids.ts'
import type { Db, Env } from '../../store/database.ts'
import { type IntegrationRow, listIntegrations, lockIntegrations } from '../../store/integrations.ts'
import { listChannels, putChannel } from '../../store/subscriber-channels.ts'
import { lockSubscriber, type SubscriberRow, touchSubscriber } from '../../store/subscribers.ts'
import { createPlaceholder } from '../integrations/save-integration.ts'
import { type ChannelCredentials, channelCredentialsSchema, openChannel, sealChannel } from './channel-credentials.ts'

type Scope = { ctx: Ctx; db: Db; env: Env; now: Date }

/** The body of 4.1. */
export const channelInput = fields({
  providerId: oneOf(channelProviderIds),
  integrationIdentifier: Type.Optional(Type.String()),
  credentials: channelCredentialsSchema,
})
type Given = Static<typeof channelInput>

const maxDeviceTokens = 500

/**
 * Spec 4.1: appends device tokens without duplicates; other given fields replace. Locks the subscriber's row first, so
 * that concurrent calls lose nothing.
 */
export async function setChannelCredentials(scope: Scope, subscriberId: string, given: Given): Promise<SubscriberRow> {
  const { ctx, db, env, now } = scope
  const fault = given.credentials.webhookUrl === undefined ? null : ctx.guard.refuseUrl(given.credentials.webhookUrl)
  if (fault) throw invalidField('credentials.webhookUrl', fault)
  const subscriber = await lockSubscriber(db, env, subscriberId)
  if (!subscriber) throw new ApiError('subscriber_not_found')

  const integration = await chooseIntegration(scope, given)
  const key = { subscriberId: subscriber.id, integrationId: integration.id }
  const channels = await listChannels(db, env, [subscriber.id])
  const stored = channels.find((channel) => channel.integrationId === integration.id)
  const before = stored ? openChannel(ctx, env, stored) : null
  const after = mergeChannel(before ?? {}, given.credentials)
  // Given anew, an address that its vendor called gone is tried again.
  if (before && stored?.gone === null && canonicalJson(before) === canonicalJson(after)) return subscriber
  await putChannel(db, env, key, sealChannel(ctx, env, key, after))
  return touchSubscriber(db, env, subscriber.id, now)
}

/** The named one; else the provider's oldest active one, else its oldest; else a new placeholder. */
async function chooseIntegration(scope: Scope, given: Given): Promise<IntegrationRow> {
  const find = async () => {
    const all = await listIntegrations(scope.db, scope.env)
    const ofProvider = all.filter((integration) => integration.provider_id === given.providerId)
    const named = given.integrationIdentifier
    const found =
      named === undefined
        ? (ofProvider.find((integration) => integration.active) ?? ofProvider[0])
        : ofProvider.find((integration) => integration.identifier === named)
    if (named !== undefined && !found) {
      throw new ApiError('integration_not_found', {
        message: `No ${given.providerId} integration has the identifier "${named}".`,
      })
    }
    return { all, found }
  }
  const { found } = await find()
  if (found) return found
  await lockIntegrations(scope.db, scope.env)
  const again = await find()
  return again.found ?? createPlaceholder(scope, getProvider(scope.ctx, given.providerId), again.all)
}

function mergeChannel(before: ChannelCredentials, given: ChannelCredentials): ChannelCredentials {
  const { deviceTokens: added, ...replaced } = given
  const merged = { ...before, ...replaced }
  if (!added) return merged
  const deviceTokens = [...new Set([...(before.deviceTokens ?? []), ...added])]
  if (deviceTokens.length > maxDeviceTokens) {
    throw invalidField(
      'credentials.deviceTokens',
      `would be ${deviceTokens.length}; a channel holds at most ${maxDeviceTokens}`,
    )
  }
  return { ...merged, deviceTokens }
}

function getProvider(ctx: Ctx, id: string): Provider {
  const provider = ctx.providers.find(id)
  if (!provider) throw invalidField('providerId', 'is not a provider this service knows', id)
  return provider
}
