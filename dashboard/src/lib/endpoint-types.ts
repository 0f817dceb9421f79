import type { BodyOf } from '../api/calls.ts'
import type { ChannelEndpoint, Provider } from '../api/types.ts'

export type NewEndpoint = BodyOf<'post', '/v1/channel-endpoints'>
export type EndpointType = NewEndpoint['type']

export type EndpointField = {
  /** Its path in the endpoint. */
  name: string
  label: string
  hint?: string
  optional?: true
  /** Whoever knows it can send there: of an address only the host is shown, of a key nothing. */
  secret?: 'address' | 'key'
}

/** What an endpoint of each type is called, and what it holds. */
const types: Record<EndpointType, { words: string; fields: readonly EndpointField[] }> = {
  slack_channel: {
    words: 'Slack channel',
    fields: [
      {
        name: 'channelId',
        label: 'Channel ID',
        hint: 'Such as C0123ABCD: at the foot of what Slack tells about a channel.',
      },
    ],
  },
  slack_user: {
    words: 'Person in Slack',
    fields: [{ name: 'userId', label: 'Member ID', hint: "Such as U0123ABCD: in the menu of the person's profile." }],
  },
  webhook: {
    words: 'Webhook',
    fields: [
      { name: 'url', label: 'Webhook URL', secret: 'address' },
      { name: 'channel', label: 'Channel', optional: true },
    ],
  },
  phone: { words: 'Phone', fields: [{ name: 'phoneNumber', label: 'Phone number', hint: 'With the country: +49 …' }] },
  ms_teams_channel: {
    words: 'Teams channel',
    fields: [
      { name: 'teamId', label: 'Team ID' },
      { name: 'channelId', label: 'Channel ID', hint: 'Such as 19:…@thread.tacv2: in the link to the channel.' },
    ],
  },
  ms_teams_user: {
    words: 'Person in Teams',
    fields: [{ name: 'userId', label: 'User ID', hint: "The person's object ID in Microsoft Entra." }],
  },
  telegram_chat: {
    words: 'Telegram chat',
    fields: [{ name: 'chatId', label: 'Chat ID', hint: 'A number, or the @name of a public channel.' }],
  },
  google_chat_space: {
    words: 'Google Chat space',
    fields: [{ name: 'spaceId', label: 'Space ID', hint: 'Such as spaces/AAAA…: in the address of the space.' }],
  },
  ntfy_topic: { words: 'ntfy topic', fields: [{ name: 'topic', label: 'Topic' }] },
  web_push: {
    words: 'Browser',
    fields: [
      {
        name: 'endpoint',
        label: 'Endpoint',
        hint: "Of the browser's PushSubscription, as the two keys.",
        secret: 'address',
      },
      { name: 'keys.p256dh', label: 'Key p256dh', secret: 'key' },
      { name: 'keys.auth', label: 'Key auth', secret: 'key' },
    ],
  },
}

const isKnown = (type: string): type is EndpointType => Object.hasOwn(types, type)

/** A type of a newer server keeps its own name. */
export const typeWords = (type: string) => (isKnown(type) ? types[type].words : type.replaceAll('_', ' '))

export const fieldsOf = (type: string) => (isKnown(type) ? types[type].fields : [])

/** Those that the form can fill in. */
export const typesOf = ({ endpoints }: Provider) => endpoints.filter(isKnown)

/** Where it is, without what only sender and receiver should know. */
export function placeWords({ type, endpoint }: Pick<ChannelEndpoint, 'type' | 'endpoint'>): string {
  const places = fieldsOf(type).flatMap(({ name, label, secret }) => {
    const value = Object.entries(endpoint).find(([own]) => own === name)?.[1]
    if (typeof value !== 'string' || secret === 'key') return []
    return [secret === 'address' ? hostOf(value) : fieldsOf(type).length > 1 ? `${label} ${value}` : value]
  })
  return places.join(', ')
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'an address'
}

/** As the server takes it: `keys.auth` lies in `keys`. What was left empty is left out. */
export function toEndpoint(type: string, values: Record<string, string>): NewEndpoint['endpoint'] {
  const made: Record<string, unknown> = {}
  for (const { name } of fieldsOf(type)) {
    const text = values[name]?.trim()
    if (!text) continue
    const [first = '', inner] = name.split('.')
    made[first] = inner === undefined ? text : { ...Object(made[first]), [inner]: text }
  }
  // The server checks it by its type, and names the field.
  return made as NewEndpoint['endpoint']
}

/** Messages of this provider go to endpoints alone: people have no webhook, phone or device token for it. */
export function sendsToEndpointsOnly({ channel, endpoints }: Pick<Provider, 'channel' | 'endpoints'>): boolean {
  const hasAddress = endpoints.includes('webhook') || endpoints.includes('phone')
  return channel === 'chat' && endpoints.length > 0 && !hasAddress
}
