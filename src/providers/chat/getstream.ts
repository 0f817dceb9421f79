import { readReply } from '../outcome.ts'
import { defineProvider, named, optional, secret, url } from '../provider.ts'
import { withoutUrl } from '../shared/without-url.ts'

/**
 * Posts to the subscriber's own URL, with the key of the Stream app beside it: only to a server that the key is for,
 * because anybody may name a URL.
 */
export default defineProvider({
  id: 'getstream',
  channel: 'chat',
  displayName: 'GetStream',
  documentation: 'https://getstream.io/chat/docs/',
  verified: 'general knowledge',
  traceable: true,
  credentials: {
    apiKey: secret,
    baseUrl: named(optional(url), 'Base URL', "The server of the subscribers' URLs; unless given, Stream's own."),
  },

  async send({ credentials, message, http }) {
    if (!isTheirs(message.webhookUrl, credentials.baseUrl)) return foreign
    const answer = await http({
      url: message.webhookUrl,
      headers: { 'x-api-key': credentials.apiKey },
      json: { text: message.content, tidings_message_id: message.id, ...message.overrides },
    })
    return withoutUrl(readReply(answer, { ofTarget: true }), message.webhookUrl)
  },
})

const foreign = {
  kind: 'rejected',
  reason:
    "the webhookUrl is not on the server of the integration's baseUrl (without one: Stream's own), and the apiKey is sent to no other",
} as const

function isTheirs(webhookUrl: string, baseUrl: string | undefined): boolean {
  const place = URL.parse(webhookUrl)
  if (baseUrl) return place !== null && place.origin === URL.parse(baseUrl)?.origin
  return place?.protocol === 'https:' && /(^|\.)(stream-io-api\.com|getstream\.io)$/.test(place.hostname)
}
