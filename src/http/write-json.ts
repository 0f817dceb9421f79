import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import { hasMoreText, isPlainObject } from '../lib/canonical-json.ts'
import { createPauses } from '../lib/chunks.ts'

// Written at once: about a millisecond.
const smallChars = 64 * 1024

type Shape = { properties?: Record<string, Shape>; items?: Shape; additionalProperties?: unknown }
type Small = (value: unknown, shape: Shape) => string

/** The result as JSON, with only the fields that the schema names. Fastify compiles the schema on first use and keeps it. */
export function serialize(reply: FastifyReply, result: unknown, schema: TSchema): string {
  return String(reply.serializeInput(Object(result), Object(schema)))
}

/** Whether `serialize` writes it in no time. */
export function isSmall(result: unknown): boolean {
  return !hasMoreText(result, { left: smallChars }) && !Object.values(Object(result)).some(isPortions)
}

/**
 * The same text in chunks, with turns for everybody else between them: no string holds all of it, and nobody waits for
 * it. A list in `result` may come in portions, each loaded when the one before is written.
 */
export async function* jsonChunks(reply: FastifyReply, result: unknown, schema: TSchema): AsyncGenerator<string> {
  // Only objects and lists with a schema of their own are worth compiling one.
  const small: Small = (value, shape) =>
    (shape.properties || shape.items) && typeof value === 'object' && value !== null
      ? String(reply.serializeInput(Object(value), Object(shape)))
      : (JSON.stringify(value) ?? 'null')
  const pause = createPauses()
  let chunk = ''
  for await (const piece of allPieces(result, Object(schema), small)) {
    chunk += piece
    await pause()
    if (chunk.length < smallChars) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

async function* allPieces(result: unknown, shape: Shape, small: Small): AsyncGenerator<string> {
  if (!isPlainObject(result)) {
    yield* pieces(result, shape, small)
    return
  }
  let before = '{'
  for (const [key, value, inner] of shownFields(result, shape)) {
    yield `${before}${JSON.stringify(key)}:`
    before = ','
    if (isPortions(value)) yield* portionPieces(value, inner.items ?? {}, small)
    else yield* pieces(value, inner, small)
  }
  yield before === '{' ? '{}' : '}'
}

async function* portionPieces(portions: AsyncIterable<unknown[]>, item: Shape, small: Small): AsyncGenerator<string> {
  let before = '['
  for await (const portion of portions) {
    for (const value of portion) {
      yield before
      before = ','
      yield* pieces(value, item, small)
    }
  }
  yield before === '[' ? '[]' : ']'
}

function* pieces(value: unknown, shape: Shape, small: Small): Generator<string> {
  const isLarge = typeof value === 'object' && hasMoreText(value, { left: smallChars })
  if (isLarge && Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      yield index === 0 ? '[' : ','
      yield* pieces(inner, shape.items ?? {}, small)
    }
    yield ']'
  } else if (isLarge && isPlainObject(value)) {
    let before = '{'
    for (const [key, inner, ofKey] of shownFields(value, shape)) {
      yield `${before}${JSON.stringify(key)}:`
      before = ','
      yield* pieces(inner, ofKey, small)
    }
    yield before === '{' ? '{}' : '}'
  } else yield small(value, shape)
}

/** Those that the schema names; all of an object without a schema. */
function* shownFields(value: Record<string, unknown>, shape: Shape): Generator<[string, unknown, Shape]> {
  const { properties = {}, additionalProperties = !shape.properties } = shape
  for (const key of Object.keys(value)) {
    const named = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (value[key] !== undefined && (named || additionalProperties)) yield [key, value[key], named ?? {}]
  }
}

export function isPortions(value: unknown): value is AsyncIterable<unknown[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
