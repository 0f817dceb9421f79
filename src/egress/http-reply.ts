import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { HttpReply } from '../lib/outbound.ts'
import { mostEscapes, scanJson } from '../lib/read-json.ts'

const nextTurn = promisify(setImmediate)

/** Far more than any vendor answers. The rest is not read. */
export const maxBodyBytes = 1024 * 1024
// JSON.parse cannot be interrupted: with more values in a large body it takes over a tenth of a second.
const mostValues = 200_000
/** This much of an incomplete body is kept. */
const keptBytes = 64 * 1024

export type Head = { status: number; headers: Record<string, string> }

export function toHeaders(given: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => !name.startsWith(':'))
      .map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}

/**
 * Once the status has arrived, the peer has answered. A body that is broken off, too slow or too large only has no
 * JSON.
 */
export async function toReply(
  { status, headers }: Head,
  chunks: Buffer[],
  isWhole: boolean,
  mostBytes = maxBodyBytes,
): Promise<HttpReply> {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const raw = Buffer.concat(chunks)
  const body =
    encoding === 'identity' || encoding === '' ? raw : isWhole ? await decode(raw, encoding, mostBytes) : null
  if (!body) return { kind: 'reply', status, headers, text: '', json: undefined }
  const text = new TextDecoder().decode(isWhole ? body : body.subarray(0, keptBytes))
  const isRead = isWhole && (await isSoonParsed(body))
  return { kind: 'reply', status, headers, text, json: isRead ? parse(text) : undefined }
}

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** We ask for plain bodies. A compressed one is read within the same bound, or not at all. */
async function decode(raw: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer | null> {
  try {
    return (await decoders.get(encoding)?.(raw, { maxOutputLength })) ?? null
  } catch {
    return null
  }
}

/** A large one is looked at first, and parsed in a turn of its own. */
async function isSoonParsed(body: Buffer): Promise<boolean> {
  if (body.length <= maxBodyBytes) return true
  const { values, escapes } = scanJson(body, mostValues)
  await nextTurn()
  return values <= mostValues && escapes <= mostEscapes
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
