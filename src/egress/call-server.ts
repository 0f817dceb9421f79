import { request } from 'undici'

export type Headers = Record<string, string | string[] | undefined>
export type ServerReply = { status: number; headers: Headers; body: unknown }

// More than any page of a list of ours.
const mostBytes = 64 * 1024 * 1024
// Each part of a reply may come in time, and the reply never end.
const mostMs = 300_000

/** A reply that would be no other the next time. */
export class NotWorthAnother extends Error {}

/**
 * A server that is named by whoever runs a command: any address is good. Never sent twice: what a reply that got lost has
 * changed is seen by asking again.
 */
export async function callServer(
  url: string,
  call: {
    method: 'GET' | 'POST' | 'PUT' | 'PATCH'
    headers: Record<string, string>
    body?: string | undefined
    signal?: AbortSignal | undefined
    totalMs?: number | undefined
  },
): Promise<ServerReply> {
  const { method, headers, body, signal, totalMs = mostMs } = call
  const ending = new AbortController()
  const end = () => ending.abort()
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, totalMs)
  try {
    const reply = await request(url, {
      method,
      headers: {
        ...headers,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      signal: ending.signal,
      // A thousand workflows are compiled before the first byte is answered.
      headersTimeout: 120_000,
      bodyTimeout: 60_000,
    })
    return { status: reply.statusCode, headers: reply.headers, body: parsed(await readText(reply.body)) }
  } catch (error) {
    throw isLate ? new NotWorthAnother(`its answer was not over after ${totalMs / 1000} s`) : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    parts.push(part)
    bytes += part.length
    if (bytes > mostBytes) throw new NotWorthAnother('it answers more than 64 MB')
  }
  return Buffer.concat(parts).toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
