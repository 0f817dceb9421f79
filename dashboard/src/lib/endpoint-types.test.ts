import { describe, expect, test } from 'vitest'
import type { ChannelEndpoint } from '../api/types.ts'
import { placeWords, sendsToEndpointsOnly, toEndpoint, typeWords } from './endpoint-types.ts'

const secretUrl = 'https://hooks.slack.com/services/T0/B0/secret'
const keys = { p256dh: 'BPublic', auth: 'authSecret' }

describe('where an endpoint is', () => {
  test.each<[string, ChannelEndpoint['endpoint'], string]>([
    ['slack_channel', { channelId: 'C0GENERAL' }, 'C0GENERAL'],
    ['ms_teams_channel', { teamId: '19:t', channelId: '19:c' }, 'Team ID 19:t, Channel ID 19:c'],
    ['webhook', { url: secretUrl, channel: '#general' }, 'hooks.slack.com, Channel #general'],
    ['webhook', { url: secretUrl }, 'hooks.slack.com'],
    ['web_push', { endpoint: 'https://push.example.com/s/abc', keys }, 'push.example.com'],
    ['a_new_type', { topic: 'unknown' }, ''],
  ])('%s %o', (type, endpoint, words) => expect(placeWords({ type, endpoint })).toBe(words))
})

test('a type has its own words, and one of a newer server keeps its name', () => {
  expect([typeWords('web_push'), typeWords('matrix_room')]).toEqual(['Browser', 'matrix room'])
})

test('what was typed goes where the server wants it, trimmed, and what is empty is left out', () => {
  expect(toEndpoint('webhook', { url: ' https://x.example/ ', channel: ' ' })).toEqual({ url: 'https://x.example/' })
  const typed = { endpoint: 'https://p.example/1', 'keys.p256dh': 'B', 'keys.auth': 'a', channelId: 'of another type' }
  expect(toEndpoint('web_push', typed)).toEqual({ endpoint: 'https://p.example/1', keys: { p256dh: 'B', auth: 'a' } })
})

test.each([
  ['chat', ['telegram_chat'], true],
  ['chat', ['slack_channel', 'slack_user', 'webhook'], false],
  ['chat', ['phone'], false],
  ['chat', [], false],
  ['push', ['ntfy_topic'], false],
] as const)('%s with %o: only endpoints is %s', (channel, endpoints, only) => {
  expect(sendsToEndpointsOnly({ channel, endpoints: [...endpoints] })).toBe(only)
})
