import { isPlainObject } from '../../lib/canonical-json.ts'
import { sha256 } from '../../lib/seal.ts'
import { createRoundFinder } from './rounds.ts'
import { type Query, type Source, SourceRefusal } from './source.ts'

export type Item = Record<string, unknown>
/** `next`: where to go on after this page; null: it was the last. `total`: of the whole list, if that is known. */
export type Page = { items: Item[]; next: string | null; total: number | null; isCapped: boolean }

/** A list that cannot be read. `isMissing`: the service has none such; any other reason is a fault. */
export class ListRefusal extends Error {
  readonly isMissing: boolean
  constructor(message: string, isMissing = false) {
    super(message)
    this.isMissing = isMissing
  }
}

const pageSize = 100
// In the order of their ids: who comes while it is read comes last.
const inOrder = { orderBy: '_id', orderDirection: 'ASC' }
// Whatever was there is deleted, or filtered out after it was counted.
const mostEmptyPages = 1_000

type Place = { from: string | null; sort: boolean }

/**
 * A list, page by page, in whichever form it comes: whole, by cursors, by page numbers or by offsets. The next page is
 * fetched while this one is worked on. `from`: `next` of an earlier page.
 */
export async function* listPages(
  source: Source,
  path: string,
  from: string | null = null,
  query: Query = {},
): AsyncGenerator<Page> {
  const first: Place = { from, sort: true }
  let coming: Promise<Page> | null = fetchPage(source, path, query, first).catch((error: unknown) =>
    from === null ? refuse(error) : Promise.reject(error),
  )
  const check = createCheck(`${source.url} answers the same page of ${path} again and again.`)
  while (coming) {
    const page: Page = await coming
    check(page)
    coming = page.next === null ? null : fetchPage(source, path, query, { from: page.next, sort: first.sort })
    // Its failure is told when it is waited for.
    coming?.catch(() => {})
    yield page
  }
}

/** At the beginning it is the list that is refused; later on it is this reading, which can be gone on with. */
function refuse(error: unknown): never {
  if (error instanceof SourceRefusal) throw new ListRefusal(error.message, error.status === 404)
  throw error
}

/** Throws when a list has no end: a place, or what is at it, comes again. */
function createCheck(message: string): (page: Page) => void {
  const [isKnownPlace, isKnownContent] = [createRoundFinder(), createRoundFinder()]
  let empty = 0
  return ({ items, next }) => {
    empty = items.length === 0 ? empty + 1 : 0
    const isRound = next !== null && isKnownPlace(next)
    const isSame = items.length > 0 && isKnownContent(digest(items.map(identityOf)))
    if (isRound || isSame || empty > mostEmptyPages) throw new ListRefusal(message)
  }
}

function identityOf({ _id, ...item }: Item): string {
  return typeof _id === 'string' ? _id : digest(item)
}

function digest(value: unknown): string {
  return sha256(JSON.stringify(value)).toString('base64')
}

async function fetchPage(source: Source, path: string, query: Query, place: Place): Promise<Page> {
  const at = placeOf(place.from)
  if (place.sort) {
    try {
      return readPage(await source.get(path, { limit: pageSize, ...query, ...inOrder, ...at }), place.from)
    } catch (error) {
      // Not every list can be ordered so.
      if (!(error instanceof SourceRefusal) || ![400, 422].includes(error.status)) throw error
      place.sort = false
    }
  }
  return readPage(await source.get(path, { limit: pageSize, ...query, ...at }), place.from)
}

/** A list that always comes whole. */
export async function listWhole(source: Source, path: string): Promise<Item[]> {
  try {
    return readPage(await source.get(path), null).items
  } catch (error) {
    return refuse(error)
  }
}

/** `after:<cursor>`, `page:<number>` or `offset:<number>`. */
function placeOf(from: string | null): Query {
  const [, name = '', value = ''] = /^(after|page|offset):(.*)$/s.exec(from ?? '') ?? []
  return name === '' ? {} : { [name]: value }
}

export function readPage(body: unknown, from: string | null): Page {
  if (Array.isArray(body)) return { items: body.filter(isPlainObject), next: null, total: body.length, isCapped: false }
  const list = isPlainObject(body) ? [body.data, body.workflows, body.layouts].find(Array.isArray) : undefined
  if (!isPlainObject(body) || !list) {
    throw new SourceRefusal(200, 'The other service answers something that is no list: is it the address of its API?')
  }
  const items = list.filter(isPlainObject)
  const total = typeof body.totalCount === 'number' ? body.totalCount : null
  return { items, next: nextOf(body, list.length, total, from), total, isCapped: body.totalCountCapped === true }
}

function nextOf(body: Item, count: number, total: number | null, from: string | null): string | null {
  if (typeof body.next === 'string' && body.next !== '') return `after:${body.next}`
  if ('next' in body || count === 0) return null
  const { page, offset } = placeOf(from)
  if (typeof body.hasMore === 'boolean') return body.hasMore ? `page:${Number(page ?? 0) + 1}` : null
  const read = Number(offset ?? 0) + count
  return total !== null && read < total ? `offset:${read}` : null
}

const mostReadings = 5

/** `canGoOn`: `next` is a place that stays where it is. */
export type SteadyPage = Page & { canGoOn: boolean }

/**
 * Something that is deleted while a list by page numbers or offsets is read moves the rest one place up. Such a list is
 * read until two readings say the same, and each thing of it comes once. Its ids are held; those of a list by cursors are not.
 */
export async function* listSteady(
  source: Source,
  path: string,
  from: string | null = null,
  query: Query = {},
): AsyncGenerator<SteadyPage> {
  const seen = new Set<string>()
  let before: string | null = null
  for (let reading = 0; reading < mostReadings; reading++) {
    const now = new Set<string>()
    let isMoving = false
    for await (const page of listPages(source, path, reading === 0 ? from : null, query)) {
      isMoving ||= page.next !== null && !page.next.startsWith('after:')
      if (!isMoving) {
        yield { ...page, canGoOn: true }
        continue
      }
      const known = now.size
      for (const item of page.items) now.add(identityOf(item))
      if (page.items.length > 0 && now.size === known)
        throw new ListRefusal(`${source.url} answers the same things of ${path} again and again.`)
      const items = page.items.filter((item) => isNew(seen, identityOf(item)))
      if (items.length > 0) yield { ...page, items, canGoOn: false }
    }
    const found = digest([...now].sort())
    if (!isMoving || found === before) return
    before = found
  }
}

function isNew(seen: Set<string>, id: string): boolean {
  const before = seen.size
  return seen.add(id).size > before
}

/** All of a list that is small: it is held. */
export async function listAll(source: Source, path: string, nameOf: (item: Item) => string): Promise<Item[]> {
  const all = new Map<string, Item>()
  for await (const { items } of listSteady(source, path)) for (const item of items) all.set(nameOf(item), item)
  return [...all.values()]
}
