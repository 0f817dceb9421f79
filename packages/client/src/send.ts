import { readRetryAfter } from './retries.ts'
import { TidingsError, textOf } from './tidings-error.ts'

export type Sent = {
  url: string
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
  timeoutMs: number
}

/** Sends a request once, and gives the reply's JSON. */
export async function send({ url, method, headers, body, signal, timeoutMs }: Sent): Promise<unknown> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const reply = await fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      credentials: 'omit',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, late]) : late,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return await readReply(reply)
  } catch (error) {
    if (error instanceof TidingsError || signal?.aborted) throw error
    throw noAnswer(url, late.aborted ? `within ${timeoutMs} ms` : `(${reasonOf(error)})`, error)
  }
}

export function noAnswer(url: string, detail: string, cause?: unknown): TidingsError {
  return new TidingsError(`no answer from ${url.replace(/[?#].*/, '')} ${detail}`, { status: 0, cause })
}

/** Node says "fetch failed", and the reason one level deeper. */
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
