import type { MessageRow } from '../../store/history/messages.ts'
import { devicesOf, type Reached } from '../channels/reached.ts'
import type { Channel, ChannelsOfPeople } from '../subscribers/channel-credentials.ts'

type Addressed = {
  row: Pick<MessageRow, 'channel' | 'endpoint_id' | 'context_keys'>
  subscriber: { id: string } | undefined
  channels: ChannelsOfPeople
}

/** `reached`: the endpoint of a chat message that names one. */
export type OwnChannel = Channel & { reached?: Reached }

/**
 * How the person of a message is reached through an integration now: by its endpoint, or by the subscriber's credentials.
 * Undefined: no longer.
 */
export function channelOf({ row, subscriber, channels }: Addressed, integrationId: string): OwnChannel | undefined {
  const own = subscriber && channels.get(subscriber.id)?.get(integrationId)
  if (row.channel === 'push') return own && { ...own, deviceTokens: devicesOf(own, row.context_keys) }
  if (row.endpoint_id === null) return own
  const reached = own?.endpoints?.find(({ id }) => id === row.endpoint_id)
  if (!reached) return undefined
  const to = reached.to()
  if (to.type !== 'webhook') return { reached }
  const { url, channel } = to.endpoint
  return { webhookUrl: url, ...(channel !== undefined && { channel }), reached }
}
