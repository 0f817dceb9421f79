import { request } from 'undici'

export type ServerReply = { status: number; body: unknown }

/**
 * A server of ours, named by whoever runs a command: any address is good. Never sent twice: what a reply that got lost
 * has changed is seen by asking again.
 */
export async function callServer(
  url: string,
  { method, headers, body }: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
): Promise<ServerReply> {
  const reply = await request(url, {
    method,
    headers: {
      ...headers,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    // A thousand workflows are compiled before the first byte is answered.
    headersTimeout: 120_000,
    bodyTimeout: 60_000,
  })
  const text = await reply.body.text()
  return { status: reply.statusCode, body: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
