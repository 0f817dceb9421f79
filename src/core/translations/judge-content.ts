import { type FieldErrors, validationFailed } from '../../errors.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { readMessage } from './read-message.ts'

export type Content = Record<string, unknown>

const maxBytes = 256 * 1024
const maxDepth = 10
const maxKeys = 5_000
const maxKeyChars = 255
const mostFaults = 20

/** What is wrong with the words of a language, by key; all of them are texts. `pause`: lib/chunks.ts. */
export async function findContentFaults(content: unknown, pause: () => Promise<void>): Promise<Record<string, string>> {
  if (!isPlainObject(content)) return { '': 'must be an object of texts' }
  if (Buffer.byteLength(JSON.stringify(content)) > maxBytes) return { '': 'is larger than 256 KB' }
  const faults = new Map<string, string>()
  let count = 0
  for (const { key, value, depth } of entriesOf(content)) {
    count += 1
    if (count > maxKeys) return { '': `has more than ${maxKeys} keys` }
    const fault = faultOf(key, value, depth)
    if (fault !== null) faults.set(key, fault)
    if (faults.size >= mostFaults) break
    await pause()
  }
  return Object.fromEntries(faults)
}

/** Throws 422 that names the keys. */
export async function checkContent(content: unknown, pause: () => Promise<void>, field = 'content'): Promise<Content> {
  const faults = await findContentFaults(content, pause)
  const errors: FieldErrors = {}
  for (const [key, message] of Object.entries(faults)) {
    errors[[field, key].filter((it) => it !== '').join('.')] = { messages: [message] }
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors)
  return content as Content
}

/** One sentence that names the first key. */
export async function contentFault(content: unknown, pause: () => Promise<void>): Promise<string | null> {
  const [first] = Object.entries(await findContentFaults(content, pause))
  if (!first) return null
  return first[0] === '' ? `the content ${first[1]}` : `"${first[0]}" ${first[1]}`
}

/** Of all its texts. */
export function keysOfContent(content: Content): string[] {
  return [...entriesOf(content)].flatMap(({ key, value }) => (typeof value === 'string' ? [key] : []))
}

type Entry = { key: string; value: unknown; depth: number }

/** What is nested comes as its own entries only. */
function* entriesOf(content: Content, prefix = '', depth = 1): Generator<Entry> {
  for (const [name, value] of Object.entries(content)) {
    const key = prefix + name
    if (isPlainObject(value) && depth < maxDepth) yield* entriesOf(value, `${key}.`, depth + 1)
    else yield { key, value, depth }
  }
}

function faultOf(key: string, value: unknown, depth: number): string | null {
  if (key.length > maxKeyChars) return `has a name of more than ${maxKeyChars} characters`
  if (isPlainObject(value) && depth >= maxDepth) return `is nested more than ${maxDepth} levels deep`
  if (typeof value !== 'string') return 'must be a text'
  const read = readMessage(value)
  return 'fault' in read ? read.fault : null
}
