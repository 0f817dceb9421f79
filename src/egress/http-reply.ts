import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { createPauses } from '../lib/chunks.ts'
import type { HttpReply } from '../lib/outbound.ts'
import { maxDepth, mostEscapes, parseInTurns, scanJson } from '../lib/read-json.ts'

/** Far more than any vendor answers. The rest is not read. */
export const maxBodyBytes = 1024 * 1024
// JSON.parse cannot be interrupted: with more values it takes over a tenth of a second. A bridge that tells of workflows
// has one in 14 characters.
const [mostValues, mostAtOnce] = [1_000_000, 200_000]
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
  if (body.length > keptBytes) await ownTurn()
  const text = new TextDecoder().decode(isWhole ? body : body.subarray(0, keptBytes))
  const json = !isWhole ? undefined : body.length > maxBodyBytes ? await parseLarge(body) : parse(text)
  return { kind: 'reply', status, headers, text, json }
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

let lastTurn: Promise<unknown> = Promise.resolve()

/** Large answers that come at the same moment are read one after another, and others have their turn between them. */
function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  return lastTurn
}

/** In turns, and not at all where one of them would be long. */
async function parseLarge(body: Buffer): Promise<unknown> {
  const { values, escapes, depth, portions } = scanJson(body, mostValues)
  if (values > mostValues || escapes > mostEscapes || depth > maxDepth) return undefined
  const pause = createPauses()
  let left = values
  for (const [from, to] of portions) {
    await pause()
    const own = scanJson(body.subarray(from, to), mostValues).values
    if (own > mostAtOnce) return undefined
    left -= own
  }
  return left > mostAtOnce ? undefined : parseInTurns(body, portions).catch(() => undefined)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
