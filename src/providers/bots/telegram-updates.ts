import { createHash } from 'node:crypto'
import { parseCallback } from '../callbacks/parse-callback.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Inbound, InboundCall, PersonEvent } from '../inbound.ts'
import { field } from '../shared/reply-field.ts'
import { sameText } from '../shared/same-text.ts'

/**
 * What people tell a bot: https://core.telegram.org/bots/api#update. It hears nothing about messages of its own. An
 * update may come twice, until we have answered 2xx; that does no harm: a chat that is linked, gone or moved is so, and
 * Telegram keeps the order of one chat.
 */
export const telegramUpdates: Inbound = {
  // The longest text is 4,096 characters, of up to twelve bytes each. The message that it answers or pins comes along.
  mostBytes: 256 * 1024,
  key: {
    label: 'Webhook secret',
    help: 'Any long random text. The bot is told a token made of it when its webhook is set; nothing is entered at Telegram.',
  },
  verify: ({ headers, signingKey }) =>
    signingKey !== '' && sameText(headers['x-telegram-bot-api-secret-token'] ?? '', secretTokenOf(signingKey)),
  read: () => [],
  people,
}

/** What `setWebhook` is told to ask for. */
export const allowedUpdates = ['message', 'my_chat_member']

/** Telegram takes 1 to 256 of A-Z, a-z, 0-9, _ and -; a signing key may hold anything. */
export function secretTokenOf(signingKey: string): string {
  return createHash('sha256').update(`telegram ${signingKey}`, 'utf8').digest('hex')
}

function people({ body }: Pick<InboundCall, 'body'>): PersonEvent[] {
  const update = parseCallback(body)
  return [...readMessage(field(update, 'message')), ...readMember(field(update, 'my_chat_member'))]
}

// https://core.telegram.org/bots/features#deep-linking
const start = /^\/start(?:@\w{1,64})? ([\w-]{1,64})$/

function readMessage(message: unknown): PersonEvent[] {
  const chat = toChat(field(message, 'chat.id'))
  if (!chat) return []
  const text = field(message, 'text')
  const code = typeof text === 'string' ? start.exec(text)?.[1] : undefined
  // In a group the code would be everybody's.
  if (code !== undefined && field(message, 'chat.type') === 'private') return [{ kind: 'linked', code, endpoint: chat }]
  // A group that became a supergroup. Both say so, and the second may be all that comes.
  const to = toChat(field(message, 'migrate_to_chat_id'))
  if (to) return [{ kind: 'moved', from: chat, to }]
  const from = toChat(field(message, 'migrate_from_chat_id'))
  return from ? [{ kind: 'moved', from, to: chat }] : []
}

/** `kicked` in a private chat: the person blocked the bot; `member`: they started it again. */
function readMember(member: unknown): PersonEvent[] {
  const endpoint = toChat(field(member, 'chat.id'))
  const status = field(member, 'new_chat_member.status')
  if (!endpoint) return []
  if (status === 'kicked' || status === 'left') return [{ kind: 'left', endpoint }]
  return status === 'member' || status === 'administrator' ? [{ kind: 'back', endpoint }] : []
}

/** The ids have up to 52 bits. */
function toChat(id: unknown): Extract<Endpoint, { type: 'telegram_chat' }> | undefined {
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id === 0) return undefined
  return { type: 'telegram_chat', endpoint: { chatId: String(id) } }
}
