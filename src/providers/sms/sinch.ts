import { sinchCallbacks } from '../callbacks/sinch.ts'
import { readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { choice, defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

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
      failure: (reply) =>
        reply.status === 402 ? { kind: 'rejected', reason: reasonOf(reply), because: 'integration' } : undefined,
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

const unknownRegion = `the region is none of Sinch's: ${regions.join(', ')}`

function batchesUrl({ region, accountSid }: { region: string; accountSid: string }): string | undefined {
  if (!regions.includes(region)) return undefined
  return `https://${region}.sms.api.sinch.com/xms/v1/${encodeURIComponent(accountSid)}/batches`
}
