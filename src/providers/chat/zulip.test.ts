import { providerTable } from '../../../test/providers/provider-table.ts'
import zulip from './zulip.ts'

const webhookUrl = 'https://team.zulipchat.com/api/v1/external/slack_incoming?api_key=abcDEF123456&stream=7&topic=news'

providerTable(zulip, {
  credentials: {},
  ofTarget: true,
  message: { webhookUrl, overrides: { icon_emoji: ':tada:' } },
  request: { url: webhookUrl, json: { text: 'Hello Ada', icon_emoji: ':tada:' } },
  accepted: { reply: { json: { result: 'success', msg: '' } } },
  badRecipient: {
    reply: { status: 400, json: { result: 'error', msg: 'No such channel', code: 'STREAM_DOES_NOT_EXIST' } },
    reason: '400 No such channel',
  },
  common: { garbage: 'unknown' },
  replies: [
    ['a server may accept in the words of Slack', { json: { ok: true } }, { kind: 'sent' }],
    ['a server may refuse in the words of Slack', { json: { ok: false, error: 'no' } }, { kind: 'rejected' }],
    [
      'a key that is no longer valid is gone, and not repeated',
      { status: 401, json: { result: 'error', msg: 'Invalid API key abcDEF123456', code: 'INVALID_API_KEY' } },
      { kind: 'rejected', reason: '401 Invalid API key …', because: 'gone' },
    ],
    [
      'a bot that was deactivated may come back, and is one bot',
      { status: 401, json: { result: 'error', msg: 'Account is deactivated', code: 'USER_DEACTIVATED' } },
      { kind: 'rejected', reason: '401 Account is deactivated' },
    ],
    [
      'so is an organization',
      {
        status: 401,
        json: { result: 'error', msg: 'This organization has been deactivated', code: 'REALM_DEACTIVATED' },
      },
      { kind: 'rejected', reason: '401 This organization has been deactivated' },
    ],
    [
      'a limit is one of the bot',
      {
        status: 429,
        headers: { 'retry-after': '3.5' },
        json: { result: 'error', msg: 'API usage exceeded rate limit', code: 'RATE_LIMIT_HIT', 'retry-after': 3.5 },
      },
      { kind: 'retry', reason: '429 API usage exceeded rate limit', afterMs: 3_500, paces: 'target' },
    ],
    [
      'what the view refuses is told in the words of Slack',
      { status: 400, json: { ok: false, error: 'Malformed payload' } },
      { kind: 'rejected', reason: '400 Malformed payload' },
    ],
  ],
})
