import { skipToken, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { inbox, TidingsError } from '@tidings/client/inbox'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import type { InboxNotification } from '../../api/types.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { nextAfter } from '../subscriber/feed-pages.ts'

export type Connection = 'connecting' | 'live' | 'again' | 'ended'

/** What somebody's bell shows at this moment. */
export type Look = {
  connection: Connection
  /** Null until it is known. */
  unread: number | null
  rows: readonly InboxNotification[] | null
  hasMore: boolean
  isLoadingMore: boolean
  loadMore(): void
  fault: ApiFault | null
  /** Opens the inbox anew. */
  openAgain(): void
}

/**
 * Follows somebody's inbox with the client that their own pages would use. It only asks and listens: nothing here marks
 * anything as seen or read.
 */
export function useLook(subscriberId: string): Look {
  const session = useQuery({
    queryKey: ['inbox-session', subscriberId],
    queryFn: ({ signal }) =>
      api.post('/v2/subscribers/{subscriberId}/inbox-session', {
        path: { subscriberId },
        query: { lookOnly: true },
        signal,
      }),
    // A session opens one inbox for one look; the next look opens its own.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  })
  const token = session.data?.data.token
  const client = useMemo(() => (token ? inbox({ url: location.origin, token }) : null), [token])
  const list = useInfiniteQuery({
    queryKey: ['inbox-look', subscriberId, session.dataUpdatedAt],
    queryFn: client ? ({ pageParam }) => client.list({ limit: 10, ...(pageParam && { after: pageParam }) }) : skipToken,
    initialPageParam: '',
    getNextPageParam: nextAfter,
    // The client has tried again by itself.
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const { connection, unread } = useNews(client, () => list.refetch())
  // A list that could not be asked again stays: the connection says how fresh it is.
  const error = session.error ?? (list.data ? null : list.error)
  const isOver = list.error instanceof TidingsError && list.error.status === 401
  return {
    connection: isOver ? 'ended' : connection,
    unread: unread ?? session.data?.data.totalUnreadCount ?? null,
    rows: list.data?.pages.flatMap((page) => page.data) ?? null,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    loadMore: () => void list.fetchNextPage(),
    fault: error ? toFault(error) : null,
    openAgain: () => void session.refetch(),
  }
}

type Told = { connection: Connection; unread: number | null }

/** The list is asked again at every news, one question at a time: what the server holds is the truth, news are a hint. */
function useNews(client: ReturnType<typeof inbox> | null, refresh: () => Promise<unknown>): Told {
  const [told, setTold] = useState<Told>({ connection: 'connecting', unread: null })
  const current = useRef(refresh)
  current.current = refresh
  const [ask] = useState(() => oneAtATime(() => current.current()))
  useEffect(() => {
    if (!client) return
    setTold({ connection: 'connecting', unread: null })
    const tell = (change: Partial<Told>) => setTold((last) => ({ ...last, ...change }))
    return client.listen({
      connected() {
        tell({ connection: 'live' })
        void ask()
      },
      received: () => void ask(),
      counts(counts) {
        tell({ unread: counts.unread })
        // Equal counts too: something else changed, such as what was archived after it was read.
        void ask()
      },
      disconnected: (_error, { isFinal }) => tell({ connection: isFinal ? 'ended' : 'again' }),
    })
  }, [client, ask])
  return told
}
