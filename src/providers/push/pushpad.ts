import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, secret, text } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

/**
 * Device tokens are the uids the site gave its users. The token goes as Bearer and the fields of a notification beside
 * `uids`, as in the vendor's client of October 2025 (https://github.com/pushpad/pushpad-node, 2.0.0,
 * test/notifications.test.js); older ones and pages say `Token token="…"` and put them into `notification`.
 */
export default defineProvider({
  id: 'pushpad',
  channel: 'push',
  displayName: 'Pushpad',
  documentation: 'https://pushpad.xyz/docs/rest_api',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'Auth token', 'Made in the settings of the account.'),
    applicationId: named(text, 'Project ID', 'In the settings of the project: a number.'),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: `${projectOf(credentials)}/notifications`,
      headers: headersOf(credentials),
      json: {
        body: message.body,
        title: message.title || undefined,
        custom_data: JSON.stringify({ ...message.data, tidings_message_id: message.id }),
        ...message.overrides,
        // Last: the outcome is this user's.
        uids: [message.token],
      },
    })
    return readReply(answer, { success, failure })
  },

  check: async ({ credentials, http }) =>
    readCheck(await http({ method: 'GET', url: projectOf(credentials), headers: headersOf(credentials) })),
})

function projectOf({ applicationId }: { applicationId: string }): string {
  return `https://pushpad.xyz/api/v1/projects/${encodeURIComponent(applicationId)}`
}

function headersOf({ apiKey }: { apiKey: string }) {
  return { authorization: `Bearer ${apiKey}`, accept: 'application/json' }
}

/** `scheduled` counts the browsers it goes to: none is nobody reached. */
function success(reply: HttpReply): Outcome {
  if (field(reply.json, 'scheduled') === 0) return { kind: 'rejected', reason: 'no browser is subscribed for this uid' }
  return sentWith(field(reply.json, 'id'), reply)
}

/** 402: an invoice is not paid. 404: there is no such project. */
function failure(reply: HttpReply): Outcome | undefined {
  if (reply.status !== 402 && reply.status !== 404) return undefined
  return { kind: 'rejected', reason: reasonOf(reply), because: 'integration' }
}
