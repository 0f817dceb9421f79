import type { Fault, Http, HttpReply } from '../../lib/outbound.ts'
import { allowedUpdates, secretTokenOf, telegramUpdates } from '../bots/telegram-updates.ts'
import { type Outcome, readCheck, readReply, reasonOf, retryAfterMs, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, url } from '../provider.ts'
import type { ProviderTools } from '../provider-tools.ts'
import { joinUrl } from '../shared/join-url.ts'
import { field, textField } from '../shared/reply-field.ts'
import { hideUrl } from '../shared/without-url.ts'

/**
 * A bot. The requests are those of the documentation; what is refused, and in which words, is in the server that Telegram
 * runs: https://github.com/tdlib/telegram-bot-api (Client.cpp: `fail_query_with_error`, `check_chat_access`). It takes no
 * key by which a message would be sent once.
 */
export default defineProvider({
  id: 'telegram',
  channel: 'chat',
  displayName: 'Telegram',
  documentation: 'https://core.telegram.org/bots/api#sendmessage',
  verified: 'documentation in part',
  address: 'none',
  endpoints: ['telegram_chat'],
  credentials: {
    apiToken: named(secret, 'Bot token', 'From @BotFather, such as 123456:ABC-DEF.'),
    baseUrl: named(
      optional(url),
      'Bot API server',
      'Only for a server of your own; otherwise https://api.telegram.org.',
    ),
  },

  async send({ credentials, message, http }) {
    if (message.to?.type !== 'telegram_chat') {
      return { kind: 'rejected', reason: 'Telegram sends to endpoints of the type telegram_chat only' }
    }
    const { chatId } = message.to.endpoint
    // The chat last: the outcome is this chat's.
    const json = { text: message.content, ...message.overrides, chat_id: chatId }
    const tooLong = refuseLongText(json)
    if (tooLong) return tooLong
    const answer = await call(http, credentials, 'sendMessage', json)
    return readReply(answer, { success, failure: (reply) => failure(reply, chatId) })
  },

  check: async ({ credentials, http }) => readCheck(await call(http, credentials, 'getMe')),

  linking: {
    async url({ credentials, code, http, cached }) {
      if (!/^[\w-]{1,64}$/.test(code)) return { fault: 'Telegram takes codes of 1 to 64 letters, digits, _ and -' }
      const bot = await findUsername({ credentials, http, cached })
      return 'fault' in bot ? bot : { url: `https://t.me/${encodeURIComponent(bot.name)}?start=${code}` }
    },

    async listen({ credentials, callbackUrl, signingKey, http, cached }) {
      const bot = await findUsername({ credentials, http, cached })
      if ('fault' in bot) return bot
      const answer = await call(http, credentials, 'setWebhook', {
        url: callbackUrl,
        secret_token: secretTokenOf(signingKey),
        allowed_updates: allowedUpdates,
      })
      if (answer.kind === 'reply' && field(answer.json, 'result') === true) return bot
      return { fault: answer.kind === 'fault' ? answer.reason : reasonOf(answer) }
    },
  },

  inbound: telegramUpdates,
})

type Credentials = { readonly apiToken: string; readonly baseUrl: string | undefined }

/** The token is a part of the address, and servers quote addresses: it is taken out of what they say. */
async function call(
  http: Http,
  { apiToken, baseUrl }: Credentials,
  method: string,
  json: object = {},
): Promise<HttpReply | Fault> {
  // A colon may stand in a path as it is, and in Telegram's own examples it does.
  const token = encodeURIComponent(apiToken).replaceAll('%3A', ':')
  const url = joinUrl(baseUrl ?? 'https://api.telegram.org', `bot${token}/${method}`)
  const answer = await http({ url, json })
  const hide = (text: string) => hideUrl(hideUrl(text, url), apiToken)
  if (answer.kind === 'fault') return { ...answer, reason: hide(answer.reason) }
  const text = hide(answer.text)
  if (answer.status < 300) return { ...answer, text }
  const description = field(answer.json, 'description')
  const said = typeof description === 'string' ? { description: hide(description) } : {}
  const parameters = field(answer.json, 'parameters')
  return { ...answer, text, json: { ...said, parameters } }
}

// Bots are seldom renamed, and then the links made before are lost anyway.
const usernameMs = 24 * 3_600_000

async function findUsername({
  credentials,
  http,
  cached,
}: Pick<ProviderTools, 'http' | 'cached'> & { credentials: Credentials }): Promise<
  { name: string } | { fault: string }
> {
  const found = await cached('bot username', async () => {
    const answer = await call(http, credentials, 'getMe')
    const name = answer.kind === 'reply' ? textField(answer.json, 'result.username') : ''
    if (name !== '') return { token: name, expiresInMs: usernameMs }
    const outcome = readReply(answer, { failure: (reply) => failure(reply, '') })
    return { fault: outcome.kind === 'sent' ? { kind: 'unknown', reason: 'getMe told no username' } : outcome }
  })
  if ('token' in found) return { name: found.token }
  return { fault: found.fault.kind === 'sent' ? 'getMe told no username' : found.fault.reason }
}

// In characters, as TDLib counts for bots (MessageContent.cpp: utf8_length); spaces around the text do not count.
const mostCharacters = 4_096

/** With a `parse_mode` only Telegram can tell how much of the text is markup. */
function refuseLongText({ text, parse_mode }: { text?: unknown; parse_mode?: unknown }): Outcome | undefined {
  if (typeof text !== 'string' || text.length <= mostCharacters || parse_mode !== undefined) return undefined
  const count = [...text.trim()].length
  if (count <= mostCharacters) return undefined
  const [size, most] = [count, mostCharacters].map((it) => it.toLocaleString('en-US'))
  return { kind: 'rejected', reason: `the text has ${size} characters; Telegram takes ${most}: shorten it` }
}

/** A message's id is only its chat's. */
function success(reply: HttpReply): Outcome {
  const id = textField(reply.json, 'result.message_id')
  const chat = textField(reply.json, 'result.chat.id')
  return sentWith(id && chat ? `${chat}/${id}` : undefined, reply)
}

/** The person blocked the bot or deleted the account, or the group threw it out or was deleted. */
const gone =
  /blocked by the user|user is deactivated|bot was kicked from|group chat was (deleted|deactivated)|chat not found/

function failure(reply: HttpReply, chatId: string): Outcome | undefined {
  const reason = reasonOf(reply)
  const movedTo = textField(reply.json, 'parameters.migrate_to_chat_id')
  if (movedTo) {
    return { kind: 'retry', reason, movedTo: { type: 'telegram_chat', endpoint: { chatId: movedTo } } }
  }
  switch (reply.status) {
    case 400:
    // A refusal of this chat: others are not concerned. A bot that is not a member, or may not write, can be let in.
    case 403:
      return { kind: 'rejected', reason, ...(gone.test(reason) && { because: 'gone' }) }
    // Of no bot; of a bot that another server has.
    case 401:
    case 404:
    case 421:
      return { kind: 'rejected', reason, because: 'integration' }
    case 429:
      return toPause(reply, chatId)
  }
  return undefined
}

/**
 * Three limits share one answer, which does not say whose it is (https://core.telegram.org/bots/faq): some 30 messages in
 * a second over all, 20 in a minute to a group, one in a second to a chat. A group or channel mostly meets its own, by
 * far the lowest, and waits up to a minute: the others need not wait with it. A private chat gets few messages: there it
 * is mostly the bot's, and if it was a group's turn when that was reached, the next private chat tells it.
 */
function toPause(reply: HttpReply, chatId: string): Outcome {
  const seconds = field(reply.json, 'parameters.retry_after')
  const afterMs = typeof seconds === 'number' ? seconds * 1000 : retryAfterMs(reply.headers['retry-after'])
  const paces = /^\d/.test(chatId) ? true : 'target'
  return { kind: 'retry', reason: reasonOf(reply), paces, ...(afterMs !== undefined && { afterMs }) }
}
