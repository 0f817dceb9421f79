import { providerTable } from '../../../test/providers/provider-table.ts'
import zulip from './zulip.ts'

const webhookUrl = 'https://team.zulipchat.com/api/v1/external/slack_incoming?api_key=abcDEF123456&stream=7&topic=news'

providerTable(zulip, {
  credentials: {},
  message: { webhookUrl, overrides: { icon_emoji: ':tada:' } },
  request: { url: webhookUrl, json: { text: 'Hello Ada', icon_emoji: ':tada:' } },
  accepted: { reply: { json: { result: 'success', msg: '' } } },
  badRecipient: {
    reply: { status: 400, json: { result: 'error', msg: 'No such channel', code: 'STREAM_DOES_NOT_EXIST' } },
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
  ],
})
