import { describe, expect, test } from 'vitest'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { keepingCache, reply, tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import type { Fault, HttpReply, HttpRequest } from '../../lib/outbound.ts'
import { secretTokenOf } from '../bots/telegram-updates.ts'
import type { Endpoint } from '../endpoint.ts'
import telegram from './telegram.ts'

const token = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
const credentials = { apiToken: token }
const api = `https://api.telegram.org/bot${token}`
const chat = (chatId: string): Endpoint => ({ type: 'telegram_chat', endpoint: { chatId } })

const error = (code: number, description: string, parameters?: object) => ({
  status: code,
  json: { ok: false, error_code: code, description, ...(parameters && { parameters }) },
})
const sent = { ok: true, result: { message_id: 42, date: 1767323045, chat: { id: 7012345678, type: 'private' } } }
const gone = (code: number, description: string) =>
  [
    description,
    error(code, description),
    { kind: 'rejected', reason: `${code} ${description}`, because: 'gone' },
  ] as const

providerTable(telegram, {
  credentials,
  message: { overrides: { parse_mode: 'HTML', link_preview_options: { is_disabled: true } } },
  request: {
    url: `${api}/sendMessage`,
    json: {
      chat_id: '7012345678',
      text: 'Hello Ada',
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    },
  },
  accepted: { reply: { json: sent }, id: '7012345678/42' },
  badRecipient: { reply: error(400, 'Bad Request: chat not found'), because: 'gone' },
  replies: [
    [...gone(403, 'Forbidden: bot was blocked by the user')],
    [...gone(403, 'Forbidden: user is deactivated')],
    [...gone(403, 'Forbidden: bot was kicked from the supergroup chat')],
    [...gone(403, 'Forbidden: the group chat was deleted')],
    [...gone(400, 'Bad Request: group chat was deactivated')],
    [
      'a bot revoked is the integration',
      error(401, 'Unauthorized'),
      { kind: 'rejected', reason: '401 Unauthorized', because: 'integration' },
    ],
    [
      'a token of no bot is the integration',
      error(404, 'Not Found'),
      { kind: 'rejected', reason: '404 Not Found', because: 'integration' },
    ],
    [
      'a bot of another server is the integration',
      error(421, 'Misdirected Request: unallowed token specified'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'to a person, a limit is the bot’s',
      error(429, 'Too Many Requests: retry after 3', { retry_after: 3 }),
      { kind: 'retry', reason: '429 Too Many Requests: retry after 3', afterMs: 3_000, paces: true },
    ],
    [
      'a group that became a supergroup has another id',
      error(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: -1001234567890 }),
      { kind: 'retry', movedTo: chat('-1001234567890') },
    ],
    ['a server that restarts', error(500, 'Internal Server Error: restart'), { kind: 'unknown' }],
    ['a gateway', { status: 502, body: '<html>Bad Gateway</html>' }, { kind: 'unknown' }],
  ],
  check: { url: `${api}/getMe`, good: { json: { ok: true, result: { id: 1, is_bot: true, username: 'acme_bot' } } } },
})

const http = (answer: HttpReply | Fault) => () => answer
const failed = (code: number, description: string, parameters?: object) =>
  http(reply(code, error(code, description, parameters).json))

describe('telegram', () => {
  test.each([
    [400, 'Bad Request: message text is empty'],
    [400, "Bad Request: can't parse entities: Unsupported start tag"],
    [403, "Forbidden: bot can't initiate conversation with a user"],
    [403, 'Forbidden: bot is not a member of the channel chat'],
    [400, 'Bad Request: not enough rights to send text messages to the chat'],
  ])('%i %s is refused, and neither gone nor the integration', async (code, description) => {
    const { outcome } = await trySend(telegram, { credentials, http: failed(code, description) })
    expect(outcome).toEqual({ kind: 'rejected', reason: `${code} ${description}` })
  })

  test.each(['-1001234567890', '-4012345', '@acme_news'])('in %s a limit is that chat’s', async (chatId) => {
    const limited = failed(429, 'Too Many Requests: retry after 35', { retry_after: 35 })
    const { outcome } = await trySend(telegram, { credentials, message: { to: chat(chatId) }, http: limited })
    expect(outcome).toMatchObject({ kind: 'retry', afterMs: 35_000, paces: 'target' })
  })

  test('a limit that names no time is still one', async () => {
    const { outcome } = await trySend(telegram, { credentials, http: failed(429, 'Too Many Requests') })
    expect(outcome).toEqual({ kind: 'retry', reason: '429 Too Many Requests', paces: true })
  })

  test('a trigger cannot send it to another chat', async () => {
    const message = { overrides: { chat_id: '1', message_thread_id: 7, text: 'Other' } }
    const { requests } = await trySend(telegram, { credentials, message, http: http(reply(200, sent)) })
    expect(requests[0]?.json).toEqual({ chat_id: '7012345678', message_thread_id: 7, text: 'Other' })
  })

  test.each([
    ['nowhere', undefined],
    ['elsewhere', { type: 'ntfy_topic', endpoint: { topic: 'x' } } as const],
  ])('%s is refused before anything is sent', async (_name, to) => {
    const { outcome, requests } = await trySend(telegram, { credentials, message: { to } })
    expect(outcome).toMatchObject({ kind: 'rejected', reason: expect.stringContaining('telegram_chat') })
    expect(requests).toEqual([])
  })

  test('a text longer than Telegram takes does not leave; characters count, not bytes nor halves of them', async () => {
    const tried = (content: string, overrides = {}) =>
      trySend(telegram, { credentials, message: { content, overrides }, http: http(reply(200, sent)) })
    const most = '😀'.repeat(4_096)
    expect((await tried(` ${most}\n`)).outcome).toMatchObject({ kind: 'sent' })
    const reason = 'the text has 4,097 characters; Telegram takes 4,096: shorten it'
    expect(await tried(`${most}x`)).toMatchObject({ outcome: { kind: 'rejected', reason }, requests: [] })
    expect((await tried('short', { text: `${most}x` })).outcome).toMatchObject({ kind: 'rejected', reason })
    // Only Telegram knows what is left of it.
    expect((await tried(`<b>${most}</b>`, { parse_mode: 'HTML' })).outcome).toMatchObject({ kind: 'sent' })
  })

  test.each([
    ['a page', reply(502), `Cannot POST /bot${token}/sendMessage`],
    ['a page cut short', reply(502), `${'x'.repeat(470)} /bot${token}`],
    ['a page that should be an answer', reply(200), `Welcome, /bot${token}/sendMessage`],
    ['the token alone', reply(502), `no such bot: ${token}`],
  ])('the token is in no reason: %s', async (_name, answer, text) => {
    const { outcome } = await trySend(telegram, { credentials, http: http({ ...answer, text }) })
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('…') })
    expect(JSON.stringify(outcome)).not.toMatch(/AAHdqT/)
    const described = failed(401, `Unauthorized: ${token}`)
    const checked = await tryProvider(telegram, { credentials, http: described }).check()
    expect(checked).toEqual({ kind: 'refused', reason: '401 Unauthorized: …' })
    const fault: Fault = { kind: 'fault', sent: false, reason: `no route to ${api}/sendMessage` }
    expect((await trySend(telegram, { credentials, http: http(fault) })).outcome).toEqual({
      kind: 'retry',
      reason: 'no route to …',
    })
  })

  test('a server of one’s own, also under a path; the token leads to no other', async () => {
    const to = (apiToken: string) => ({ apiToken, baseUrl: 'http://bots.example.com:8081/api/' })
    const urlWith = async (given: object) =>
      (await trySend(telegram, { credentials: given, http: http(reply(200, sent)) })).requests[0]?.url
    expect(await urlWith(to(token))).toBe(`http://bots.example.com:8081/api/bot${token}/sendMessage`)
    expect(await urlWith(to('1:a/../../x?y'))).toBe(
      'http://bots.example.com:8081/api/bot1:a%2F..%2F..%2Fx%3Fy/sendMessage',
    )
  })
})

describe('linking', () => {
  const bot = { ok: true, result: { id: 110201543, is_bot: true, first_name: 'Acme', username: 'acme_bot' } }
  const tools = (answers: (request: HttpRequest) => HttpReply | Fault) => {
    const requests: HttpRequest[] = []
    const http = async (request: HttpRequest) => {
      requests.push(request)
      return answers(request)
    }
    const smtp = { send: never, verify: never, compose: never }
    return { requests, given: { http, smtp, cached: keepingCache(), now: new Date(), credentials } }
  }
  const never = () => Promise.reject(new Error('no mail'))
  const well = ({ url }: HttpRequest) => reply(200, url.endsWith('/getMe') ? bot : { ok: true, result: true })

  test('the link opens the bot with the code; its name is asked for once', async () => {
    const { requests, given } = tools(well)
    const code = 'aZ09_-'.repeat(10)
    for (let n = 0; n < 2; n++) {
      expect(await telegram.linking?.url({ ...given, code })).toEqual({ url: `https://t.me/acme_bot?start=${code}` })
    }
    expect(requests.map(({ url }) => url)).toEqual([`${api}/getMe`])
  })

  test.each(['', 'x'.repeat(65), 'a b', 'a.b', 'ü'])('a code that Telegram would not take: %s', async (code) => {
    const { requests, given } = tools(well)
    expect(await telegram.linking?.url({ ...given, code })).toEqual({ fault: expect.stringContaining('1 to 64') })
    expect(requests).toEqual([])
  })

  test('the bot is told where to call, what to prove it by, and what for', async () => {
    const { requests, given } = tools(well)
    const callbackUrl = 'https://tidings.example/v1/webhooks/1'
    const signingKey = 'ein Schlüssel!'
    expect(await telegram.linking?.listen({ ...given, callbackUrl, signingKey })).toEqual({ name: 'acme_bot' })
    expect(requests.at(-1)).toEqual({
      url: `${api}/setWebhook`,
      json: {
        url: callbackUrl,
        secret_token: secretTokenOf(signingKey),
        allowed_updates: ['message', 'my_chat_member'],
      },
    })
    expect(secretTokenOf(signingKey)).toMatch(/^[\w-]{1,256}$/)
    expect(secretTokenOf(signingKey)).not.toBe(secretTokenOf('another'))
  })

  test.each([
    ['getMe', reply(401, error(401, `Unauthorized ${token}`).json), '401 Unauthorized …'],
    ['setWebhook', reply(400, error(400, 'Bad Request: bad webhook').json), '400 Bad Request: bad webhook'],
    [
      'setWebhook',
      { kind: 'fault', sent: true, reason: `no answer from ${api}/setWebhook` } as const,
      'no answer from …',
    ],
  ])('what %s refuses is told, without the token', async (method, answer, fault) => {
    const { given } = tools((request) => (request.url.endsWith(method) ? answer : well(request)))
    const listened = telegram.linking?.listen({ ...given, callbackUrl: 'https://t.example/1', signingKey: 'k' })
    expect(await listened).toEqual({ fault })
  })

  test('a bot without a name is a fault, and asked for again', async () => {
    const { requests, given } = tools(() => reply(200, { ok: true, result: { id: 1 } }))
    for (let n = 0; n < 2; n++) {
      expect(await telegram.linking?.url({ ...given, code: 'abc' })).toEqual({ fault: 'getMe told no username' })
    }
    expect(requests).toHaveLength(2)
  })
})
