import createClient from 'openapi-fetch'
import { ownEnvironment } from '../lib/environment.ts'
import { type Query, toSearch } from '../lib/to-search.ts'
import type { Api, Method } from './calls.ts'
import { ApiFault } from './fault.ts'
import { signedOut } from './signed-out.ts'

type AnyGiven = { path?: Record<string, unknown>; query?: Query; body?: unknown; signal?: AbortSignal }
/** Any call, to the library: which path takes and gives what is said by `Api`. */
type AnyOperation = {
  parameters: { path?: Record<string, unknown>; query?: Record<string, unknown> }
  requestBody?: { content: { 'application/json': unknown } }
  responses: { 200: { content: { 'text/plain': string } }; default: { content: { 'application/json': unknown } } }
}
type AnyPath = Record<string, Record<Method, AnyOperation>>

/**
 * The one door to the server: same origin, by cookie. Everything a page knows or changes goes through here.
 * `api.get('/v2/topics/{topicKey}', { path: { topicKey }, signal })`
 */
export const api = makeApi(ownEnvironment)

/** For who asks where they could go, when the environment of this window is none of theirs. */
export const apiOfSession = makeApi(() => null)

/** `environment`: what the calls are about; null: that of the session. `origin`: the server, where it is another (tests). */
export function makeApi(environment: () => string | null, origin = ''): Api {
  const client = createClient<AnyPath>({
    baseUrl: origin,
    credentials: 'same-origin',
    headers: { accept: 'application/json' },
    querySerializer: (query) => toSearch(query as Query),
    fetch: reach,
  })
  const call =
    (method: Method) =>
    async (path: string, { path: names, query, body, signal }: AnyGiven = {}) => {
      // Read as text: some replies are empty, and a proxy's may be no JSON.
      const { data, error, response } = await client.request(method, path, {
        params: { ...(names && { path: names }), ...(query && { query }) },
        headers: { ...placeHeaders(environment()), ...(method !== 'get' && writeHeaders(path)) },
        ...withBody(method, body),
        ...(signal && { signal }),
        parseAs: 'text',
      })
      if (response.ok) return readJson(data)
      // Those of sessions are refused for other reasons, too: a wrong password, a link that was used.
      if (response.status === 401 && !path.startsWith('/session')) signedOut()
      const said = typeof error === 'object' && error !== null ? error : {}
      throw new ApiFault(response.status, said, readSeconds(response.headers.get('retry-after')))
    }
  const calls = { get: call('get'), post: call('post'), put: call('put'), patch: call('patch'), delete: call('delete') }
  return calls as Api
}

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiFault(0, { code: 'unreachable', message: 'The server cannot be reached. Is it running?' })
  }
}

function placeHeaders(environment: string | null): Record<string, string> {
  // Whatever stands in the address: a header takes no other letters.
  return environment === null ? {} : { 'tidings-environment': encodeURIComponent(environment) }
}

function writeHeaders(path: string): Record<string, string> {
  return { 'x-tidings-session': '1', ...(path.startsWith('/v') && { 'idempotency-key': newKey() }) }
}

/** A write always says something, be it an empty object; only a delete may say nothing. */
function withBody(method: Method, body: unknown): { body?: unknown } {
  if (body !== undefined) return { body }
  return method === 'get' || method === 'delete' ? {} : { body: {} }
}

/** Works on plain http too, where `crypto.randomUUID` does not exist. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function readSeconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}

function readJson(text: string | undefined): unknown {
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
