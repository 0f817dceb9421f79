import { type Outcome, readReply } from '../outcome.ts'
import { defineProvider, named, optional, secret } from '../provider.ts'
import { field } from '../shared/reply-field.ts'

/**
 * A ticket says that Expo took the message; what Apple or Google made of it is in the receipt, which nobody here fetches
 * yet.
 */
export default defineProvider({
  id: 'expo',
  channel: 'push',
  displayName: 'Expo Push',
  documentation: 'https://docs.expo.dev/push-notifications/sending-notifications/',
  verified: 'documentation',
  traceable: true,
  needs: 'Nothing, or an access token',
  credentials: {
    apiKey: named(optional(secret), 'Access token', 'Needed only with enhanced push security.'),
  },
  tokensPerCall: 100,

  async send({ credentials, message, http }) {
    // One text that is no token would make Expo refuse the whole call.
    const tokens = message.tokens.filter(isExpoToken)
    if (tokens.length === 0) return message.tokens.map(() => noToken)
    const answer = await http({
      url: 'https://exp.host/--/api/v2/push/send',
      headers: credentials.apiKey ? { authorization: `Bearer ${credentials.apiKey}` } : {},
      json: [
        {
          title: message.title,
          body: message.body,
          data: { ...message.data, tidings_message_id: message.id },
          ...message.overrides,
          // Last: there is one outcome for each of these.
          to: tokens,
        },
      ],
    })
    const whole = readReply(answer)
    const given = answer.kind === 'reply' ? field(answer.json, 'data') : undefined
    // Tickets belong to tokens by their order alone.
    const tickets: unknown[] = Array.isArray(given) && given.length === tokens.length ? given : []
    const outcomeOf = (token: string): Outcome => {
      if (whole.kind !== 'sent') return whole
      return toOutcome(tickets[tokens.indexOf(token)])
    }
    return message.tokens.map((token) => (isExpoToken(token) ? outcomeOf(token) : noToken))
  },
})

const noToken: Outcome = { kind: 'rejected', reason: 'not an Expo push token', because: 'gone' }

function isExpoToken(token: string): boolean {
  return /^Expo(nent)?PushToken\[.+\]$/.test(token) || /^[a-z\d]{8}-([a-z\d]{4}-){3}[a-z\d]{12}$/i.test(token)
}

function toOutcome(ticket: unknown): Outcome {
  const id = field(ticket, 'id')
  if (field(ticket, 'status') === 'ok') return { kind: 'sent', ...(typeof id === 'string' && { id }) }
  if (field(ticket, 'status') !== 'error') return { kind: 'unknown', reason: 'Expo gave no ticket for this device' }
  const error = field(ticket, 'details.error')
  const reason = `${error ?? 'error'}: ${field(ticket, 'message') ?? ''}`.slice(0, 500)
  switch (error) {
    case 'DeviceNotRegistered':
      return { kind: 'rejected', reason, because: 'gone' }
    // Too many to this one device.
    case 'MessageRateExceeded':
      return { kind: 'retry', reason }
    case 'InvalidCredentials':
    case 'MismatchSenderId':
      return { kind: 'rejected', reason, because: 'integration' }
    default:
      return { kind: 'rejected', reason }
  }
}
