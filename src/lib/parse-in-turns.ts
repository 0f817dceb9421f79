import { isAscii } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { isPlainObject } from './canonical-json.ts'
import { createPauses } from './chunks.ts'
import type { Scanned } from './read-json.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
// Most bodies are, and are read five times as fast.
const decode = (bytes: Buffer) => (isAscii(bytes) ? bytes.toString('latin1') : utf8.decode(bytes))
const parse = (bytes: Buffer): unknown => JSON.parse(decode(bytes))

/**
 * JSON.parse of a large body, in turns: the events of a bulk are read some at a time. Throws if it is no JSON.
 *
 * Each portion is cut out and a name put in its place; both must be JSON, and then so is the whole.
 */
export async function parseInTurns(json: Buffer, portions: Scanned['portions']): Promise<unknown> {
  if (portions.length === 0) return parseWhole(json)
  const name = randomUUID()
  const pieces: Buffer[] = []
  let end = 0
  for (const [n, [from, to]] of portions.entries()) {
    pieces.push(json.subarray(end, from), Buffer.from(`"${name}${n}"`))
    end = to
  }
  const whole = parse(Buffer.concat([...pieces, json.subarray(end)]))
  if (!isPlainObject(whole)) return whole
  const pause = createPauses()
  for (const list of Object.values(whole)) {
    if (!Array.isArray(list) || !String(list[0]).startsWith(name)) continue
    const items: unknown[] = []
    for (const placed of list.splice(0)) {
      await pause()
      const [from, to] = portions[Number(String(placed).slice(name.length))] ?? [0, 0]
      const read = parse(Buffer.from(`[${json.subarray(from, to).toString('latin1')}]`, 'latin1'))
      if (!Array.isArray(read) || read.length === 0) throw new SyntaxError('nothing between two commas')
      for (const item of read) items.push(item)
    }
    for (const item of items) list.push(item)
  }
  return whole
}

async function parseWhole(json: Buffer): Promise<unknown> {
  const pause = createPauses()
  const text = decode(json)
  await pause()
  return JSON.parse(text)
}
