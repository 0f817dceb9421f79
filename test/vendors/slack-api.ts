import { type Code, hour, type Model, secretOf, type Token, type Workspace } from './slack-model.ts'

/** The methods of Slack's Web API that we use, as its documentation has them. */

export type Call = { authorization: string | undefined; args: Record<string, unknown>; url: string }
export type Answer = { status?: number; headers?: Record<string, string>; json?: unknown; body?: string }

const refuse = (error: string, more: object = {}): Answer => ({ json: { ok: false, error, ...more } })

export function callMethod(model: Model, method: string, call: Call): Answer {
  switch (method) {
    case 'oauth.v2.access':
      return access(model, call)
    case 'openid.connect.token':
      return openidToken(model, call)
    case 'auth.test':
      return withToken(model, call, (_token, workspace) => ({
        json: {
          ok: true,
          url: call.url,
          team: workspace.name,
          user: 'bot',
          team_id: workspace.id,
          user_id: workspace.botUserId,
          bot_id: `B${workspace.id.slice(1)}`,
        },
      }))
    case 'auth.revoke':
      return withToken(model, call, () => {
        model.revoke(bearerOf(call))
        return { json: { ok: true, revoked: true } }
      })
    case 'chat.postMessage':
      return withToken(model, call, (token, workspace) => postMessage(model, call, token, workspace))
    default:
      return refuse('unknown_method')
  }
}

/** An incoming webhook answers in plain text. */
export function callHook(model: Model, path: string, args: Record<string, unknown>): Answer {
  const hook = model.hooks.get(path)
  if (!hook || hook.isRemoved) return { status: 404, body: 'no_service' }
  const channel = model.workspaces.get(hook.workspaceId)?.channels.find(({ id }) => id === hook.channel)
  if (!channel) return { status: 404, body: 'channel_not_found' }
  if (channel.isArchived) return { status: 410, body: 'channel_is_archived' }
  if (!args.text && !args.blocks && !args.attachments) return { status: 400, body: 'no_text' }
  const limited = limit(model, hook.channel)
  if (limited) return limited
  model.keep({ workspaceId: hook.workspaceId, channel: hook.channel, body: args, by: path })
  return { body: 'ok' }
}

function access(model: Model, call: Call): Answer {
  const fault = clientFault(model, call)
  if (fault) return refuse(fault)
  const grantType = call.args.grant_type ?? 'authorization_code'
  if (grantType === 'refresh_token') {
    const refreshed = model.refresh(String(call.args.refresh_token))
    return refreshed ? installed(model, refreshed.workspaceId, refreshed.issued) : refuse('invalid_refresh_token')
  }
  if (grantType !== 'authorization_code') return refuse('invalid_grant_type')
  const code = useCode(model, call, 'oauth')
  if (typeof code === 'string') return refuse(code)
  const issued = model.issueToken(code.workspaceId, code.scopes)
  const workspace = model.workspaces.get(code.workspaceId)
  const wantsHook = code.scopes.includes('incoming-webhook')
  const channel = wantsHook ? workspace?.channels.find(({ id }) => id === code.channel) : undefined
  return installed(model, code.workspaceId, {
    ...issued,
    authed_user: { id: code.userId },
    ...(channel && {
      incoming_webhook: {
        channel: `#${channel.name}`,
        channel_id: channel.id,
        configuration_url: `${call.url}/configure`,
        url: `${call.url}${model.addHook(code.workspaceId, channel.id)}`,
      },
    }),
  })
}

function installed(model: Model, workspaceId: string, more: object): Answer {
  const workspace = model.workspaces.get(workspaceId)
  return {
    json: {
      ok: true,
      app_id: 'A0KRD7HC3',
      token_type: 'bot',
      bot_user_id: workspace?.botUserId,
      team: { id: workspaceId, name: workspace?.name },
      enterprise: null,
      is_enterprise_install: false,
      ...more,
    },
  }
}

function openidToken(model: Model, call: Call): Answer {
  const fault = clientFault(model, call)
  if (fault) return refuse(fault)
  const code = useCode(model, call, 'openid')
  if (typeof code === 'string') return refuse(code)
  const seconds = Math.floor(model.now() / 1000)
  const claims = {
    iss: call.url,
    sub: code.userId,
    aud: model.app.clientId,
    exp: seconds + 300,
    iat: seconds,
    auth_time: seconds,
    nonce: code.nonce,
    'https://slack.com/team_id': code.workspaceId,
    'https://slack.com/user_id': code.userId,
    'https://slack.com/team_name': model.workspaces.get(code.workspaceId)?.name,
  }
  const parts = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const idToken = [...parts, Buffer.from('not checked').toString('base64url')].join('.')
  return { json: { ok: true, access_token: `xoxp-${secretOf(16)}`, token_type: 'Bearer', id_token: idToken } }
}

/** By Basic, or as arguments. */
function clientFault({ app }: Model, { authorization = '', args }: Call): string | undefined {
  const pair = authorization.startsWith('Basic ') ? Buffer.from(authorization.slice(6), 'base64').toString() : undefined
  const [id, secret] = pair?.split(':') ?? [args.client_id, args.client_secret]
  if (id !== app.clientId) return 'invalid_client_id'
  return secret === app.clientSecret ? undefined : 'bad_client_secret'
}

function useCode(model: Model, { args }: Call, kind: Code['kind']): Code | string {
  const code = model.codes.get(String(args.code))
  if (!code || code.isUsed || model.now() - code.madeAt > hour / 6) return 'invalid_code'
  if (code.kind !== kind) return 'oauth_authorization_url_mismatch'
  if (code.redirectUri !== args.redirect_uri) return 'bad_redirect_uri'
  code.isUsed = true
  return code
}

function bearerOf({ authorization = '', args }: Call): string {
  return authorization.startsWith('Bearer ') ? authorization.slice(7) : String(args.token ?? '')
}

function withToken(model: Model, call: Call, then: (token: Token, workspace: Workspace) => Answer): Answer {
  const text = bearerOf(call)
  const token = model.tokens.get(text)
  if (!text) return refuse('not_authed')
  const workspace = token && model.workspaces.get(token.workspaceId)
  if (!token || !workspace) return refuse('invalid_auth')
  if (token.refused) return refuse(token.refused)
  if (token.expiresAt !== undefined && token.expiresAt <= model.now()) return refuse('token_expired')
  return then(token, workspace)
}

function postMessage(model: Model, { args, authorization }: Call, token: Token, workspace: Workspace): Answer {
  if (!token.scopes.includes('chat:write')) {
    return refuse('missing_scope', { needed: 'chat:write', provided: token.scopes.join(',') })
  }
  const place = findPlace(workspace, token, String(args.channel ?? ''))
  if ('fault' in place) return refuse(place.fault)
  const fault = contentFault(args)
  if (fault) return refuse(fault.error, { response_metadata: { messages: fault.messages ?? [] } })
  const limited = limit(model, place.id)
  if (limited) return limited
  const text = typeof args.text === 'string' ? args.text.slice(0, 40_000) : ''
  const body = { ...args, text }
  const ts = model.keep({ workspaceId: workspace.id, channel: place.id, body, by: authorization ?? '' })
  return { json: { ok: true, channel: place.id, ts, message: { ...body, type: 'message', ts } } }
}

/** A channel by its id or name; a person by id, which is a conversation with the bot. */
function findPlace(
  { channels, people }: Workspace,
  { scopes }: Token,
  asked: string,
): { id: string } | { fault: string } {
  const conversation = people.find(({ id }) => id === asked || `D${id.slice(1)}` === asked)
  if (conversation) return { id: `D${conversation.id.slice(1)}` }
  const channel = channels.find(({ id, name }) => id === asked || asked === name || asked === `#${name}`)
  if (!channel || (channel.isPrivate && !channel.hasBot)) return { fault: 'channel_not_found' }
  if (channel.isArchived) return { fault: 'is_archived' }
  if (!channel.hasBot && !scopes.includes('chat:write.public')) return { fault: 'not_in_channel' }
  return channel
}

function contentFault(args: Record<string, unknown>): { error: string; messages?: string[] } | undefined {
  const { blocks, text, markdown_text: markdown, attachments, metadata } = args
  if (markdown !== undefined && (blocks !== undefined || text !== undefined)) return { error: 'markdown_text_conflict' }
  if (!blocks && !text && !attachments && !markdown) return { error: 'no_text' }
  if (blocks !== undefined && !Array.isArray(blocks)) return { error: 'invalid_blocks_format' }
  const messages = (blocks ?? []).flatMap(blockFault)
  if (messages.length > 0 || (blocks ?? []).length > 50) return { error: 'invalid_blocks', messages }
  const isMetadata =
    metadata === undefined ||
    (isRecord(metadata) && typeof metadata.event_type === 'string' && isRecord(metadata.event_payload))
  return isMetadata ? undefined : { error: 'invalid_metadata_format' }
}

const needs: Record<string, readonly string[]> = {
  section: [],
  header: ['text'],
  divider: [],
  image: ['alt_text'],
  context: ['elements'],
  actions: ['elements'],
  input: ['label', 'element'],
  rich_text: ['elements'],
  markdown: ['text'],
}

function blockFault(block: unknown, at: number): string[] {
  const pointer = `[json-pointer:/blocks/${at}]`
  const required = isRecord(block) ? needs[String(block.type)] : undefined
  if (!isRecord(block) || !required) return [`[ERROR] unsupported type ${pointer}`]
  const missing = required.find((name) => block[name] === undefined)
  if (missing) return [`[ERROR] missing required field: ${missing} ${pointer}`]
  return block.type === 'section' && !block.text && !block.fields ? [`[ERROR] missing text or fields ${pointer}`] : []
}

function limit(model: Model, channel: string): Answer | undefined {
  const waitMs = model.waitMs(channel)
  if (waitMs === 0) return undefined
  return {
    status: 429,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
    json: { ok: false, error: 'ratelimited' },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
