import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseForm } from '../callbacks/parse-callback.ts'
import { toCallback } from '../callbacks/to-callback.ts'
import type { Callback, InboundCall } from '../inbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { formFields } from '../shared/form-fields.ts'
import { field } from '../shared/reply-field.ts'

// https://www.twilio.com/docs/api/errors
const invalidNumber = ['21211', '21614', '21635', '30005', '30006'] // malformed, not mobile, landline, unknown, landline
const badAccount = ['20003', '20005', '21660'] // login, suspended, the sender is another account's
const queueFull = '21611'

export default defineProvider({
  id: 'twilio',
  channel: 'sms',
  displayName: 'Twilio',
  documentation: 'https://www.twilio.com/docs/messaging/api/message-resource',
  verified: 'documentation',
  needs: 'The account SID, and its auth token or an API key with its secret',
  credentials: {
    accountSid: named(text, 'Account SID', 'Begins with AC; shown at https://console.twilio.com.'),
    token: named(optional(secret), 'Auth token', 'Of the account. Not needed with an API key.'),
    apiKey: named(optional(secret), 'API key SID', 'Begins with SK. Used instead of the auth token.'),
    secretKey: named(optional(secret), 'API key secret', 'Shown once, when the API key is made.'),
    region: named(where(optional(text)), 'Region', 'us1 unless given; ie1 needs an auth token or API key made in ie1.'),
    from: named(optional(text), 'Sender', 'A number in E.164, a name, or a messaging service SID (MG…).'),
  },
  missing({ token, apiKey, secretKey }) {
    if (apiKey) return secretKey ? [] : ['secretKey']
    return token ? [] : ['token']
  },

  async send({ credentials, message, http, callbackUrl }) {
    const url = accountUrl(credentials, '/Messages.json')
    if (!url) return { kind: 'rejected', reason: badRegion(credentials), because: 'integration' }
    const authorization = authorizationOf(credentials)
    if (!authorization) return { kind: 'rejected', reason: noLogin, because: 'integration' }
    const sender = /^MG[0-9a-f]{32}$/.test(message.from ?? '') ? 'MessagingServiceSid' : 'From'
    const answer = await http({
      url,
      headers: { authorization },
      form: toPairs({
        To: message.to,
        [sender]: message.from,
        Body: message.content,
        StatusCallback: callbackUrl,
        ...message.overrides,
      }),
    })
    return readReply(answer, {
      success: (reply) => sentWith(field(reply.json, 'sid'), reply),
      failure: (reply) => readCode(String(field(reply.json, 'code')), reasonOf(reply)),
    })
  },

  async check({ credentials, http }) {
    const url = accountUrl(credentials, credentials.apiKey ? '/Messages.json?PageSize=1' : '.json')
    if (!url) return { kind: 'refused', reason: badRegion(credentials) }
    const authorization = authorizationOf(credentials)
    if (!authorization) return { kind: 'refused', reason: noLogin }
    const answer = await http({ method: 'GET', url, headers: { authorization } })
    if (answer.kind === 'reply' && field(answer.json, 'code') === notAllowed) {
      return { kind: 'refused', reason: `${reasonOf(answer)}. ${hintOfRestricted}` }
    }
    return readCheck(answer)
  },

  inbound: {
    mostBytes: 32 * 1024,
    key: {
      label: 'Auth token',
      help: 'The auth token of the account (console.twilio.com): with it Twilio signs its calls.',
    },
    perMessage: true,
    verify,
    read,
  },
})

// https://www.twilio.com/docs/global-infrastructure/edge-locations/legacy-regions: since April 2026 a host names its city
// too; the other old names were ways into the US. Outside the US only Ireland has SMS:
// https://www.twilio.com/docs/global-infrastructure/regional-product-and-feature-availability.
const unitedStates = 'api.twilio.com'
const hosts = new Map([
  ['ie1', 'api.dublin.ie1.twilio.com'],
  ...['us1', 'us2', 'br1', 'de1', 'jp1', 'sg1'].map((name): [string, string] => [name, unitedStates]),
])
const noLogin = 'there is neither an auth token nor an API key with its secret'
// https://www.twilio.com/docs/api/errors/70051: a key that is not known, or not allowed to do this
const notAllowed = 70051
const hintOfRestricted = 'A restricted key needs the permission to read messages for this check.'

function badRegion({ region }: { region: string | undefined }): string {
  if (region === 'au1') return 'Twilio has no SMS in the region au1: leave the region empty, or take ie1'
  return `the region is none of Twilio's for SMS: ${[...hosts.keys()].join(', ')}`
}

function accountUrl({ accountSid, region }: { accountSid: string; region: string | undefined }, rest: string) {
  const host = region ? hosts.get(region) : unitedStates
  return host && `https://${host}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}${rest}`
}

type Login = Record<'token' | 'apiKey' | 'secretKey', string | undefined> & { accountSid: string }

/** https://www.twilio.com/docs/iam/api-keys/keys-in-console: a standard key may do all but look at the account itself. */
function authorizationOf({ accountSid, token, apiKey, secretKey }: Login): string | undefined {
  if (apiKey) return secretKey && basicAuth(apiKey, secretKey)
  return token && basicAuth(accountSid, token)
}

/** A list is a field given several times, as for MediaUrl. */
function toPairs(fields: Record<string, unknown>): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().flatMap((item) => Object.entries(formFields({ [name]: item }))),
  )
}

function readCode(code: string, reason: string): Outcome | undefined {
  if (invalidNumber.includes(code)) return { kind: 'rejected', reason, because: 'gone' }
  if (badAccount.includes(code)) return { kind: 'rejected', reason, because: 'integration' }
  if (code === queueFull) return { kind: 'retry', reason, paces: true }
  return undefined
}

const sha1Bytes = 20

/** https://www.twilio.com/docs/usage/security: the URL and every field of the form, sorted; the key is the auth token. */
function verify({ headers, body, url, signingKey }: InboundCall): boolean {
  const given = Buffer.from(headers['x-twilio-signature'] ?? '', 'base64')
  if (signingKey === '' || given.length !== sha1Bytes) return false
  const form = parseForm(body)
  // Every report has fields. One of too many is read as an empty one.
  if (form.size === 0) return false
  const values = Map.groupBy(form, ([name]) => name)
  const fields = [...values.keys()].toSorted().flatMap((name) => {
    const ofName = new Set(values.get(name)?.map(([, value]) => value))
    return [...ofName].toSorted().map((value) => name + value)
  })
  const expected = createHmac('sha1', signingKey)
    .update(url + fields.join(''), 'utf8')
    .digest()
  return timingSafeEqual(given, expected)
}

/** https://www.twilio.com/docs/messaging/guides/track-outbound-message-status */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const form = parseForm(body)
  const [externalId, address, code] = ['MessageSid', 'To', 'ErrorCode'].map((name) => form.get(name))
  if (!externalId) return []
  const about = { externalId, messageId: undefined, address, reason: code && `error ${code}` }
  const status = form.get('MessageStatus')
  switch (status) {
    case 'delivered':
      return [toCallback({ kind: 'delivered', ...about, reason: undefined })]
    case 'failed':
    case 'undelivered':
      return [toCallback({ kind: 'bounced', permanent: invalidNumber.includes(code ?? ''), ...about })]
    case 'read':
      // Of WhatsApp.
      return [toCallback({ kind: 'opened', ...about, reason: undefined })]
    case null:
    case '':
    case 'accepted':
    case 'scheduled':
    case 'queued':
    case 'sending':
    case 'sent':
      return []
    default:
      return [toCallback({ kind: 'other', name: status, ...about })]
  }
}
