import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { type ReceivedRequest, type Scripted, startHttpReceiver } from '../peers/http-receiver.ts'

/** What was posted. `body`: the bytes of the request; `url`: what it was posted to. */
export type Posted = { name: string; space: string; url: string; body: string; json: Record<string, unknown> }

type Space = { isMember: boolean; isRestricted: boolean; webhooks: Map<string, string>; threads: Set<string> }
type State = {
  nowMs: number
  publicKey: string
  spaces: Map<string, Space>
  posted: Posted[]
  /** By space and request id. */
  byRequest: Map<string, Posted>
  /** Access tokens, and when each expires. */
  tokens: Map<string, number>
  writes: { space: string; atMs: number }[]
  limits: { perSpacePerSecond: number; perProjectPerMinute: number } | undefined
}

/** Where Google is. Both lead to the double. */
export const googleOrigins = ['https://oauth2.googleapis.com', 'https://chat.googleapis.com']

const email = 'bot@my-project.iam.gserviceaccount.com'
const kid = 'key-1'

/**
 * Google Chat as https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create has it, and
 * Google's tokens for service accounts. `limits`: those of https://developers.google.com/workspace/chat/limits, or lower.
 */
export async function startGoogleChat({ limits }: { limits?: State['limits'] } = {}) {
  const server = await startHttpReceiver()
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const state: State = {
    nowMs: Date.UTC(2026, 0, 2),
    publicKey: keys.publicKey,
    spaces: new Map(),
    posted: [],
    byRequest: new Map(),
    tokens: new Map(),
    writes: [],
    limits,
  }
  server.answer = (request) => answer(state, request)
  return {
    url: server.url,
    port: server.port,
    posted: state.posted,
    /** What it was asked, posted or not. */
    requests: server.requests,
    /** The file that Google gives out. */
    serviceAccount: JSON.stringify({
      type: 'service_account',
      project_id: 'my-project',
      private_key_id: kid,
      private_key: keys.privateKey,
      client_email: email,
    }),
    now: () => new Date(state.nowMs),
    advance(ms: number) {
      state.nowMs += ms
    },
    tokensIssued: () => state.tokens.size,
    /** A space with the app in it. */
    open(space: string) {
      state.spaces.set(space, { isMember: true, isRestricted: false, webhooks: new Map(), threads: new Set() })
    },
    /** The address of a new webhook, as Google shows it. */
    addWebhook(space: string): string {
      const { webhooks } = spaceOf(state, space)
      const [key, token] = ['AIzaSyDdI0hCZtE6vySjMm-WEfRq3CPzqKqqsHI', `token-${webhooks.size}-of_${space}%3D`]
      webhooks.set(decodeURIComponent(token), key)
      return `https://chat.googleapis.com/v1/spaces/${space}/messages?key=${key}&token=${token}`
    },
    removeApp(space: string) {
      spaceOf(state, space).isMember = false
    },
    restrict(space: string) {
      spaceOf(state, space).isRestricted = true
    },
    remove(space: string) {
      state.spaces.delete(space)
    },
    /** As when the key of the account was deleted: its tokens are good no more. */
    revokeTokens() {
      state.tokens.clear()
    },
    close: server.close,
  }
}

function answer(state: State, request: ReceivedRequest): Scripted {
  const { pathname, searchParams } = new URL(request.url, 'https://chat.googleapis.com')
  if (request.method !== 'POST') return refuse(404, 'NOT_FOUND', 'Method not found.')
  if (pathname === '/token') return issueToken(state, new URLSearchParams(request.body.toString()))
  const [, name] = /^\/v1\/spaces\/([^/]+)\/messages$/.exec(pathname) ?? []
  if (name === undefined) return { status: 404, body: '<h1>Not Found</h1>' }
  return createMessage(state, request, decodeURIComponent(name), searchParams)
}

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
function issueToken(state: State, form: URLSearchParams): Scripted {
  const fail = (error: string, words: string) => ({ status: 400, json: { error, error_description: words } })
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    return fail('unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type')}`)
  }
  const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const signed = Buffer.from(`${header}.${claims}`)
  const isSigned = verify('sha256', signed, createPublicKey(state.publicKey), Buffer.from(signature, 'base64url'))
  if (!isSigned || read(header).alg !== 'RS256' || read(header).kid !== kid) {
    return fail('invalid_grant', 'Invalid JWT Signature.')
  }
  const { iss, aud, scope, iat, exp } = read(claims)
  if (iss !== email) return fail('invalid_grant', 'Invalid grant: account not found')
  if (aud !== 'https://oauth2.googleapis.com/token') return fail('invalid_grant', 'Invalid JWT: Failed audience check.')
  const now = state.nowMs / 1000
  const isInTime = Number(iat) <= now + 300 && Number(exp) > now && Number(exp) - Number(iat) <= 3600
  if (!isInTime) return fail('invalid_grant', 'Invalid JWT: Token must be a short-lived token (60 minutes)')
  if (scope !== 'https://www.googleapis.com/auth/chat.bot') return fail('invalid_scope', 'Invalid OAuth scope')
  const token = `ya29.${state.tokens.size + 1}`
  state.tokens.set(token, state.nowMs + 3_599_000)
  return { json: { access_token: token, expires_in: 3599, token_type: 'Bearer' } }
}

function createMessage(state: State, request: ReceivedRequest, name: string, query: URLSearchParams): Scripted {
  const space = state.spaces.get(name)
  const isWebhook = query.has('token')
  const refused = isWebhook ? judgeWebhook(space, query) : judgeApp(state, space, request.headers.authorization)
  if (refused) return refused
  const json = isFields(request.json) ? request.json : {}
  const wrong = judgeMessage(json, request.body.length) ?? judgeThread(space, json, query)
  if (wrong) return wrong
  const requestId = isWebhook ? null : query.get('requestId')
  const known = requestId === null ? undefined : state.byRequest.get(`${name} ${requestId}`)
  if (known) return accept(known)
  const tooMany = judgeRate(state, name)
  if (tooMany) return tooMany
  state.writes.push({ space: name, atMs: state.nowMs })
  const made = {
    name: `spaces/${name}/messages/m${state.posted.length + 1}`,
    space: name,
    url: request.url,
    body: request.body.toString(),
    json,
  }
  state.posted.push(made)
  if (requestId !== null) state.byRequest.set(`${name} ${requestId}`, made)
  return accept(made)
}

function judgeApp(state: State, space: Space | undefined, authorization: string | undefined): Scripted | undefined {
  const expiresMs = state.tokens.get(authorization?.replace(/^Bearer /, '') ?? '')
  if (authorization === undefined) {
    return refuse(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers")
  }
  if (expiresMs === undefined || expiresMs <= state.nowMs) {
    return refuse(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
  }
  if (!space) return refuse(404, 'NOT_FOUND', 'Requested entity was not found.')
  if (!space.isMember) return refuse(403, 'PERMISSION_DENIED', 'This Chat app is not a member of this space.')
  if (!space.isRestricted) return undefined
  const words = "This organization's administrator restricts this Chat app from performing this action"
  return refuse(403, 'PERMISSION_DENIED', words)
}

function judgeWebhook(space: Space | undefined, query: URLSearchParams): Scripted | undefined {
  if (!/^AIza/.test(query.get('key') ?? '')) {
    return refuse(400, 'INVALID_ARGUMENT', 'API key not valid.', errorInfo('API_KEY_INVALID'))
  }
  if (!space) return refuse(404, 'NOT_FOUND', 'Requested entity was not found.')
  if (space.webhooks.get(query.get('token') ?? '') === query.get('key')) return undefined
  return refuse(403, 'PERMISSION_DENIED', 'The API is called without a valid token.')
}

const fieldNames = ['text', 'cardsV2', 'thread', 'fallbackText', 'accessoryWidgets', 'privateMessageViewer']

function judgeMessage(json: Record<string, unknown>, bytes: number): Scripted | undefined {
  const unknown = Object.keys(json).find((name) => !fieldNames.includes(name))
  if (unknown !== undefined) {
    return refuse(400, 'INVALID_ARGUMENT', `Invalid JSON payload received. Unknown name "${unknown}"`)
  }
  if (!json.text && !json.cardsV2) return refuse(400, 'INVALID_ARGUMENT', 'Message cannot be empty.')
  // What Google counts besides the texts is not documented.
  return bytes > 33_000 ? refuse(400, 'INVALID_ARGUMENT', 'Message is too long.') : undefined
}

function judgeThread(space: Space | undefined, { thread }: Record<string, unknown>, query: URLSearchParams) {
  const option = query.get('messageReplyOption')
  if (option !== null && !/^REPLY_MESSAGE_(OR_FAIL|FALLBACK_TO_NEW_THREAD)$/.test(option)) {
    return refuse(400, 'INVALID_ARGUMENT', `Invalid value at 'message_reply_option': "${option}"`)
  }
  const name = isFields(thread) ? thread.name : undefined
  const isMissing = typeof name === 'string' && !space?.threads.has(name)
  return option === 'REPLY_MESSAGE_OR_FAIL' && isMissing
    ? refuse(404, 'NOT_FOUND', 'Requested entity was not found.')
    : undefined
}

function judgeRate({ limits, writes, nowMs }: State, space: string): Scripted | undefined {
  if (!limits) return undefined
  const here = writes.filter((it) => it.space === space && it.atMs > nowMs - 1_000)
  if (here.length >= limits.perSpacePerSecond) {
    return refuse(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).')
  }
  if (writes.filter(({ atMs }) => atMs > nowMs - 60_000).length < limits.perProjectPerMinute) return undefined
  const quota = { quota_limit: 'MessageWritesPerMinutePerProject', consumer: 'projects/1' }
  return refuse(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', errorInfo('RATE_LIMIT_EXCEEDED', quota))
}

function accept({ name, json }: Posted): Scripted {
  return { json: { ...json, name } }
}

function refuse(code: number, status: string, message: string, ...details: object[]): Scripted {
  return { status: code, json: { error: { code, message, status, ...(details.length > 0 && { details }) } } }
}

function errorInfo(reason: string, metadata: object = {}): object {
  const type = 'type.googleapis.com/google.rpc.ErrorInfo'
  return { '@type': type, reason, domain: 'googleapis.com', metadata: { service: 'chat.googleapis.com', ...metadata } }
}

function spaceOf({ spaces }: State, name: string): Space {
  const space = spaces.get(name)
  if (!space) throw new Error(`there is no space ${name}`)
  return space
}

function read(part: string): Record<string, unknown> {
  const json: unknown = JSON.parse(Buffer.from(part, 'base64url').toString() || '{}')
  return isFields(json) ? json : {}
}

function isFields(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
