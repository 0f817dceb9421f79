import { readReply } from '../outcome.ts'
import { defineProvider } from '../provider.ts'
import { withoutUrl } from '../shared/without-url.ts'

/** In Ryver's own format. Its replies are not documented: the common rules apply. */
export default defineProvider({
  id: 'ryver',
  channel: 'chat',
  displayName: 'Ryver',
  documentation: 'https://api.ryver.com/ryvhooks_simple_incoming.html',
  verified: 'documentation in part',
  usesSubscriberWebhook: true,
  credentials: {},

  async send({ message, http }) {
    const answer = await http({ url: message.webhookUrl, json: { body: message.content, ...message.overrides } })
    return withoutUrl(readReply(answer, { ofTarget: true }), message.webhookUrl)
  },
})
