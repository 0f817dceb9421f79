import { createHash } from 'node:crypto'
import type { MessageRow } from '../../store/history/messages.ts'
import type { Suppressed } from '../addresses/suppressed-addresses.ts'
import type { Candidate } from '../integrations/candidates.ts'
import type { ChannelsOfPeople } from '../subscribers/channel-credentials.ts'
import { channelOf } from './channel-of.ts'

type Sending = {
  row: Pick<MessageRow, 'channel' | 'endpoint_id' | 'context_keys'>
  subscriber: { id: string; phone: string | null; locale: string | null } | undefined
  channels: ChannelsOfPeople
  suppressed: Suppressed
}

/**
 * A digest of what may differ between two tries of one message at one integration: its settings, the person's address
 * there, and who is left out. Another variant has another body or goes to another place, so it needs another key, and a
 * provider that knows the one may never have seen the other.
 *
 * Of the settings as they are sealed: the digest goes out with the key, and tells nothing about them. Sealing them anew
 * makes another variant.
 */
export function variantOf({ row, subscriber, channels, suppressed }: Sending, candidate: Candidate): string {
  const place = placeOf({ row, subscriber, channels }, candidate)
  const parts = [candidate.row.credentials, place, [...suppressed.leftOut].sort()]
  // A vendor that knows the key would leave out a device that was added since.
  if (row.channel === 'push') parts.push(channelOf({ row, subscriber, channels }, candidate.id)?.deviceTokens ?? [])
  // How a number is dialled follows the person's locale.
  if (row.channel === 'sms' && subscriber?.locale) parts.push([subscriber.locale])
  // These vendors are told with each message where to report.
  if (candidate.provider.inbound?.perMessage) parts.push(candidate.row.configurations)
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 8)
}

/** Where a person is reached in a chat through this integration. Of other channels: nothing. */
export function placeOf(
  { row, subscriber, channels }: Omit<Sending, 'suppressed'>,
  candidate: Candidate,
): (string | null | undefined)[] {
  if (row.channel !== 'chat') return []
  const own = channelOf({ row, subscriber, channels }, candidate.id)
  if (!own?.reached) return [own?.webhookUrl, own?.channel, subscriber?.phone]
  const { connection } = own.reached
  const to = own.reached.to()
  return [to.type, JSON.stringify(to.endpoint), connection?.workspace.id]
}
