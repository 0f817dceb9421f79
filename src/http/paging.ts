import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '../context.ts'
import { ApiError } from '../errors.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { isUuid7 } from '../lib/uuid7.ts'
import type { Env } from '../store/database.ts'
import type { Page, PageRequest, Place } from '../store/keyset.ts'

type CursorQuery = {
  after?: string
  before?: string
  limit?: number
  orderBy?: string
  orderDirection?: 'ASC' | 'DESC'
  includeCursor?: boolean
}

export type CursorPage<Item> = {
  data: Item[]
  next: string | null
  previous: string | null
  totalCount: number
  totalCountCapped: boolean
}

/**
 * Answers one cursor list. A cursor is signed with the list, environment, order and filter it belongs to, so that a
 * cursor of another list is refused instead of misread.
 */
export async function cursorList<Row, Item>(
  { ctx, env, query }: { ctx: Ctx; env: Env; query: CursorQuery },
  list: {
    name: string
    filter: object
    load(request: PageRequest): Promise<Page<Row> | null>
    toJson(rows: Row[]): Item[] | Promise<Item[]>
  },
): Promise<CursorPage<Item>> {
  const request = {
    limit: query.limit ?? 10,
    orderBy: query.orderBy ?? '_id',
    direction: query.orderDirection ?? 'DESC',
  }
  const scope = canonicalJson([env.environmentId, list.name, request.orderBy, request.direction, list.filter])
  const keys = ctx.sealer.derive('cursor')
  const from = readPosition(query, (text) => readCursor(text, scope, keys))
  const page = await list.load(from ? { ...request, from } : request)
  if (!page) throw new ApiError('invalid_cursor')
  const toCursor = (place: Place | null) => place && writeCursor(place, scope, keys)
  return {
    data: await list.toJson(page.rows),
    next: toCursor(page.next),
    previous: toCursor(page.previous),
    totalCount: page.totalCount,
    totalCountCapped: page.totalCountCapped,
  }
}

function readPosition(query: CursorQuery, read: (text: string) => Place | null): PageRequest['from'] {
  if (query.after !== undefined && query.before !== undefined) {
    throw new ApiError('invalid_cursor', { message: 'Give after or before, not both.' })
  }
  const text = query.after ?? query.before
  if (text === undefined) return undefined
  const inclusive = query.includeCursor ?? false
  const side = query.after !== undefined ? 'after' : 'before'
  if (isUuid7(text)) return { side, place: { id: text.toLowerCase(), inclusive } }
  const place = read(text)
  if (!place) throw new ApiError('invalid_cursor')
  return { side, place: { ...place, inclusive: inclusive || place.inclusive } }
}

const signatureLength = 16

function writeCursor(place: Place, scope: string, [key]: readonly Buffer[]): string {
  if (!key) throw new Error('a sealer always has a key')
  const body = Buffer.from(JSON.stringify([place.value, place.id, place.inclusive]))
  return Buffer.concat([sign(body, scope, key), body]).toString('base64url')
}

function readCursor(text: string, scope: string, keys: readonly Buffer[]): Place | null {
  const bytes = Buffer.from(text, 'base64url')
  const [signature, body] = [bytes.subarray(0, signatureLength), bytes.subarray(signatureLength)]
  if (signature.length !== signatureLength) return null
  if (!keys.some((key) => timingSafeEqual(sign(body, scope, key), signature))) return null
  const [value, id, inclusive]: [string | null, string, boolean] = JSON.parse(body.toString())
  return { value, id, inclusive }
}

function sign(body: Buffer, scope: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(scope).update('\0').update(body).digest().subarray(0, signatureLength)
}
