import type { HttpReply } from '../../lib/outbound.ts'
import { sinchCallbacks } from '../callbacks/sinch.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { choice, defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { field, textField } from '../shared/reply-field.ts'

const regions = ['us', 'eu', 'au', 'br', 'ca']

export default defineProvider({
  id: 'sinch',
  channel: 'sms',
  displayName: 'Sinch',
  documentation: 'https://developers.sinch.com/docs/sms/api-reference/sms/batches',
  verified: 'documentation',
  traceable: true,
  credentials: {
    accountSid: named(text, 'Service plan ID', 'Shown at https://dashboard.sinch.com/sms/api/rest.'),
    apiToken: named(secret, 'API token', 'Of that service plan.'),
    region: named(where(choice(...regions)), 'Region', 'A service plan lives in one.'),
    from: named(optional(text), 'Sender', 'A number or name of the service plan, which has a default.'),
  },

  async send({ credentials, message, http, callbackUrl }) {
    const url = batchesUrl(credentials)
    if (!url) return { kind: 'rejected', reason: unknownRegion, because: 'integration' }
    const answer = await http({
      url,
      headers: { authorization: `Bearer ${credentials.apiToken}` },
      json: {
        from: message.from,
        to: [message.to],
        body: message.content,
        client_reference: message.id,
        callback_url: callbackUrl,
        delivery_report: callbackUrl && 'per_recipient_final',
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'id'), reply),
      failure: readError,
    })
  },

  async check({ credentials, http }) {
    const url = batchesUrl(credentials)
    if (!url) return { kind: 'refused', reason: unknownRegion }
    const headers = { authorization: `Bearer ${credentials.apiToken}` }
    return readCheck(await http({ method: 'GET', url: `${url}?page_size=1`, headers }))
  },

  inbound: sinchCallbacks,
})

/** `code` is a word for programs, `text` one for people. */
function readError(reply: HttpReply): Outcome | undefined {
  if (reply.status === 429 || reply.status >= 500) return undefined
  const code = textField(reply.json, 'code')
  const words = textField(reply.json, 'text')
  const reason = (code && words ? `${reply.status} ${code}: ${words}` : reasonOf(reply)).slice(0, 500)
  // Not a number to which a text can be sent.
  if (code === 'illegal_number_type') return { kind: 'rejected', reason }
  const isOurs = reply.status === 401 || reply.status === 402 || reply.status === 403
  if (!isOurs && reply.status !== 400) return undefined
  return { kind: 'rejected', reason, ...(isOurs && { because: 'integration' }) }
}

const unknownRegion = `the region is none of Sinch's: ${regions.join(', ')}`

function batchesUrl({ region, accountSid }: { region: string; accountSid: string }): string | undefined {
  if (!regions.includes(region)) return undefined
  return `https://${region}.sms.api.sinch.com/xms/v1/${encodeURIComponent(accountSid)}/batches`
}
