import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { Integration, Provider } from '../../api/types.ts'

/** The catalogue changes with a release, not while somebody looks at it. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: async ({ signal }) => (await api.get('/v1/providers', { signal })).data,
  staleTime: 600_000,
})

export const integrationsQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: ({ signal }) => api.get('/v1/integrations', { signal }),
})

/** As deliveries go: the primary first, then the active ones, oldest first (the list's own order); the rest last. */
export function inOrder(integrations: readonly Integration[]): Integration[] {
  const rank = ({ primary, active }: Integration) => (primary ? 0 : active ? 1 : 2)
  return integrations.toSorted((a, b) => rank(a) - rank(b))
}

export const hasOrder = (channel: string) => channel === 'email' || channel === 'sms'

/** A development mailbox takes messages only while nothing else is active, or where it was made the primary. */
export function isIdleMailbox(one: Integration, all: readonly Integration[], providers: readonly Provider[]): boolean {
  const isMailbox = ({ providerId }: Integration) =>
    providers.some((provider) => provider.providerId === providerId && provider.developmentOnly)
  if (one.primary || !one.active || !isMailbox(one)) return false
  return all.some((other) => other.active && other.channel === one.channel && !isMailbox(other))
}
