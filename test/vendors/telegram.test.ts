import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import telegram from '../../src/providers/chat/telegram.ts'
import type { Endpoint } from '../../src/providers/endpoint.ts'
import type { PersonEvent } from '../../src/providers/inbound.ts'
import { startHttpReceiver } from '../peers/http-receiver.ts'
import { inboundCall } from '../providers/inbound-call.ts'
import { givenTo } from '../providers/provider-samples.ts'
import { startTelegram } from './telegram.ts'
import { openDoor, sendBy, toolsOf } from './through-the-door.ts'

const ada = 7012345678
const team = -4012345
const chat = (id: number): Endpoint => ({ type: 'telegram_chat', endpoint: { chatId: String(id) } })
const signingKey = 'Schlüssel mit Leerzeichen'

let vendor: Awaited<ReturnType<typeof startTelegram>>
let http: ReturnType<typeof openDoor>
const credentials = () => givenTo(telegram, { apiToken: vendor.token, baseUrl: vendor.url })
const send = (id: number, over: object = {}, given = credentials()) =>
  sendBy(telegram, toolsOf(http), { credentials: given, message: { to: chat(id), ...over } })

async function start(options: Parameters<typeof startTelegram>[0] = {}) {
  vendor = await startTelegram(options)
  http = openDoor(vendor.url)
  for (const id of [ada, team]) vendor.open(id)
}

beforeEach(() => start())
afterEach(() => stop())

async function stop() {
  await http.close()
  await vendor.close()
}

describe('a message', () => {
  test('is posted once, with an id that no other chat has', async () => {
    expect(await send(ada)).toEqual({ kind: 'sent', id: `${ada}/1` })
    expect(await send(team, { overrides: { disable_notification: true } })).toEqual({ kind: 'sent', id: `${team}/2` })
    expect(vendor.posted).toMatchObject([
      { chatId: ada, json: { chat_id: String(ada), text: 'Hello Ada' } },
      { chatId: team, json: { chat_id: String(team), text: 'Hello Ada', disable_notification: true } },
    ])
  })

  test('is the same bytes at every try', async () => {
    for (let n = 0; n < 2; n++) await send(ada, { overrides: { parse_mode: 'HTML', link_preview_options: {} } })
    const [first, second] = vendor.posted
    expect(first?.body).toContain('Hello Ada')
    expect(second?.body).toBe(first?.body)
  })

  test('as long as Telegram takes is posted, and nothing longer is tried', async () => {
    const most = '😀'.repeat(4_096)
    expect(await send(ada, { content: ` ${most} ` })).toMatchObject({ kind: 'sent' })
    const marked = { content: `<b>${most}</b>`, overrides: { parse_mode: 'HTML' } }
    expect(await send(ada, marked)).toMatchObject({ kind: 'sent' })
    const asked = vendor.requests.length
    expect(await send(ada, { content: `${most}x` })).toMatchObject({ kind: 'rejected' })
    expect(vendor.requests).toHaveLength(asked)
    // What only Telegram can count, it refuses.
    expect(await send(ada, { ...marked, content: `<b>${most}x</b>` })).toEqual({
      kind: 'rejected',
      reason: '400 Bad Request: message is too long',
    })
  })

  test('to whom blocked the bot, deleted the account or is nobody: that chat is gone, and no other', async () => {
    await vendor.block(ada)
    const gone = { kind: 'rejected', because: 'gone' }
    expect(await send(ada)).toEqual({ ...gone, reason: '403 Forbidden: bot was blocked by the user' })
    vendor.deactivate(ada)
    expect(await send(ada)).toEqual({ ...gone, reason: '403 Forbidden: user is deactivated' })
    expect(await send(99)).toEqual({ ...gone, reason: '400 Bad Request: chat not found' })
    expect(await send(team)).toMatchObject({ kind: 'sent' })
    expect(vendor.posted).toHaveLength(1)
  })

  test('to a group that became a supergroup is posted there at the next try', async () => {
    await vendor.migrate(team, -1001234567890)
    const outcome = await send(team)
    expect(outcome).toMatchObject({ kind: 'retry', movedTo: chat(-1001234567890) })
    const to = outcome.kind === 'retry' ? outcome.movedTo : undefined
    expect(await send(0, { to })).toEqual({ kind: 'sent', id: '-1001234567890/1' })
  })

  test('by a token that was revoked, or of no bot, is the fault of the integration; it is told without the token', async () => {
    const old = credentials()
    vendor.revoke()
    expect(await send(ada, {}, old)).toEqual({ kind: 'rejected', reason: '401 Unauthorized', because: 'integration' })
    expect(await send(ada, {}, { ...old, apiToken: 'none' })).toMatchObject({ because: 'integration' })
    const check = (given: object) => telegram.check?.({ ...toolsOf(http), credentials: given })
    expect(await check(old)).toEqual({ kind: 'refused', reason: '401 Unauthorized' })
    expect(await check(credentials())).toEqual({ kind: 'ok' })
  })
})

describe('the limits', () => {
  beforeEach(async () => {
    await stop()
    await start({ limited: true })
  })

  test('of a group pace that group, for as long as Telegram says', async () => {
    for (let n = 0; n < 20; n++) {
      expect(await send(team)).toMatchObject({ kind: 'sent' })
      vendor.advance(1_000)
    }
    const outcome = await send(team)
    expect(outcome).toMatchObject({ kind: 'retry', afterMs: 40_000, paces: 'target' })
    expect(await send(ada)).toMatchObject({ kind: 'sent' })
    vendor.advance(40_000)
    expect(await send(team)).toMatchObject({ kind: 'sent' })
  })

  test('of the bot pace everybody', async () => {
    for (let n = 1; n <= 31; n++) vendor.open(n)
    for (let n = 1; n <= 30; n++) expect(await send(n)).toMatchObject({ kind: 'sent' })
    expect(await send(31)).toMatchObject({ kind: 'retry', afterMs: 1_000, paces: true })
    vendor.advance(1_000)
    expect(await send(31)).toMatchObject({ kind: 'sent' })
    expect(vendor.posted).toHaveLength(31)
  })
})

describe('a bot that listens', () => {
  let tidings: Awaited<ReturnType<typeof startHttpReceiver>>
  let heard: PersonEvent[] = []
  beforeEach(async () => {
    heard = []
    tidings = await startHttpReceiver()
    // As the host does: who proves nothing is refused.
    tidings.answer = ({ headers, body }) => {
      const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
      const call = inboundCall({ headers: Object.fromEntries(texts), body: body.toString(), signingKey })
      if (!telegram.inbound?.verify(call)) return { status: 401 }
      heard.push(...(telegram.inbound.people?.(call) ?? []))
      return { json: { received: 0 } }
    }
    const callbackUrl = `${tidings.url}/v1/webhooks/1`
    const listened = telegram.linking?.listen({ ...toolsOf(http), credentials: credentials(), callbackUrl, signingKey })
    expect(await listened).toEqual({ name: 'acme_bot' })
    return () => tidings.close()
  })

  test('learns who opened the link, and posts there', async () => {
    const made = await telegram.linking?.url({ ...toolsOf(http), credentials: credentials(), code: 'Code_1-x' })
    const link = new URL(made && 'url' in made ? made.url : '')
    expect(link.href).toBe('https://t.me/acme_bot?start=Code_1-x')
    const bob = 7099999999
    expect(await send(bob)).toMatchObject({ kind: 'rejected' })
    expect(await vendor.say(bob, `/start ${link.searchParams.get('start')}`)).toBe(200)
    expect(heard).toEqual([{ kind: 'linked', code: 'Code_1-x', endpoint: chat(bob) }])
    expect(await send(0, { to: heard[0]?.kind === 'linked' ? heard[0].endpoint : undefined })).toMatchObject({
      kind: 'sent',
    })
    expect(await vendor.say(bob, 'Thank you!')).toBe(200)
    expect(heard).toHaveLength(1)
  })

  test('learns who blocked it, and where a group went', async () => {
    expect(await vendor.block(ada)).toBe(200)
    expect(await vendor.migrate(team, -1001234567890)).toEqual([200, 200])
    const moved = { kind: 'moved', from: chat(team), to: chat(-1001234567890) }
    expect(heard).toEqual([{ kind: 'left', endpoint: chat(ada) }, moved, moved])
  })

  test('believes nobody else', async () => {
    const webhook = vendor.webhook()
    expect(webhook?.secretToken).toMatch(/^[0-9a-f]{64}$/)
    const body = JSON.stringify({ update_id: 1, message: { chat: { id: 1, type: 'private' }, text: '/start abc' } })
    const call = async (headers: Record<string, string>) =>
      (await fetch(webhook?.url ?? '', { method: 'POST', body, headers })).status
    expect(await call({})).toBe(401)
    expect(await call({ 'x-telegram-bot-api-secret-token': `${webhook?.secretToken}x` })).toBe(401)
    expect(heard).toEqual([])
    expect(await call({ 'x-telegram-bot-api-secret-token': webhook?.secretToken ?? '' })).toBe(200)
    expect(heard).toHaveLength(1)
  })
})
