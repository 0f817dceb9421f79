import type { Query } from './to-search.ts'

export type CursorPage<Row> = { data: Row[]; next: string | null; totalCount?: number; totalCountCapped?: boolean }
export type NumberedPage<Row> = { data: Row[]; hasMore: boolean; page: number; totalCount?: number }
export type AnyPage<Row> = CursorPage<Row> | NumberedPage<Row>

/** How the pages of a list follow one another. `next` gives undefined after the last one. */
export type Paging<Param> = {
  first: Param
  toQuery(param: Param): Query
  next(page: AnyPage<unknown>): Param | undefined
}

/** Lists with `after` cursors (`/v2/…`): `{data, next, totalCount}`. */
export const byCursor: Paging<string | null> = {
  first: null,
  toQuery: (after) => ({ after }),
  next: (page) => ('next' in page ? (page.next ?? undefined) : undefined),
}

/** Lists with numbered pages (`/v1/…`): `{data, hasMore, page}`. */
export const byNumber: Paging<number> = {
  first: 0,
  toQuery: (page) => ({ page }),
  next: (page) => ('hasMore' in page && page.hasMore ? page.page + 1 : undefined),
}

type Read<Page, Param> = { pages: Page[]; pageParams: Param[] }

/** What was scrolled further is forgotten: only the first page is asked again. */
export function onlyFirst<Page, Param>(read: Read<Page, Param> | undefined): Read<Page, Param> | undefined {
  return read && { pages: read.pages.slice(0, 1), pageParams: read.pageParams.slice(0, 1) }
}

/** How many there are, as far as the server counts. */
export function readTotal(head: AnyPage<unknown> | undefined): { total: number | null; totalCapped: boolean } {
  return {
    total: head?.totalCount ?? null,
    totalCapped: Boolean(head && 'totalCountCapped' in head && head.totalCountCapped),
  }
}
