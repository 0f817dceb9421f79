import { readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'
import { withoutPlus } from '../shared/without-plus.ts'

/**
 * The vendor calls it Spotler Message now. Ids and errors are documented; that the text is in `text` is from a client.
 * Clients of its other channels name it `body`: a trigger may give `message` whole.
 */
export default defineProvider({
  id: 'eazy-sms',
  channel: 'sms',
  displayName: 'Eazy',
  documentation: 'https://api.eazy.im/v3',
  verified: 'documentation in part',
  credentials: {
    apiKey: named(secret, 'API key', 'Of the account.'),
    channelId: named(text, 'Channel JID', 'The sender, like 31611111111@sms.eazy.im.'),
  },

  async send({ credentials, message, http }) {
    // Channels and contacts are Jabber ids; the channel is the sender.
    const channel = encodeURIComponent(credentials.channelId)
    const contact = encodeURIComponent(`${withoutPlus(message.to)}@sms.eazy.im`)
    const answer = await http({
      url: `https://api.eazy.im/v3/channels/${channel}/messages/${contact}`,
      headers: { authorization: `Bearer ${credentials.apiKey}` },
      json: { message: { type: 'text', text: message.content }, ...message.overrides },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'id'), reply) })
  },
})
