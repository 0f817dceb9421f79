import { type ReceivedRequest, type Scripted, startHttpReceiver } from '../peers/http-receiver.ts'

/** What a bot posted. `body`: the bytes of the request. */
export type Posted = { chatId: number; messageId: number; body: string; json: Record<string, unknown> }

type Chat = {
  id: number
  type: 'private' | 'group' | 'supergroup'
  /** Why nothing can be posted there. */
  fault?: { code: number; description: string; parameters?: object }
}
type Webhook = { url: string; secretToken: string; allowed: string[] }

/**
 * Telegram's Bot API as its server has it (github.com/tdlib/telegram-bot-api), in its local mode, which calls webhooks
 * by plain HTTP and on any port. `limited`: with the limits of https://core.telegram.org/bots/faq.
 */
export async function startTelegram({ limited = false } = {}) {
  const server = await startHttpReceiver()
  const state = {
    token: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
    nowMs: Date.UTC(2026, 0, 2),
    chats: new Map<number, Chat>(),
    posted: [] as Posted[],
    sentAt: [] as { chatId: number; atMs: number }[],
    webhook: undefined as Webhook | undefined,
    updates: 10_000,
    limited,
  }
  server.answer = (request) => answer(state, request)
  const change = (id: number, fault: NonNullable<Chat['fault']>) => {
    state.chats.set(id, { ...chatOf(state, id), fault })
  }
  return {
    url: server.url,
    port: server.port,
    posted: state.posted,
    /** What it was asked, posted or not. */
    requests: server.requests,
    get token() {
      return state.token
    },
    webhook: () => state.webhook,
    advance(ms: number) {
      state.nowMs += ms
    },
    /** A person who pressed Start, or with a negative id a group that the bot is in. */
    open(id: number) {
      state.chats.set(id, { id, type: id < 0 ? 'group' : 'private' })
    },
    /** Says something to the bot, which hears of it where its webhook is. The status of what that answered. */
    say(id: number, text: string): Promise<number | undefined> {
      if (!state.chats.has(id)) state.chats.set(id, { id, type: id < 0 ? 'group' : 'private' })
      const entities = text.startsWith('/')
        ? [{ type: 'bot_command', offset: 0, length: text.split(' ', 1)[0]?.length }]
        : []
      return tell(state, { message: { ...messageIn(state, id), text, ...(entities.length > 0 && { entities }) } })
    },
    /** A person blocks the bot; a group throws it out. */
    block(id: number): Promise<number | undefined> {
      const words = id < 0 ? 'bot was kicked from the group chat' : 'bot was blocked by the user'
      change(id, { code: 403, description: `Forbidden: ${words}` })
      return tell(state, { my_chat_member: memberIn(state, id, 'kicked') })
    },
    /** Nobody tells the bot. */
    deactivate(id: number) {
      change(id, { code: 403, description: 'Forbidden: user is deactivated' })
    },
    /** A group becomes a supergroup; both tell it. */
    async migrate(from: number, to: number): Promise<(number | undefined)[]> {
      const parameters = { migrate_to_chat_id: to }
      change(from, { code: 400, description: 'Bad Request: group chat was upgraded to a supergroup chat', parameters })
      state.chats.set(to, { id: to, type: 'supergroup' })
      return [
        await tell(state, { message: { ...messageIn(state, from), migrate_to_chat_id: to } }),
        await tell(state, { message: { ...messageIn(state, to), migrate_from_chat_id: from } }),
      ]
    },
    /** As BotFather's /revoke. */
    revoke() {
      state.token = '110201543:AAH-another-token-altogether-0000000'
    },
    close: server.close,
  }
}

type State = {
  token: string
  nowMs: number
  chats: Map<number, Chat>
  posted: Posted[]
  sentAt: { chatId: number; atMs: number }[]
  webhook: Webhook | undefined
  updates: number
  limited: boolean
}
type Fields = Record<string, unknown>

function answer(state: State, { url, body, json }: ReceivedRequest): Scripted {
  const [, token, method = ''] = /^\/bot([^/]*)\/([^/?]*)/.exec(url) ?? []
  if (token === undefined) return refuse(404, 'Not Found')
  if (!/^[1-9]\d*:/.test(token) || token.length > 80) return refuse(401, 'Unauthorized: invalid token specified')
  if (token !== state.token) return refuse(401, 'Unauthorized')
  const fields = isFields(json) ? json : {}
  switch (method.toLowerCase()) {
    case 'getme':
      return accept({ id: 110201543, is_bot: true, first_name: 'Acme', username: 'acme_bot' })
    case 'sendmessage':
      return sendMessage(state, fields, body.toString())
    case 'setwebhook':
      return setWebhook(state, fields)
  }
  return refuse(404, 'Not Found: method not found')
}

function sendMessage(state: State, json: Fields, body: string): Scripted {
  const text = typeof json.text === 'string' ? json.text : ''
  const shown = (json.parse_mode === 'HTML' ? text.replace(/<[^>]*>/g, '') : text).trim()
  if (shown === '') return refuse(400, 'Bad Request: message text is empty')
  if ([...shown].length > 4_096) return refuse(400, 'Bad Request: message is too long')
  if (String(json.chat_id ?? '') === '') return refuse(400, 'Bad Request: chat_id is empty')
  const chat = state.chats.get(Number(json.chat_id))
  if (!chat) return refuse(400, 'Bad Request: chat not found')
  if (chat.fault) return refuse(chat.fault.code, chat.fault.description, chat.fault.parameters)
  const seconds = state.limited ? secondsToWait(state, chat) : 0
  if (seconds > 0) return tooMany(seconds)
  state.sentAt.push({ chatId: chat.id, atMs: state.nowMs })
  const messageId = state.posted.push({ chatId: chat.id, messageId: state.posted.length + 1, body, json })
  return accept({ message_id: messageId, date: secondsOf(state), chat: { id: chat.id, type: chat.type }, text: shown })
}

/** One in a second to a chat, 20 in a minute to a group, 30 in a second over all. */
function secondsToWait({ sentAt, nowMs }: State, chat: Chat): number {
  const limits = [
    { most: 30, withinMs: 1_000, counts: () => true },
    { most: 1, withinMs: 1_000, counts: (id: number) => id === chat.id },
    { most: 20, withinMs: 60_000, counts: (id: number) => id === chat.id && chat.type !== 'private' },
  ]
  const waits = limits.map(({ most, withinMs, counts }) => {
    const recent = sentAt.filter(({ chatId, atMs }) => counts(chatId) && atMs > nowMs - withinMs)
    const first = recent.at(-most)
    return recent.length < most || !first ? 0 : Math.ceil((first.atMs + withinMs - nowMs) / 1000)
  })
  return Math.max(...waits)
}

function setWebhook(state: State, { url, secret_token, allowed_updates }: Fields): Scripted {
  const secretToken = String(secret_token ?? '')
  if (typeof url !== 'string' || !URL.canParse(url)) return refuse(400, 'Bad Request: invalid webhook URL specified')
  if (secretToken.length > 256) return refuse(400, 'Bad Request: secret token is too long')
  if (!/^[\w-]*$/.test(secretToken)) return refuse(400, 'Bad Request: secret token contains unallowed characters')
  const allowed = Array.isArray(allowed_updates) ? allowed_updates.map(String) : []
  const isKnown = state.webhook?.url === url && state.webhook.secretToken === secretToken
  state.webhook = { url, secretToken, allowed }
  return { json: { ok: true, result: true, description: isKnown ? 'Webhook is already set' : 'Webhook was set' } }
}

/** Undefined: nobody listens, or not for that. */
async function tell(state: State, update: Fields): Promise<number | undefined> {
  const { webhook } = state
  if (!webhook || !Object.keys(update).every((kind) => webhook.allowed.includes(kind))) return undefined
  const headers = {
    'content-type': 'application/json',
    ...(webhook.secretToken !== '' && { 'X-Telegram-Bot-Api-Secret-Token': webhook.secretToken }),
  }
  const body = JSON.stringify({ update_id: ++state.updates, ...update })
  return (await fetch(webhook.url, { method: 'POST', headers, body })).status
}

function messageIn(state: State, id: number): Fields {
  const { type } = chatOf(state, id)
  return { message_id: 1, from: personOf(id), chat: { id, type, ...(id > 0 && personOf(id)) }, date: secondsOf(state) }
}

function memberIn(state: State, id: number, status: string): Fields {
  const user = { id: 110201543, is_bot: true, first_name: 'Acme', username: 'acme_bot' }
  const { from, chat, date } = messageIn(state, id)
  return { chat, from, date, old_chat_member: { user, status: 'member' }, new_chat_member: { user, status } }
}

function personOf(id: number): Fields {
  return { id: Math.abs(id), is_bot: false, first_name: 'Ada' }
}

function chatOf({ chats }: State, id: number): Chat {
  const chat = chats.get(id)
  if (!chat) throw new Error(`the bot knows no chat ${id}`)
  return chat
}

function secondsOf({ nowMs }: State): number {
  return Math.floor(nowMs / 1000)
}

function accept(result: unknown): Scripted {
  return { json: { ok: true, result } }
}

function refuse(code: number, description: string, parameters?: object) {
  return { status: code, json: { ok: false, error_code: code, description, ...(parameters && { parameters }) } }
}

function tooMany(seconds: number): Scripted {
  const refused = refuse(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
  return { ...refused, headers: { 'retry-after': String(seconds) } }
}

function isFields(json: unknown): json is Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
