import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { ApiFault } from '../../api/fault.ts'
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

/** Nothing where there are no words in this language yet. */
export async function readContent({ resourceType, resourceId }: Resource, locale: string): Promise<Content> {
  try {
    const path = { resourceType, resourceId, locale }
    return (await api.get('/v2/translations/{resourceType}/{resourceId}/{locale}', { path })).content
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'translation_not_found') return {}
    throw error
  }
}

export const environmentQuery = queryOptions({
  queryKey: ['environment'],
  queryFn: async ({ signal }) => (await api.get('/v1/environment', { signal })).data,
})
