import { queryOptions } from '@tanstack/react-query'
import { makeApi } from '../../../api/client.ts'

type Count = { one: string; many: string; count: number; capped?: boolean }

const number = new Intl.NumberFormat('en')
const single = { limit: 1 }

/** What an environment holds, in words; empty: nothing that somebody made. */
export const holdingsQuery = (environmentId: string) =>
  queryOptions({
    queryKey: ['environment-holdings', environmentId],
    queryFn: async ({ signal }) => {
      const there = makeApi(() => environmentId)
      const [workflows, layouts, people, topics, integrations, keys] = await Promise.all([
        there.get('/v2/workflows', { query: single, signal }),
        there.get('/v2/layouts', { query: single, signal }),
        there.get('/v2/subscribers', { query: single, signal }),
        there.get('/v2/topics', { query: single, signal }),
        there.get('/v1/integrations', { signal }),
        there.get('/v1/api-keys', { signal }),
      ])
      return [
        { one: 'workflow', many: 'workflows', count: workflows.totalCount },
        { one: 'layout', many: 'layouts', count: layouts.totalCount },
        { one: 'subscriber', many: 'subscribers', count: people.totalCount, capped: people.totalCountCapped },
        { one: 'topic', many: 'topics', count: topics.totalCount, capped: topics.totalCountCapped },
        { one: 'integration', many: 'integrations', count: integrations.length },
        { one: 'live API key', many: 'live API keys', count: keys.data.filter(({ revokedAt }) => !revokedAt).length },
      ].flatMap(toWords)
    },
    staleTime: 0,
  })

/** `3 workflows`; none at all is not said. */
export function toWords({ one, many, count, capped }: Count): string[] {
  if (count === 0) return []
  return [count === 1 ? `one ${one}` : `${number.format(count)}${capped ? ' or more' : ''} ${many}`]
}

/** `a, b and c` */
export function inARow(parts: readonly string[]): string {
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(' and ')
}
