import type { IncomingMessage } from 'node:http'
import { apiKeyId } from '../lib/api-key.ts'
import { sha256 } from '../lib/seal.ts'
import { readSessionToken } from '../lib/session-token.ts'

/** What a cell can be asked about: `GET /v1/cells/where?<name>=<value>`. */
export type Question = { name: 'environment' | 'identifier' | 'integration' | 'key' | 'unsubscribe'; value: string }

/** What a request says about whose it is. It proves nothing: the cell checks that. */
export type Subject = {
  /** Under this the gateway remembers what it learns; null: nobody's, any cell can answer. */
  name: string | null
  /** The cell that the text itself names. */
  cell: string | null
  environmentId: string | null
  question: Question | null
}

/** Requests whose body says whose they are. */
export type NamedInBody = 'inbox session' | 'sign-in'

export const nobody: Subject = { name: null, cell: null, environmentId: null, question: null }

const keyScheme = 'ApiKey '
const bearerScheme = 'Bearer '
const webhook = /^\/v1\/webhooks\/(?:([a-z0-9]{1,16})-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const webhookIn =
  /^\/v2\/inbound-webhooks\/delivery-providers\/[^/]+\/(?:([a-z0-9]{1,16})-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const unsubscribe = /^\/v1\/unsubscribe\/(?:([a-z0-9]{1,16})\.)?(sealed\.[^/]{1,2000})$/
const connected = '/v1/integrations/chat/oauth/callback'

export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

export function namedInBody({ method, url = '' }: IncomingMessage): NamedInBody | null {
  if (method !== 'POST') return null
  const path = pathOf(url)
  if (/^\/v1\/inbox\/session\/?$/.test(path)) return 'inbox session'
  return path === '/session' ? 'sign-in' : null
}

/** By its path and headers alone. */
export function findSubject({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): Subject {
  const path = pathOf(url)
  const query = () => new URLSearchParams(url.slice(path.length + 1))
  const ofLink = subjectOfLink(path)
  if (ofLink) return ofLink
  if (path === connected) return subjectOfSession(query().get('state') ?? '') ?? nobody
  const { authorization } = headers
  if (authorization?.startsWith(keyScheme)) return subjectOfKey(authorization.slice(keyScheme.length))
  if (authorization?.startsWith(bearerScheme)) return subjectOfInbox(authorization.slice(bearerScheme.length)) ?? nobody
  if (authorization !== undefined) return nobody
  const asked = url.length > path.length ? query() : null
  const ofToken = asked && subjectOfInbox(asked.get('token') ?? '')
  if (ofToken) return ofToken
  const identifier = asked?.get('applicationIdentifier') || headers['novu-application-identifier']
  if (typeof identifier === 'string' && identifier !== '') return subjectOfIdentifier(identifier)
  return subjectOfSession(sessionCookieOf(headers.cookie)) ?? nobody
}

/** By what the body says, which nobody has checked; null: it names nobody. */
export function findSubjectInBody(kind: NamedInBody, json: unknown): Subject | null {
  if (typeof json !== 'object' || json === null) return null
  const text = (name: string) => {
    const value: unknown = Reflect.get(json, name)
    return typeof value === 'string' && value !== '' ? value : null
  }
  if (kind === 'inbox session') {
    const identifier = text('applicationIdentifier')
    return identifier === null ? null : subjectOfIdentifier(identifier)
  }
  const key = text('key')
  return key ? subjectOfKey(key) : subjectOfSession(text('link') ?? '')
}

export function subjectOfEnvironment(environmentId: string): Subject {
  const name = `environment ${environmentId}`
  return { name, cell: null, environmentId, question: { name: 'environment', value: environmentId } }
}

/** A key of ours names its cell. One that an operator thought up, or of old, is asked for by its hash. */
function subjectOfKey(text: string): Subject {
  const [, cell] = /^td_([a-z0-9]{1,16})_/.exec(text) ?? []
  const id = apiKeyId(text)
  // Misspelt: the cell it names says so.
  if (cell !== undefined && !id) return { ...nobody, cell }
  if (text === '') return nobody
  const value = id ?? sha256(text).toString('hex')
  return { name: `key ${value}`, cell: cell ?? null, environmentId: null, question: { name: 'key', value } }
}

/** Tokens of the inbox begin with their environment, signed and readable. */
function subjectOfInbox(token: string): Subject | null {
  const [, body] = /^ti_([A-Za-z0-9_-]{52,4096})\./.exec(token) ?? []
  if (body === undefined) return null
  const start = Buffer.from(body.slice(0, 52), 'base64url').toString('latin1')
  const [, environmentId] = /^\["([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/.exec(start) ?? []
  return environmentId === undefined ? null : subjectOfEnvironment(environmentId)
}

function subjectOfSession(token: string): Subject | null {
  const read = readSessionToken(token)
  return read && subjectOfEnvironment(read.environmentId)
}

function subjectOfIdentifier(text: string): Subject {
  const value = text.slice(0, 200)
  return { ...nobody, name: `identifier ${value}`, question: { name: 'identifier', value } }
}

function subjectOfLink(path: string): Subject | null {
  const [isWebhook, cellOfWebhook = null, id = ''] = webhook.exec(path) ?? webhookIn.exec(path) ?? []
  if (isWebhook !== undefined) {
    return { ...nobody, name: `integration ${id}`, cell: cellOfWebhook, question: { name: 'integration', value: id } }
  }
  const [isUnsubscribe, cell = null, token = ''] = unsubscribe.exec(path) ?? []
  if (isUnsubscribe === undefined) return null
  const name = `unsubscribe ${sha256(token).toString('base64url')}`
  return { ...nobody, name, cell, question: { name: 'unsubscribe', value: token } }
}

function sessionCookieOf(cookie = ''): string {
  for (const part of cookie.split(';')) {
    const [name, value] = part.trim().split('=', 2)
    if (name === 'tidings_session') return value ?? ''
  }
  return ''
}
