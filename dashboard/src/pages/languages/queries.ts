import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { Content } from './words.ts'

/** What has translations. */
export type Resource = { resourceType: 'workflow' | 'layout'; resourceId: string }

/** What of its templates each language lacks. */
export const missingQuery = ({ resourceType, resourceId }: Resource) =>
  queryOptions({
    queryKey: ['translations', 'missing', resourceType, resourceId],
    queryFn: ({ signal }) =>
      api.get('/v2/translations/group/{resourceType}/{resourceId}/missing', {
        path: { resourceType, resourceId },
        signal,
      }),
  })

export const contentQuery = (resource: Resource, locale: string) =>
  queryOptions({
    queryKey: ['translations', 'content', resource.resourceType, resource.resourceId, locale],
    queryFn: () => readContent(resource, locale),
  })

export async function readContent({ resourceType, resourceId }: Resource, locale: string): Promise<Content> {
  const path = { resourceType, resourceId, locale }
  return (await api.get('/v2/translations/{resourceType}/{resourceId}/{locale}', { path })).content
}

export const environmentQuery = queryOptions({
  queryKey: ['environment'],
  // The whole reply is kept: the page of the inbox reads it by the same key.
  queryFn: ({ signal }) => api.get('/v1/environment', { signal }),
  select: ({ data }) => data,
})

/** Reads anew what is shown of translations. First which languages there are: one that was removed is not asked for. */
export async function refreshWords(queries: QueryClient): Promise<void> {
  for (const preview of ['step-preview', 'layout-preview']) void queries.invalidateQueries({ queryKey: [preview] })
  await queries.invalidateQueries({ queryKey: ['translations', 'missing'] })
  await queries.invalidateQueries({
    queryKey: ['translations', 'content'],
    predicate: ({ queryKey: [, , resourceType, resourceId, locale] }) => {
      const resource = { resourceType, resourceId } as Resource
      const found = queries.getQueryData(missingQuery(resource).queryKey)
      return found?.locales.some((one) => one.locale === locale) ?? false
    },
  })
}
