import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { GetGiven } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { InboxNotification } from '../../api/types.ts'
import type { PagedList } from '../../lib/pages.ts'
import { toast } from '../../ui/toast.tsx'

type FeedQuery = NonNullable<GetGiven<'/v2/subscribers/{subscriberId}/notifications'>['query']>
/** As the API calls them. */
export type FeedVerb = 'read' | 'unread' | 'archive' | 'unarchive' | 'unsnooze'

/** The feed's own paging: after the last one seen. */
export function nextAfter({ data, hasMore }: { data: { id: string }[]; hasMore: boolean }): string | undefined {
  return hasMore ? data.at(-1)?.id : undefined
}

export function useFeedPages(subscriberId: string, query: FeedQuery): PagedList<InboxNotification> {
  const found = useInfiniteQuery({
    queryKey: ['live', 'feed', subscriberId, query],
    queryFn: ({ pageParam, signal }) =>
      api.get('/v2/subscribers/{subscriberId}/notifications', {
        path: { subscriberId },
        query: { ...query, limit: 50, after: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextAfter,
    refetchOnWindowFocus: false,
  })
  return {
    rows: found.data?.pages.flatMap((page) => page.data) ?? [],
    total: null,
    totalCapped: false,
    isPending: found.isPending,
    fault: found.error ? toFault(found.error) : null,
    hasMore: found.hasNextPage,
    isLoadingMore: found.isFetchingNextPage,
    loadMore: () => {
      if (found.hasNextPage && !found.isFetching) void found.fetchNextPage()
    },
    refresh: async () => {
      await found.refetch()
    },
  }
}

export function useFeedChange(subscriberId: string, onDone: (changed: InboxNotification) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, verb }: { id: string; verb: FeedVerb }) =>
      api.patch(`/v2/subscribers/{subscriberId}/notifications/{notificationId}/${verb}`, {
        path: { subscriberId, notificationId: id },
      }),
    onSuccess: (changed) => {
      onDone(changed)
      return queries.invalidateQueries({ queryKey: ['live', 'feed', subscriberId] })
    },
    onError: toast.fault,
  })
}
