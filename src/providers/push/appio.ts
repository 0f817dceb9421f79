import type { Fault, HttpReply } from '../../lib/outbound.ts'
import type { PushMessage } from '../message.ts'
import { type Outcome, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, url } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

/**
 * Device tokens are fiscal codes. Host, lengths, and that a citizen has to be looked up first:
 * https://github.com/pagopa/io-functions-services, openapi/index.yaml.
 */
export default defineProvider({
  id: 'appio',
  channel: 'push',
  displayName: 'AppIO',
  documentation:
    'https://docs.pagopa.it/io-guida-tecnica/api-e-specifiche/api-messaggi/submit-a-message-passing-the-user-fiscal_code-in-the-request-body',
  verified: 'documentation',
  needs: 'A subscription key, here or in the trigger',
  credentials: {
    apiKey: named(
      optional(secret),
      'Subscription key',
      'Of the service. A trigger may give it instead. A title has 10 to 120 characters, a body 80 to 10,000.',
    ),
    AppIOBaseUrl: named(optional(url), 'App.io base URL', 'https://api.io.pagopa.it/api/v1 unless given.'),
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
    const misfit = badLength(message)
    if (misfit) return { kind: 'rejected', reason: misfit }
    const base = (credentials.AppIOBaseUrl ?? 'https://api.io.pagopa.it/api/v1').replace(/(?<!\/)\/+$/, '')
    const headers = { 'ocp-apim-subscription-key': apiKey }
    // What a key of the trigger may not do says nothing about the integration.
    const readers = { failure, ...(credentials.apiKey === undefined && { ofTarget: true as const }) }
    const profile = await http({ url: `${base}/profiles`, headers, json: { fiscal_code: message.token } })
    const refusal = readProfile(profile, readers)
    if (refusal) return refusal
    const answer = await http({
      url: `${base}/messages`,
      headers,
      json: {
        content: { subject: message.title, markdown: message.body },
        ...overrides,
        // Last: the outcome is this citizen's.
        fiscal_code: message.token,
      },
    })
    return readReply(answer, { ...readers, success: (reply) => sentWith(field(reply.json, 'id'), reply) })
  },
})

/** Content of the trigger's own is left to the vendor. */
function badLength({ title, body, overrides }: PushMessage): string | undefined {
  if (overrides.content !== undefined) return undefined
  if (title.length < 10 || title.length > 120) return `the title has ${title.length} characters: App IO takes 10 to 120`
  if (body.length < 80 || body.length > 10_000) {
    return `the body has ${body.length} characters: App IO takes 80 to 10,000`
  }
  return undefined
}

/** Why there is to be no message; nothing when there may be one. So far nothing was sent, whatever went wrong. */
function readProfile(answer: HttpReply | Fault, readers: Parameters<typeof readReply>[1]): Outcome | undefined {
  const outcome = readReply(answer, readers)
  if (outcome.kind === 'unknown') return { kind: 'retry', reason: outcome.reason }
  if (outcome.kind !== 'sent') return outcome
  const isAllowed = answer.kind === 'fault' || field(answer.json, 'sender_allowed') !== false
  return isAllowed ? undefined : { kind: 'rejected', reason: 'the citizen switched this service off in App IO' }
}

/** A 403 may be about this one citizen: a service on trial writes to its testers only. */
function failure(reply: HttpReply): Outcome | undefined {
  if (reply.status !== 403 || !/recipient/i.test(reply.text)) return undefined
  return { kind: 'rejected', reason: reasonOf(reply) }
}
