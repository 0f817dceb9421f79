/**
 * Where somebody is reached at a vendor: a channel endpoint. The first seven types are those of the published clients;
 * the others are ours.
 */
export type EndpointOf = {
  slack_channel: { channelId: string }
  slack_user: { userId: string }
  webhook: { url: string; channel?: string }
  phone: { phoneNumber: string }
  ms_teams_channel: { teamId: string; channelId: string }
  ms_teams_user: { userId: string }
  telegram_chat: { chatId: string }
  google_chat_space: { spaceId: string }
  ntfy_topic: { topic: string }
  /** What a browser's `PushSubscription` holds. */
  web_push: { endpoint: string; keys: { p256dh: string; auth: string } }
}

export const endpointTypes = [
  'slack_channel',
  'slack_user',
  'webhook',
  'phone',
  'ms_teams_channel',
  'ms_teams_user',
  'telegram_chat',
  'google_chat_space',
  'ntfy_topic',
  'web_push',
] as const satisfies readonly (keyof EndpointOf)[]
export type EndpointType = (typeof endpointTypes)[number]

/** An endpoint with its type. */
export type Endpoint = { [T in EndpointType]: { type: T; endpoint: EndpointOf[T] } }[EndpointType]

/** Of push: such an endpoint is one device. */
export const deviceTypes: readonly EndpointType[] = ['ntfy_topic', 'web_push']

/** As a push provider gets it among its device tokens. Of chats: undefined. */
export function toDeviceToken({ type, endpoint }: Endpoint): string | undefined {
  if (type === 'ntfy_topic') return endpoint.topic
  if (type !== 'web_push') return undefined
  const { p256dh, auth } = endpoint.keys
  return JSON.stringify({ endpoint: endpoint.endpoint, keys: { p256dh, auth } })
}
