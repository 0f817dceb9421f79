import { readRetryAfter } from './retries.ts'
import { TidingsError, textOf } from './tidings-error.ts'
import { wait } from './wait.ts'

export type Sent = {
  url: string
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
  timeoutMs: number
}

/** Sends a request once and returns the JSON of the reply. */
export async function send({ url, method, headers, body, signal, timeoutMs }: Sent): Promise<unknown> {
  const late = AbortSignal.timeout(timeoutMs)
  // A body or header that cannot be sent throws here, and is not repeated.
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const sent = new Headers({ ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) })
  try {
    const reply = await fetch(url, {
      method,
      headers: sent,
      credentials: 'omit',
      cache: 'no-store',
      // A followed redirect would turn POST into GET, or lose the key.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
      ...content,
    })
    refuseRedirect(url, reply)
    return await readReply(reply)
  } catch (error) {
    if (error instanceof TidingsError || signal?.aborted) throw error
    throw noAnswer(url, late.aborted ? `within ${timeoutMs} ms` : `(${reasonOf(error)})`, error)
  }
}

export function noAnswer(url: string, detail: string, cause?: unknown): TidingsError {
  return new TidingsError(`no answer from ${withoutQuery(url)} ${detail}`, { status: 0, cause })
}

const withoutQuery = (url: string) => url.replace(/[?#].*/, '')

/** Throws if the reply is a redirect. Browsers hide its status and where it leads. */
export function refuseRedirect(url: string, reply: Response): void {
  const isRedirect = reply.type === 'opaqueredirect' || (reply.status >= 300 && reply.status < 400)
  if (!isRedirect) return
  const target = withoutQuery(reply.headers.get('location') ?? 'another address')
  const message = `${withoutQuery(url)} redirects to ${target}: pass the address that Tidings itself has as url`
  throw new TidingsError(message, { status: reply.status, code: 'redirected' })
}

/**
 * Ends an attempt that has several steps when its time is over. `leftMs` returns the time that is left for the next step,
 * and throws if none is, so that nothing is sent after the caller was told that it failed.
 */
export async function limitTime<T>(
  url: string,
  timeoutMs: number,
  attempt: (leftMs: () => number) => Promise<T>,
): Promise<T> {
  const until = Date.now() + timeoutMs
  const late = () => noAnswer(url, `within ${timeoutMs} ms`)
  const leftMs = () => {
    const left = until - Date.now()
    if (left <= 0) throw late()
    return left
  }
  const done = new AbortController()
  const expiry = wait(timeoutMs, done.signal).then(() => Promise.reject(late()))
  return Promise.race([attempt(leftMs), expiry]).finally(() => done.abort())
}

/** Returns the reason of a failed request. Node hides it in the cause of "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}

async function readReply(reply: Response): Promise<unknown> {
  const text = await reply.text()
  if (!reply.ok) throw refusal(reply, text)
  if (text === '') return undefined
  const body = readJson(text)
  if (body !== undefined) return body
  const message = 'the reply is not JSON: is this the address of Tidings?'
  throw new TidingsError(message, { status: reply.status, body: text })
}

export function refusal(reply: Response, text: string): TidingsError {
  const body = readJson(text) ?? text
  return new TidingsError(textOf(body, 'message') ?? `refused with status ${reply.status}`, {
    status: reply.status,
    body,
    retryAfterMs: readRetryAfter(reply.headers.get('retry-after')),
  })
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
