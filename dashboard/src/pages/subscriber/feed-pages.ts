import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, part, type Query, toFault } from '../../api.ts'
import type { InboxNotification } from '../../api-types.ts'
import type { PagedList } from '../../lib/pages.ts'
import { toast } from '../../ui/toast.tsx'

type FeedPage = { data: InboxNotification[]; hasMore: boolean }

const feedPath = (subscriberId: string) => `/v2/subscribers/${part(subscriberId)}/notifications`

/** The feed's own paging: after the last one seen. */
export function useFeedPages(subscriberId: string, query: Query): PagedList<InboxNotification> {
  const found = useInfiniteQuery({
    queryKey: ['live', 'feed', subscriberId, query],
    queryFn: ({ pageParam, signal }) =>
      api.get<FeedPage>(feedPath(subscriberId), { ...query, limit: 50, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.hasMore ? page.data.at(-1)?.id : undefined),
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

/** `verb` as the API calls it: read, unread, archive, unarchive, unsnooze. */
export function useFeedChange(subscriberId: string, onDone: (changed: InboxNotification) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, verb }: { id: string; verb: string }) =>
      api.patch<InboxNotification>(`${feedPath(subscriberId)}/${part(id)}/${verb}`, {}),
    onSuccess: (changed) => {
      onDone(changed)
      return queries.invalidateQueries({ queryKey: ['live', 'feed', subscriberId] })
    },
    onError: toast.fault,
  })
}
