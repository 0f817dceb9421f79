import { readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, secret, text, where } from '../provider.ts'
import { googleTexts } from '../shared/google-texts.ts'
import { field } from '../shared/reply-field.ts'

/** Device tokens are the ids of authenticated users. */
export default defineProvider({
  id: 'pusher-beams',
  channel: 'push',
  displayName: 'Pusher Beams',
  documentation: 'https://pusher.com/docs/beams/reference/publish-api',
  verified: 'documentation',
  traceable: true,
  credentials: {
    instanceId: named(where(text), 'Instance ID', 'Under Keys of the instance: https://dashboard.pusher.com/beams.'),
    secretKey: named(secret, 'Secret key', 'On the same page, where it is called primary key.'),
  },
  tokensPerCall: 1000,

  async send({ credentials, message, http }) {
    const { instanceId, secretKey } = credentials
    if (!/^[a-z0-9-]+$/i.test(instanceId)) {
      return { kind: 'rejected', reason: 'instanceId is not the id of an instance', because: 'integration' }
    }
    const { title, body } = message
    const data = { ...message.data, tidings_message_id: message.id }
    const answer = await http({
      url: `https://${instanceId}.pushnotifications.pusher.com/publish_api/v1/instances/${instanceId}/publishes/users`,
      headers: { authorization: `Bearer ${secretKey}` },
      json: {
        apns: { aps: { alert: { title, body } }, data },
        fcm: { notification: { title, body }, data: googleTexts(data) },
        web: { notification: { title, body }, data },
        ...message.overrides,
        // Last: the outcome is that of these.
        users: message.tokens,
      },
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'publishId'), reply),
      // The path names only the instance: it is that which was not found.
      failure: (reply) =>
        reply.status === 404 ? { kind: 'rejected', reason: reasonOf(reply), because: 'integration' } : undefined,
    })
  },
})
