/** The one door to the server: same origin, by cookie. Everything a page knows or changes goes through here. */

export type FieldErrors = Record<string, { messages: string[]; value?: unknown }>
export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>

export class ApiFault extends Error {
  readonly status: number
  readonly code: string
  readonly errors: FieldErrors
  readonly requestId: string | undefined

  constructor(status: number, body: { code?: string; message?: string; errors?: FieldErrors; requestId?: string }) {
    super(body.message ?? `The server answered ${status}.`)
    this.status = status
    this.code = body.code ?? 'unknown'
    this.errors = body.errors ?? {}
    this.requestId = body.requestId
  }

  /** What the server says about one field, for the line under it. */
  of(field: string): string | undefined {
    return this.errors[field]?.messages.join(' ')
  }
}

const signedOutListeners = new Set<() => void>()
/** Called whenever a request finds that nobody is signed in any more. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener)
  return () => signedOutListeners.delete(listener)
}

/** Nobody is signed in any more. */
export function signedOut(): void {
  for (const listener of signedOutListeners) listener()
}

export function toSearch(query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  }
  const text = search.toString()
  return text ? `?${text}` : ''
}

/** Works on plain http too, where `crypto.randomUUID` does not exist. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

type WriteOptions = { body?: unknown; query?: Query; idempotencyKey?: string; signal?: AbortSignal }

async function request<Reply>(method: string, path: string, options: WriteOptions = {}): Promise<Reply> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (method !== 'GET') {
    headers['x-tidings-session'] = '1'
    if (path.startsWith('/v')) headers['idempotency-key'] = options.idempotencyKey ?? newKey()
  }
  if (options.body !== undefined) headers['content-type'] = 'application/json'
  const reply = await fetch(path + toSearch(options.query), {
    method,
    headers,
    credentials: 'same-origin',
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    ...(options.signal && { signal: options.signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiFault(0, { code: 'unreachable', message: 'The server cannot be reached. Is it running?' })
  })
  const text = await reply.text()
  if (reply.ok) return readJson(text) as Reply
  if (reply.status === 401 && path !== '/session') signedOut()
  throw new ApiFault(reply.status, readJson(text) ?? {})
}

function readJson(text: string) {
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const api = {
  get: <Reply>(path: string, query?: Query, signal?: AbortSignal) =>
    request<Reply>('GET', path, { ...(query && { query }), ...(signal && { signal }) }),
  post: <Reply>(path: string, body?: unknown, options?: WriteOptions) =>
    request<Reply>('POST', path, { ...options, body: body ?? {} }),
  put: <Reply>(path: string, body: unknown, options?: WriteOptions) =>
    request<Reply>('PUT', path, { ...options, body }),
  patch: <Reply>(path: string, body: unknown, options?: WriteOptions) =>
    request<Reply>('PATCH', path, { ...options, body }),
  delete: <Reply = void>(path: string, options?: WriteOptions) => request<Reply>('DELETE', path, options),
}

/** A part of a path: `/v2/topics/${part(key)}`. */
export const part = encodeURIComponent

export function toFault(error: unknown): ApiFault {
  if (error instanceof ApiFault) return error
  return new ApiFault(0, { code: 'internal', message: error instanceof Error ? error.message : String(error) })
}
