import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Api, GetGiven, GetReply, PathWith } from '../api/calls.ts'
import { api } from '../api/client.ts'
import { type ApiFault, toFault } from '../api/fault.ts'
import {
  type AnyPage,
  byCursor,
  byNumber,
  type CursorPage,
  type NumberedPage,
  onlyFirst,
  type Paging,
  readTotal,
} from './paging.ts'
import type { Query } from './to-search.ts'

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

/** The paths that give pages of a kind. */
type ListPath<Page> = { [Path in PathWith<'get'>]: GetReply<Path> extends Page ? Path : never }[PathWith<'get'>]
type RowOf<Path extends PathWith<'get'>> = GetReply<Path> extends { data: (infer Row)[] } ? Row : never
/** What a page gives a list: its place and filters. Where the page of rows begins is the list's own. */
type Start<Path extends PathWith<'get'>> = Omit<GetGiven<Path>, 'signal'> & {
  queryKey: readonly unknown[]
  limit?: number
  enabled?: boolean
  /** Of another environment, by its own door. */
  from?: Api
}

type Page = AnyPage<unknown>
type AnyStart = {
  queryKey: readonly unknown[]
  path?: object
  query?: Query
  limit?: number
  enabled?: boolean
  from?: Api
}

export function useCursorPages<Path extends ListPath<CursorPage<unknown>>>(
  path: Path,
  start: Start<Path>,
): PagedList<RowOf<Path>>
export function useCursorPages(path: string, start: AnyStart): PagedList<unknown> {
  return usePaged(path, start, byCursor)
}

export function useNumberedPages<Path extends ListPath<NumberedPage<unknown>>>(
  path: Path,
  start: Start<Path>,
): PagedList<RowOf<Path>>
export function useNumberedPages(path: string, start: AnyStart): PagedList<unknown> {
  return usePaged(path, start, byNumber)
}

/** Paths and queries were checked where the list was asked for. */
type ReadPage = (path: string, given: { path?: object; query: Query; signal: AbortSignal }) => Promise<Page>

function usePaged<Param>(
  path: string,
  { queryKey, path: names, query, limit = 50, enabled = true, from = api }: AnyStart,
  paging: Paging<Param>,
): PagedList<unknown> {
  const queries = useQueryClient()
  const key = [...queryKey, query ?? {}]
  const found = useInfiniteQuery<Page, Error, InfiniteData<Page, Param>, unknown[], Param>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      (from.get as ReadPage)(path, {
        ...(names && { path: names }),
        query: { ...query, limit, ...paging.toQuery(pageParam as Param) },
        signal,
      }),
    initialPageParam: paging.first,
    getNextPageParam: paging.next,
    enabled,
    // Asking every page again because the window came to the front would cost more than it tells.
    refetchOnWindowFocus: false,
  })
  const pages = found.data?.pages
  // The same array as long as nothing came: a list is drawn with every step of scrolling.
  const rows = useMemo(() => pages?.flatMap((page) => page.data) ?? [], [pages])
  return {
    rows,
    ...readTotal(pages?.[0]),
    isPending: found.isPending,
    fault: found.error ? toFault(found.error) : null,
    hasMore: found.hasNextPage,
    isLoadingMore: found.isFetchingNextPage,
    loadMore: () => {
      if (found.hasNextPage && !found.isFetching) void found.fetchNextPage()
    },
    refresh: async () => {
      queries.setQueryData<InfiniteData<Page, Param>>(key, onlyFirst)
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
