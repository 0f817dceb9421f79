import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Fault, HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readReply } from '../outcome.ts'
import { defineProvider, named, optional, type Receipt, secret } from '../provider.ts'
import { bytesOf, refuseLargePush } from '../shared/push-size.ts'
import { field } from '../shared/reply-field.ts'

/**
 * A ticket says that Expo took the message; what Apple or Google made of it is in the receipt, which has to be asked
 * for: https://docs.expo.dev/push-notifications/sending-notifications/#push-receipts. The errors of tickets are also in
 * src/ExpoClient.ts of https://github.com/expo/expo-server-sdk-node.
 */
export default defineProvider({
  id: 'expo',
  channel: 'push',
  displayName: 'Expo Push',
  documentation: 'https://docs.expo.dev/push-notifications/sending-notifications/',
  verified: 'documentation in part',
  traceable: true,
  needs: 'Nothing, or an access token',
  credentials: {
    apiKey: named(optional(secret), 'Access token', 'Needed only with enhanced push security.'),
  },
  tokensPerCall: 100,

  async send({ credentials, message, http }) {
    const content = {
      title: message.title,
      body: message.body,
      data: { ...message.data, tidings_message_id: message.id },
      ...message.overrides,
    }
    const size = bytesOf(content.title) + bytesOf(content.body) + bytesOf(content.data)
    const tooLarge = refuseLargePush('Expo', size)
    if (tooLarge) return message.tokens.map(() => tooLarge)
    const post = (tokens: string[]) =>
      http({
        url: `${api}/send`,
        headers: login(credentials),
        // The tokens last: there is one outcome for each of them.
        json: [{ ...content, to: tokens }],
      })
    // One text that is no token would make Expo refuse the whole call.
    const tokens = message.tokens.filter(isExpoToken)
    const outcomes = new Map<string, Outcome>()
    const sendTo = async (some: string[]) => {
      const answer = await post(some)
      for (const [n, outcome] of readTickets(answer, some.length).entries()) outcomes.set(some[n] ?? '', outcome)
      return answer
    }
    if (tokens.length > 0) {
      const answer = await sendTo(tokens)
      for (const some of projectsIn(answer, tokens)) await sendTo(some)
    }
    return message.tokens.map((token) => outcomes.get(token) ?? noToken)
  },

  // Expo asks to wait a quarter of an hour, and keeps them for a day.
  receipts: {
    afterMs: 15 * 60_000,
    keptMs: 24 * 3_600_000,
    perCall: 1_000,
    async ask({ credentials, tickets, http }) {
      const answer = await http({ url: `${api}/getReceipts`, headers: login(credentials), json: { ids: tickets } })
      if (readReply(answer).kind !== 'sent' || answer.kind !== 'reply') return null
      const found = field(answer.json, 'data')
      return new Map(
        Object.entries(isPlainObject(found) ? found : {}).flatMap(([id, receipt]) => toReceipt(id, receipt)),
      )
    },
  },
})

const api = 'https://exp.host/--/api/v2/push'

function login({ apiKey }: { apiKey: string | undefined }): Record<string, string> {
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {}
}

function toReceipt(id: string, receipt: unknown): [string, Receipt][] {
  switch (field(receipt, 'status')) {
    case 'ok':
      return [[id, { kind: 'delivered' }]]
    case 'error': {
      const isGone = field(receipt, 'details.error') === 'DeviceNotRegistered'
      return [[id, { kind: 'failed', reason: reasonIn(receipt), ...(isGone && { gone: true }) }]]
    }
    default:
      return []
  }
}

/** Tickets and receipts tell of errors alike. */
function reasonIn(told: unknown): string {
  return `${field(told, 'details.error') ?? 'error'}: ${field(told, 'message') ?? ''}`.slice(0, 500)
}

const noToken: Outcome = { kind: 'rejected', reason: 'not an Expo push token' }

function isExpoToken(token: string): boolean {
  return /^Expo(nent)?PushToken\[.+\]$/.test(token) || /^[a-z\d]{8}-([a-z\d]{4}-){3}[a-z\d]{12}$/i.test(token)
}

/** A call with tokens of several projects is refused whole, and the tokens of each are named: nothing was sent. */
function projectsIn(answer: HttpReply | Fault, tokens: readonly string[]): string[][] {
  const error = answer.kind === 'reply' ? field(answer.json, 'errors.0') : undefined
  if (field(error, 'code') !== 'PUSH_TOO_MANY_EXPERIENCE_IDS') return []
  const projects: unknown[] = Object.values(field(error, 'details') ?? {})
  const groups = projects.map((named) => tokens.filter((token) => Array.isArray(named) && named.includes(token)))
  return groups.filter((group) => group.length > 0)
}

/** Tickets belong to tokens by their order alone. */
function readTickets(answer: HttpReply | Fault, count: number): Outcome[] {
  const whole = readReply(answer)
  const given = answer.kind === 'reply' ? field(answer.json, 'data') : undefined
  const tickets: unknown[] = Array.isArray(given) && given.length === count ? given : []
  return Array.from({ length: count }, (_, n) => (whole.kind === 'sent' ? toOutcome(tickets[n]) : whole))
}

function toOutcome(ticket: unknown): Outcome {
  const id = field(ticket, 'id')
  if (field(ticket, 'status') === 'ok') return { kind: 'sent', ...(typeof id === 'string' && { id, receipt: id }) }
  if (field(ticket, 'status') !== 'error') return { kind: 'unknown', reason: 'Expo gave no ticket for this device' }
  const reason = reasonIn(ticket)
  switch (field(ticket, 'details.error')) {
    case 'DeviceNotRegistered':
      return { kind: 'rejected', reason, because: 'gone' }
    // Too many to this one device.
    case 'MessageRateExceeded':
      return { kind: 'retry', reason, paces: 'target' }
    // Expo, or Apple or Google behind it, was in trouble.
    case 'ExpoError':
    case 'ProviderError':
      return { kind: 'retry', reason }
    case 'InvalidCredentials':
    case 'MismatchSenderId':
      return { kind: 'rejected', reason, because: 'integration' }
    default:
      return { kind: 'rejected', reason }
  }
}
