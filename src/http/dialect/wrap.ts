import { isPlainObject } from '../../lib/canonical-json.ts'

type Shape = { properties?: Record<string, unknown> }

/**
 * A result that clients take for an envelope as it is: it has a `data`, and is no resource itself. `shape`: of a result
 * that is not written yet, only the fields that its schema names will be.
 */
export function isEnvelope(result: unknown, { properties }: Shape = {}): boolean {
  if (!isPlainObject(result)) return false
  const has = (key: string) => Boolean(result[key]) && (!properties || Object.hasOwn(properties, key))
  return has('data') && !has('_id') && !has('id')
}

export function wrap(result: unknown): unknown {
  return isEnvelope(result) ? result : { data: result }
}

export async function* wrapChunks(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  yield '{"data":'
  yield* chunks
  yield '}'
}
