import { readReply } from '../outcome.ts'
import { defineProvider, secret } from '../provider.ts'
import { withoutUrl } from '../shared/without-url.ts'

/** Posts to the subscriber's own URL, with the key of the Stream app beside it. */
export default defineProvider({
  id: 'getstream',
  channel: 'chat',
  displayName: 'GetStream',
  documentation: 'https://getstream.io/chat/docs/',
  verified: 'general knowledge',
  traceable: true,
  credentials: {
    apiKey: secret,
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: message.webhookUrl,
      headers: { 'x-api-key': credentials.apiKey },
      json: { text: message.content, tidings_message_id: message.id, ...message.overrides },
    })
    return withoutUrl(readReply(answer), message.webhookUrl)
  },
})
