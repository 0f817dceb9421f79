import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, url } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

/** Device tokens are fiscal codes. */
export default defineProvider({
  id: 'appio',
  channel: 'push',
  displayName: 'AppIO',
  documentation:
    'https://docs.pagopa.it/io-guida-tecnica/api-e-specifiche/api-messaggi/submit-a-message-passing-the-user-fiscal_code-in-the-request-body',
  verified: 'documentation',
  needs: 'A subscription key, here or in the trigger',
  credentials: {
    apiKey: named(optional(secret), 'Subscription key', 'Of the service. A trigger may give it instead.'),
    AppIOBaseUrl: named(optional(url), 'App.io base URL', 'https://api.io.italia.it/api/v1 unless given.'),
  },

  async send({ credentials, message, http }) {
    const { apiKey: ofTrigger, ...overrides } = message.overrides
    const apiKey = credentials.apiKey ?? ofTrigger
    if (typeof apiKey !== 'string' || apiKey === '') {
      return {
        kind: 'rejected',
        reason: 'neither the integration nor the trigger has an apiKey',
        because: 'integration',
      }
    }
    const answer = await http({
      url: `${(credentials.AppIOBaseUrl ?? 'https://api.io.italia.it/api/v1').replace(/(?<!\/)\/+$/, '')}/messages`,
      headers: { 'ocp-apim-subscription-key': apiKey },
      json: {
        content: { subject: message.title, markdown: message.body },
        ...overrides,
        // Last: the outcome is this citizen's.
        fiscal_code: message.token,
      },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'id'), reply), failure })
  },
})

/** A 403 may be about this one citizen: a service on trial writes to its testers only. */
function failure(reply: HttpReply): Outcome | undefined {
  if (reply.status !== 403 || !/recipient/i.test(reply.text)) return undefined
  return { kind: 'rejected', reason: reasonOf(reply) }
}
