import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { ignoresJunk, junkBodies } from '../../../test/providers/inbound-tests.ts'
import { secretTokenOf, telegramUpdates } from './telegram-updates.ts'

const header = 'x-telegram-bot-api-secret-token'
const signingKey = 'a key with ü and spaces'

describe('the proof', () => {
  const verify = (headers: Record<string, string>, key = signingKey) =>
    telegramUpdates.verify(inboundCall({ headers, signingKey: key, body: '{}' }))

  test('is the token that the bot was told', () => {
    expect(verify({ [header]: secretTokenOf(signingKey) })).toBe(true)
  })

  test.each([
    ['no header', {}],
    ['an empty one', { [header]: '' }],
    ['the key itself', { [header]: signingKey }],
    ['the token of another key', { [header]: secretTokenOf('another') }],
    ['more than the token', { [header]: `${secretTokenOf(signingKey)}0` }],
  ])('%s is none', (_name, headers) => expect(verify(headers)).toBe(false))

  test('without a key nobody is believed', () => expect(verify({ [header]: secretTokenOf('') }, '')).toBe(false))
})

ignoresJunk(telegramUpdates)

const people = (update: unknown) => telegramUpdates.people?.({ body: JSON.stringify(update), headers: {} })
const ada = { id: 7012345678, first_name: 'Ada', type: 'private' }
const from = { id: 7012345678, is_bot: false, first_name: 'Ada' }
const message = (over: object) => ({
  update_id: 10_000,
  message: { message_id: 5, date: 1767323045, chat: ada, from, ...over },
})
const member = (status: unknown, chat: object = ada) => ({
  update_id: 10_001,
  my_chat_member: {
    chat,
    from,
    date: 1767323045,
    old_chat_member: { user: { id: 1, is_bot: true }, status: 'member' },
    new_chat_member: { user: { id: 1, is_bot: true }, status },
  },
})
const chat = (chatId: string) => ({ type: 'telegram_chat', endpoint: { chatId } })
const group = { id: -4012345, title: 'Team', type: 'group' }

describe('what people say', () => {
  test.each(['/start aZ09_-', '/start@acme_bot aZ09_-'])('%s links the chat', (text) => {
    expect(people(message({ text }))).toEqual([{ kind: 'linked', code: 'aZ09_-', endpoint: chat('7012345678') }])
  })

  test.each([
    '/start',
    '/start ',
    '/start a b',
    '/start a.b',
    '/started abc',
    'well, /start abc',
    '/start abc\nmore',
    `/start ${'x'.repeat(65)}`,
    '/stop abc',
    'hello',
  ])('%j links nothing', (text) => expect(people(message({ text }))).toEqual([]))

  test('a code in a group links nothing', () => {
    expect(people(message({ text: '/start abc', chat: group }))).toEqual([])
  })

  test.each(['kicked', 'left'])('a bot that is %s has nothing to say there any more', (status) => {
    expect(people(member(status))).toEqual([{ kind: 'left', endpoint: chat('7012345678') }])
    expect(people(member(status, group))).toEqual([{ kind: 'left', endpoint: chat('-4012345') }])
  })

  test.each(['member', 'administrator'])('a bot that is %s again may speak', (status) => {
    expect(people(member(status))).toEqual([{ kind: 'back', endpoint: chat('7012345678') }])
  })

  test.each(['restricted', 'creator', undefined, 7])('%s is no goodbye', (status) => {
    expect(people(member(status))).toEqual([])
  })

  test('a group that becomes a supergroup moves, as either of the two tells it', () => {
    const moved = [{ kind: 'moved', from: chat('-4012345'), to: chat('-1001234567890') }]
    expect(people(message({ chat: group, migrate_to_chat_id: -1001234567890 }))).toEqual(moved)
    const supergroup = { id: -1001234567890, title: 'Team', type: 'supergroup' }
    expect(people(message({ chat: supergroup, migrate_from_chat_id: -4012345 }))).toEqual(moved)
  })

  test('other updates, and fields of another kind than documented, tell nothing', () => {
    expect(people({ update_id: 1, edited_message: message({ text: '/start abc' }).message })).toEqual([])
    for (const odd of [null, 0, 1.5, 2 ** 60, 'x', [], {}, true]) {
      expect(people(message({ text: odd }))).toEqual([])
      expect(people(message({ text: '/start abc', chat: { ...ada, id: odd } }))).toEqual([])
      expect(people(message({ chat: group, migrate_to_chat_id: odd }))).toEqual([])
      expect(people(member('left', { id: odd }))).toEqual([])
      expect(people({ message: odd, my_chat_member: odd })).toEqual([])
    }
  })

  test('no message is told of', () => {
    for (const body of [...junkBodies, JSON.stringify(message({ text: '/start abc' }))]) {
      expect(telegramUpdates.read({ body, headers: {} })).toEqual([])
    }
  })
})
