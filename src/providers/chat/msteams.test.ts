import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import type { Fault, HttpReply, HttpRequest } from '../../lib/outbound.ts'
import msteams from './msteams.ts'

const app = { clientId: 'app-1', secretKey: 'secret-1', domain: 'tenant-1' }
const loginUrl = 'https://login.microsoftonline.com/tenant-1/oauth2/v2.0/token'
const token = { json: { access_token: 'token-1', expires_in: 3599 } }
const toChannel = { type: 'ms_teams_channel', endpoint: { teamId: 'team-1', channelId: '19:c@thread.tacv2' } } as const
const toPerson = { type: 'ms_teams_user', endpoint: { userId: 'oid-1' } } as const

// By a workflow; the credentials are the bot's, and unused but for the check.
providerTable(msteams, {
  credentials: app,
  ofTarget: true,
  check: { url: loginUrl, good: token, bad: { status: 401, json: { error: 'invalid_client' } } },
  message: { overrides: { summary: 'Hi' } },
  request: {
    url: samples.chat.webhookUrl,
    json: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [{ type: 'TextBlock', text: 'Hello Ada', wrap: true }],
          },
        },
      ],
      summary: 'Hi',
    },
  },
  accepted: { reply: { status: 202 } },
  badRecipient: {
    reply: { status: 404, json: { error: { code: 'WorkflowNotFound', message: 'The workflow could not be found.' } } },
    reason: '404 The workflow could not be found.',
    because: 'gone',
  },
  replies: [
    ['an older connector accepts with a 1', { status: 200, body: '1' }, { kind: 'sent' }],
    [
      'an older connector tells of a rate limit inside a 200',
      {
        body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x',
      },
      { kind: 'retry', paces: 'target' },
    ],
    [
      'an older connector tells of a refusal inside a 200',
      {
        body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with ContextId x',
      },
      { kind: 'rejected' },
    ],
    [
      'an older connector tells of a failure inside a 200',
      {
        body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 502 with ContextId x',
      },
      { kind: 'unknown' },
    ],
    [
      'a deleted workflow may also say that it is not enabled',
      {
        status: 400,
        json: {
          error: {
            code: 'WorkflowTriggerIsNotEnabled',
            message: "Could not execute: workflow 'w' is in state 'Deleted'.",
          },
        },
      },
      { kind: 'rejected', because: 'gone' },
    ],
    ['a removed connector is gone', { status: 410, body: 'Gone' }, { kind: 'rejected', because: 'gone' }],
  ],
})

const hello = {
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [{ type: 'TextBlock', text: 'Hello Ada', wrap: true }],
      },
    },
  ],
}

const refusal = (status: number, code: string) => ({ status, json: { error: { code, message: `about ${code}` } } })

// By the bot.
providerTable(msteams, {
  credentials: app,
  sendsWithLess: 'webhooks of Workflows need no bot',
  message: { to: toChannel },
  paces: 'target',
  before: { '/oauth2/v2.0/token': token },
  request: {
    url: 'https://smba.trafficmanager.net/teams/v3/conversations',
    headers: { authorization: 'Bearer token-1' },
    json: {
      isGroup: true,
      channelData: { channel: { id: '19:c@thread.tacv2' }, tenant: { id: 'tenant-1' } },
      activity: hello,
    },
  },
  accepted: { reply: { status: 201, json: { id: '19:c@thread.tacv2;messageid=7', activityId: '7' } }, id: '7' },
  badRecipient: { reply: refusal(404, 'ConversationNotFound'), because: 'gone' },
  replies: [
    ['the chat is blocked', refusal(403, 'ConversationBlockedByUser'), { kind: 'rejected', because: 'gone' }],
    ['another cloud is meant', refusal(403, 'InvalidBotApiHost'), { kind: 'rejected', because: 'integration' }],
    ['no bot has this id', refusal(401, 'BotNotRegistered'), { kind: 'rejected', because: 'integration' }],
    [
      'a wrong service URL is nobody’s fault who is written to',
      { status: 404, body: 'Not Found' },
      { kind: 'rejected', reason: '404 Not Found' },
    ],
    ['two at once in one conversation', refusal(412, 'PreconditionFailed'), { kind: 'retry', paces: 'target' }],
    ['too large', refusal(413, 'MessageSizeTooBig'), { kind: 'rejected' }],
    ['a service behind it failed', refusal(502, 'ServiceError'), { kind: 'retry' }],
    ['a gateway failed', { status: 502, body: '<html>' }, { kind: 'unknown' }],
    ['a gateway gave up', { status: 504 }, { kind: 'unknown' }],
  ],
})

test.each([
  [403, 'BotNotInConversationRoster'],
  [404, 'BotNotInConversationRoster'],
  [403, 'ForbiddenOperationException'],
  [403, 'BotDisabledByAdmin'],
  [403, 'NotEnoughPermissions'],
  [400, 'BadArgument'],
])('%i %s may be different tomorrow, and is nobody else’s', async (status, code) => {
  const http = (request: HttpRequest) => (request.url === loginUrl ? token : refusal(status, code))
  const { outcome } = await trySend(msteams, { credentials: app, message: { to: toChannel }, http })
  expect(outcome).toEqual({ kind: 'rejected', reason: `${status} about ${code}` })
})

const sentFor = async (content: string) =>
  (await trySend(msteams, { message: { content }, http: () => reply(202) })).requests[0]?.json

test('a card written as JSON is wrapped, a whole message is posted as it is', async () => {
  const card = { type: 'AdaptiveCard', version: '1.5', body: [] }
  expect(await sentFor(JSON.stringify(card))).toEqual({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  })
  expect(await sentFor('{"text":"hi"}')).toEqual({ text: 'hi' })
})

test('a workflow that is switched off is not gone', async () => {
  const message = "Could not execute: workflow 'w' is in state 'Suspended'."
  const vendor = () => reply(400, { error: { code: 'WorkflowTriggerIsNotEnabled', message } })
  expect((await trySend(msteams, { http: vendor })).outcome).toEqual({ kind: 'rejected', reason: `400 ${message}` })
})

test('a text that only looks like JSON stays a text', async () => {
  expect(JSON.stringify(await sentFor('{ not json'))).toContain('"text":"{ not json"')
})

test('what a workflow could not post is refused before it answers 202', async () => {
  const empty = JSON.stringify(await sentFor('')).length
  const most = 28 * 1024 - empty
  expect((await trySend(msteams, { message: { content: 'x'.repeat(most) } })).outcome).toEqual({ kind: 'sent' })
  const { outcome, requests } = await trySend(msteams, { message: { content: 'x'.repeat(most + 1) } })
  expect([outcome, requests]).toEqual([
    { kind: 'rejected', reason: 'the message has more than the 28 KB that a workflow can post' },
    [],
  ])
})

/** Answers of the login, of opening a chat, and of posting. */
const service = (open: Partial<HttpReply> | Fault, post: Partial<HttpReply> | Fault) => (request: HttpRequest) =>
  request.url.includes('/token') ? reply(200, token.json) : request.url.endsWith('/activities') ? post : open

test('a person is written to in a chat that is opened first', async () => {
  const http = service(reply(201, { id: 'a:1 chat' }), reply(201, { id: '8' }))
  const { outcome, requests } = await trySend(msteams, { credentials: app, message: { to: toPerson }, http })
  expect(outcome).toEqual({ kind: 'sent', id: '8' })
  expect(requests).toMatchObject([
    {
      url: loginUrl,
      form: {
        grant_type: 'client_credentials',
        client_id: 'app-1',
        client_secret: 'secret-1',
        scope: 'https://api.botframework.com/.default',
      },
    },
    {
      url: 'https://smba.trafficmanager.net/teams/v3/conversations',
      json: {
        isGroup: false,
        bot: { id: '28:app-1' },
        members: [{ id: 'oid-1' }],
        tenantId: 'tenant-1',
        channelData: { tenant: { id: 'tenant-1' } },
      },
    },
    { url: 'https://smba.trafficmanager.net/teams/v3/conversations/a%3A1%20chat/activities', json: hello },
  ])
})

const lost = { kind: 'fault', sent: true, reason: 'the line was cut' } as const

test.each([
  ['opening a chat posts nothing, so a lost answer is a retry', lost, reply(201, { id: '8' }), { kind: 'retry' }],
  ['the same of a failure', reply(500, {}), reply(201, { id: '8' }), { kind: 'retry' }],
  ['the same of an answer without the id', reply(201, {}), reply(201, { id: '8' }), { kind: 'retry' }],
  ['a lost answer to the message is unknown', reply(201, { id: 'a:1' }), lost, { kind: 'unknown' }],
  ['nobody has this id', reply(404, refusal(404, 'NotFound').json), lost, { kind: 'rejected', because: 'gone' }],
  [
    'the chat is no more, and no other one is',
    reply(201, { id: 'a:1' }),
    reply(404, refusal(404, 'ConversationNotFound').json),
    { kind: 'rejected', because: 'gone' },
  ],
  ['a refused token is the integration’s', reply(401, {}), lost, { kind: 'rejected', because: 'integration' }],
])('%s', async (_name, open, post, expected) => {
  const { outcome } = await trySend(msteams, { credentials: app, message: { to: toPerson }, http: service(open, post) })
  expect(outcome).toMatchObject(expected)
})

test.each([
  ['no client ID', { secretKey: 's', domain: 'd' }, toChannel],
  ['no secret', { clientId: 'c', domain: 'd' }, toChannel],
  ['a tenant that would lead elsewhere', { ...app, domain: 'a/b' }, toChannel],
  ['no tenant of a person', { clientId: 'c', secretKey: 's' }, toPerson],
])('with %s the bot cannot write', async (_name, credentials, to) => {
  const http = service(reply(201, { id: 'a:1' }), reply(201, { id: '8' }))
  const { outcome } = await trySend(msteams, { credentials, message: { to }, http })
  expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
})

test('other clouds have other places, and an older bot the tenant of all bots', async () => {
  const urlsOf = async (credentials: object) => {
    const http = service(reply(201, { id: '7' }), lost)
    const { requests } = await trySend(msteams, { credentials, message: { to: toChannel }, http })
    const [first, second] = requests
    return [first?.url, new URLSearchParams(Object.entries(first?.form ?? {})).get('scope'), second?.url]
  }
  const { domain: _, ...older } = app
  expect(await urlsOf(older)).toEqual([
    'https://login.microsoftonline.com/botframework.com/oauth2/v2.0/token',
    'https://api.botframework.com/.default',
    'https://smba.trafficmanager.net/teams/v3/conversations',
  ])
  const government = {
    ...app,
    host: 'https://login.microsoftonline.us/organizations',
    baseUrl: 'https://smba.infra.gov.teams.microsoft.us/gcch/',
  }
  expect(await urlsOf(government)).toEqual([
    'https://login.microsoftonline.us/tenant-1/oauth2/v2.0/token',
    'https://api.botframework.us/.default',
    'https://smba.infra.gov.teams.microsoft.us/gcch/v3/conversations',
  ])
})

test('there is nothing to check of webhooks, and half an app is none', async () => {
  const check = (credentials: object) => tryProvider(msteams, { credentials }).check()
  expect(await check({})).toEqual({ kind: 'ok' })
  expect(await check({ clientId: 'app-1' })).toMatchObject({ kind: 'refused' })
})
