import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import { reply, tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import type { Outcome } from '../outcome.ts'
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

const toChannel = { to: { type: 'slack_channel', endpoint: { channelId: 'C1' } } } as const
const toPerson = { to: { type: 'slack_user', endpoint: { userId: 'U1' } } } as const
const ourId = { event_type: 'tidings_message', event_payload: { tidings_message_id: samples.chat.id } }
const connection = { workspace: { id: 'T1' }, accessToken: 'xoxb-of-the-workspace' }

providerRequest(slack, {
  credentials: { apiToken: 'xoxb-own' },
  message: { ...toChannel, overrides: { unfurl_links: false, channel: 'C-other' } },
  request: {
    url: 'https://slack.com/api/chat.postMessage',
    headers: { authorization: 'Bearer xoxb-own', 'content-type': 'application/json; charset=utf-8' },
    json: { channel: 'C1', text: 'Hello Ada', unfurl_links: false, metadata: ourId },
  },
  accepted: { reply: { json: { ok: true, channel: 'C1', ts: '1503435956.000247' } }, id: 'C1:1503435956.000247' },
})

providerRequest(slack, {
  credentials: { apiToken: 'xoxb-own', baseUrl: 'https://slack-gov.com' },
  message: toPerson,
  request: {
    url: 'https://slack-gov.com/api/chat.postMessage',
    json: { channel: 'U1', text: 'Hello Ada', metadata: ourId },
  },
  accepted: { reply: { json: { ok: true, channel: 'D1', ts: '1503435956.000247' } }, id: 'D1:1503435956.000247' },
})

const post = async (answer: ReturnType<typeof reply>, tried: Parameters<typeof trySend>[1] = {}) =>
  trySend(slack, { connection, message: toChannel, http: () => answer, ...tried })

describe('the bot', () => {
  test("posts with the token of the endpoint's workspace; the integration's own is of another one", async () => {
    const credentials = { apiToken: 'xoxb-own' }
    const { requests } = await post(reply(200), { credentials })
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer xoxb-of-the-workspace' })
    const lost = await post(reply(200), { credentials, connection: { workspace: { id: 'T1' } } })
    expect(lost.requests).toEqual([])
    const own = await trySend(slack, { credentials, message: toChannel })
    expect(own.requests[0]?.headers).toMatchObject({ authorization: 'Bearer xoxb-own' })
  })

  test('without a token says what to do, and calls nobody', async () => {
    const { outcome, requests } = await trySend(slack, { message: toChannel })
    expect(outcome).toEqual({ kind: 'rejected', reason: expect.stringContaining('install the app') })
    expect(requests).toEqual([])
  })

  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*Hello*' } }]
  test.each([
    ['an array of blocks', JSON.stringify(blocks), { blocks }],
    ['a message with blocks', ` ${JSON.stringify({ text: 'Hello', blocks })}`, { text: 'Hello', blocks }],
    ['other JSON is a text', '{"a":1}', { text: '{"a":1}' }],
    ['a list that is none of blocks is a text', '["a"]', { text: '["a"]' }],
    ['an empty list is a text', '[]', { text: '[]' }],
    ['broken JSON is a text', '[{"type"', { text: '[{"type"' }],
  ])('content: %s', async (_name, content, expected) => {
    const { requests } = await post(reply(200), { message: { ...toChannel, content } })
    expect(requests[0]?.json).toEqual({ channel: 'C1', metadata: ourId, ...expected })
  })

  test('our id goes along with metadata of a trigger, whatever they are', async () => {
    const metadata = { event_type: 'order', event_payload: { id: 42 } }
    const { requests } = await post(reply(200), { message: { ...toChannel, overrides: { metadata } } })
    expect(requests[0]?.json).toMatchObject({
      metadata: { event_type: 'order', event_payload: { id: 42, tidings_message_id: samples.chat.id } },
    })
    for (const odd of [null, 'x', 7]) {
      const { requests } = await post(reply(200), { message: { ...toChannel, overrides: { metadata: odd } } })
      expect(requests[0]?.json).toMatchObject({ metadata: ourId })
    }
  })
})

/** Every error that chat.postMessage documents, and what it is to us. */
const errors: Record<string, { outcome: Partial<Outcome>; named: string }> = {
  'refused for this message or this channel': {
    outcome: { kind: 'rejected' },
    named: `access_denied app_access_restricted as_user_not_supported attachment_payload_limit_exceeded
      cannot_reply_to_message channel_not_found draft_already_deleted draft_already_sent draft_has_conflict
      draft_not_found duplicate_channel_not_found duplicate_message_not_found ekm_access_denied invalid_arg_name
      invalid_arguments invalid_array_arg invalid_blocks invalid_blocks_format invalid_charset invalid_form_data
      invalid_metadata_format invalid_metadata_schema invalid_post_type is_archived markdown_text_conflict
      messages_tab_disabled metadata_must_be_sent_from_app metadata_too_large missing_file_data missing_post_type
      msg_blocks_too_long msg_too_long no_permission no_text not_in_channel restricted_action
      restricted_action_non_threadable_channel restricted_action_read_only_channel restricted_action_thread_locked
      restricted_action_thread_only_channel send_on_behalf_not_allowed slack_connect_canvas_sharing_blocked
      slack_connect_file_link_sharing_blocked slack_connect_lists_sharing_blocked team_not_found too_many_attachments
      too_many_contact_cards user_not_found`,
  },
  'refused for the whole workspace': {
    outcome: { kind: 'rejected', because: 'connection' },
    named: `accesslimited account_inactive enterprise_is_restricted invalid_auth is_bot missing_scope
      not_allowed_token_type not_authed org_login_required team_access_not_granted token_revoked
      two_factor_setup_required`,
  },
  'refused for everybody': {
    outcome: { kind: 'rejected', because: 'integration' },
    named: 'deprecated_endpoint method_deprecated unknown_method',
  },
  'to be tried with a new token': { outcome: { kind: 'retry', renew: true }, named: 'token_expired' },
  'to be tried later': {
    outcome: { kind: 'retry' },
    named: 'request_timeout service_unavailable team_added_to_org',
  },
  'to be tried later, as all that goes to this channel': {
    outcome: { kind: 'retry', paces: 'target' },
    named: 'message_limit_exceeded rate_limited ratelimited',
  },
  'perhaps posted': { outcome: { kind: 'unknown' }, named: 'fatal_error internal_error' },
}

describe.each(Object.entries(errors))('%s', (_name, { outcome, named }) => {
  test.each(named.split(/\s+/))('%s', async (error) => {
    const answered = await post(reply(200, { ok: false, error }))
    const { reason, ...rest } = answered.outcome as Outcome & { reason: string }
    expect(rest).toEqual(outcome)
    expect(reason).toContain(error)
  })
})

describe('answers of the bot', () => {
  test("the integration's own token is the integration's fault, and nobody renews it", async () => {
    for (const error of ['token_expired', 'invalid_auth', 'missing_scope']) {
      const { outcome } = await trySend(slack, {
        credentials: { apiToken: 'xoxb-own' },
        message: toChannel,
        http: () => reply(200, { ok: false, error }),
      })
      expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
    }
  })

  test('a rate limit says when to come again, and holds up no other channel', async () => {
    const limited = reply(429, { ok: false, error: 'ratelimited' }, { 'retry-after': '30' })
    expect((await post(limited)).outcome).toEqual({
      kind: 'retry',
      reason: '429 ratelimited',
      afterMs: 30_000,
      paces: 'target',
    })
    const bare = { ...reply(429, undefined, { 'retry-after': '3' }), text: 'slow down' }
    expect((await post(bare)).outcome).toMatchObject({ kind: 'retry', afterMs: 3_000, paces: 'target' })
  })

  test('what Slack adds is in the reason', async () => {
    const scope = reply(200, { ok: false, error: 'missing_scope', needed: 'chat:write', provided: 'users:read' })
    expect((await post(scope)).outcome).toMatchObject({ reason: '200 missing_scope; needs chat:write' })
    const messages = ['[ERROR] missing required field: text [json-pointer:/blocks/0]']
    const block = reply(200, { ok: false, error: 'invalid_blocks', response_metadata: { messages } })
    expect((await post(block)).outcome).toMatchObject({ reason: `200 invalid_blocks; ${messages[0]}` })
  })

  test.each([
    ['an accepted message without its time', reply(200, { ok: true, channel: 'C1' }), { kind: 'unknown' }],
    ['a refusal without a word', reply(200, { ok: false }), { kind: 'unknown' }],
    ['a page instead of an answer', { ...reply(200), text: '<html>' }, { kind: 'unknown' }],
    ['a word with a status of its own', reply(403, { ok: false, error: 'is_archived' }), { kind: 'rejected' }],
    ['a broken server', reply(500, { ok: false, error: 'is_archived' }), { kind: 'unknown' }],
    ['a server that is not ready', reply(503), { kind: 'retry' }],
    ['a proxy that lets nobody through', reply(403), { kind: 'rejected', because: 'integration' }],
  ])('%s', async (_name, answer, expected) => {
    const { reason: _reason, ...rest } = (await post(answer)).outcome as Outcome & { reason: string }
    expect(rest).toEqual(expected)
  })
})

describe('the check', () => {
  const check = (answer: ReturnType<typeof reply>, credentials: object = { apiToken: 'xoxb-own' }) => {
    const tried = tryProvider(slack, { credentials, http: () => answer })
    return tried.check().then((result) => ({ result, requests: tried.requests }))
  }

  test('asks who the bot is', async () => {
    const { result, requests } = await check(reply(200, { ok: true, team: 'Acme' }))
    expect(result).toEqual({ kind: 'ok' })
    expect(requests).toMatchObject([
      { url: 'https://slack.com/api/auth.test', headers: { authorization: 'Bearer xoxb-own' } },
    ])
  })

  test.each([
    ['invalid_auth', 'refused'],
    ['token_expired', 'refused'],
    ['fatal_error', 'unreachable'],
    ['ratelimited', 'unreachable'],
  ])('%s is %s', async (error, kind) => {
    expect((await check(reply(200, { ok: false, error }))).result).toEqual({ kind, reason: `200 ${error}` })
  })

  test('without a bot token nothing is known, and nobody is asked', async () => {
    const { result, requests } = await check(reply(200, { ok: true }), { clientId: '1.2', secretKey: 's' })
    expect(result).toMatchObject({ kind: 'unreachable' })
    expect(requests).toEqual([])
  })
})
