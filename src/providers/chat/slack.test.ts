import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import slack from './slack.ts'

providerTable(slack, {
  credentials: {},
  ofTarget: true,
  message: { overrides: { unfurl_links: false } },
  request: { url: samples.chat.webhookUrl, json: { text: 'Hello Ada', unfurl_links: false } },
  accepted: { reply: { body: 'ok' } },
  badRecipient: { reply: { status: 404, body: 'channel_not_found' }, because: 'gone' },
  common: { garbage: 'unknown' },
  replies: [
    ['the trigger of a workflow accepts in JSON', { json: { ok: true } }, { kind: 'sent' }],
    [
      'the trigger of a workflow refuses in JSON',
      { json: { ok: false, error: 'invalid_input' } },
      { kind: 'rejected', reason: '200 invalid_input' },
    ],
    ['a revoked hook is gone', { status: 404, body: 'no_service' }, { kind: 'rejected', because: 'gone' }],
    ['a revoked token is gone', { status: 403, body: 'invalid_token' }, { kind: 'rejected', because: 'gone' }],
    ['a bad body is refused for good', { status: 400, body: 'invalid_payload' }, { kind: 'rejected' }],
  ],
})

test('a channel that the trigger names says nothing about the hook', async () => {
  const vendor = () => ({ ...reply(404), text: 'channel_not_found' })
  const { outcome } = await trySend(slack, { message: { overrides: { channel: '#other' } }, http: vendor })
  expect(outcome).toEqual({ kind: 'rejected', reason: '404 channel_not_found' })
})

test.each([
  ['an archived channel, which may come back', 410, 'channel_is_archived'],
  ['what one workspace forbids', 403, 'action_prohibited'],
  ['hooks that are switched off', 404, 'no_active_hooks'],
])('%s is neither gone nor the fault of the integration', async (_name, status, text) => {
  const { outcome } = await trySend(slack, { http: () => ({ ...reply(status), text }) })
  expect(outcome).toEqual({ kind: 'rejected', reason: `${status} ${text}` })
})

test('the URL is in no reason', async () => {
  const vendor = () => ({ ...reply(500), text: `cannot reach ${samples.chat.webhookUrl}` })
  expect((await trySend(slack, { http: vendor })).outcome).toEqual({ kind: 'unknown', reason: '500 cannot reach …' })
})
