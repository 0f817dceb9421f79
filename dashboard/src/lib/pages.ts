import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ApiFault, api, type Query, toFault } from '../api.ts'

/** A list that is read as it is scrolled: what `DataTable` shows. */
export type PagedList<Row> = {
  rows: Row[]
  /** Null when the server does not count this list. */
  total: number | null
  totalCapped: boolean
  isPending: boolean
  fault: ApiFault | null
  hasMore: boolean
  isLoadingMore: boolean
  loadMore(): void
  /** Asks again from the first page on; what was scrolled further is forgotten. */
  refresh(): Promise<void>
}

type CursorPage<Row> = { data: Row[]; next: string | null; totalCount?: number; totalCountCapped?: boolean }
type NumberedPage<Row> = { data: Row[]; hasMore: boolean; page: number; totalCount?: number }
type AnyPage<Row> = CursorPage<Row> | NumberedPage<Row>
type Start = { queryKey: readonly unknown[]; path: string; query?: Query; limit?: number; enabled?: boolean }

/** Lists with `after` cursors (`/v2/…`): `{data, next, totalCount}`. */
export function useCursorPages<Row>(start: Start): PagedList<Row> {
  return usePaged<Row, string | null>(start, null, (param) => ({ after: param }), {
    next: (page) => ('next' in page ? (page.next ?? undefined) : undefined),
  })
}

/** Lists with numbered pages (`/v1/…`): `{data, hasMore, page}`. */
export function useNumberedPages<Row>(start: Start): PagedList<Row> {
  return usePaged<Row, number>(start, 0, (param) => ({ page: param }), {
    next: (page) => ('hasMore' in page && page.hasMore ? page.page + 1 : undefined),
  })
}

function usePaged<Row, Param>(
  { queryKey, path, query, limit = 50, enabled = true }: Start,
  first: Param,
  toQuery: (param: Param) => Query,
  { next }: { next(page: AnyPage<Row>): unknown },
): PagedList<Row> {
  const queries = useQueryClient()
  const key = [...queryKey, query ?? {}]
  const found = useInfiniteQuery<AnyPage<Row>, Error, InfiniteData<AnyPage<Row>>, unknown[], Param>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      api.get<AnyPage<Row>>(path, { ...query, limit, ...toQuery(pageParam as Param) }, signal),
    initialPageParam: first,
    getNextPageParam: (page) => next(page) as Param | undefined,
    enabled,
    // Asking every page again because the window came to the front would cost more than it tells.
    refetchOnWindowFocus: false,
  })
  const pages = found.data?.pages
  // The same array as long as nothing came: a list is drawn with every step of scrolling.
  const rows = useMemo(() => pages?.flatMap((page) => page.data) ?? [], [pages])
  const head = pages?.[0]
  return {
    rows,
    total: head?.totalCount ?? null,
    totalCapped: Boolean(head && 'totalCountCapped' in head && head.totalCountCapped),
    isPending: found.isPending,
    fault: found.error ? toFault(found.error) : null,
    hasMore: found.hasNextPage,
    isLoadingMore: found.isFetchingNextPage,
    loadMore: () => {
      if (found.hasNextPage && !found.isFetching) void found.fetchNextPage()
    },
    refresh: async () => {
      queries.setQueryData<InfiniteData<AnyPage<Row>>>(key, (old) =>
        old ? { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) } : old,
      )
      await queries.invalidateQueries({ queryKey: key })
    },
  }
}

/** A short list that is all there, for a `DataTable`. */
export function fixedList<Row>(rows: Row[]): PagedList<Row> {
  return {
    rows,
    total: rows.length,
    totalCapped: false,
    isPending: false,
    fault: null,
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => {},
    refresh: async () => {},
  }
}
