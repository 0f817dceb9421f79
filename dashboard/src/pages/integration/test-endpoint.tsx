import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { ChannelEndpoint, Integration, Provider } from '../../api/types.ts'
import { placeWords, sendsToEndpointsOnly, typeWords } from '../../lib/endpoint-types.ts'
import { Field, Select } from '../../ui/form/form.tsx'

/** Enough to choose from by hand. */
const most = 50

/** The endpoints that a test may go to, the newest first. */
export function useTestEndpoints({ identifier }: Integration, { endpoints }: Provider) {
  return useQuery({
    queryKey: ['endpoints', 'of integration', identifier],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/channel-endpoints', { query: { integrationIdentifier: identifier, limit: most }, signal }))
        .data,
    enabled: endpoints.length > 0,
    // Whoever misses one here adds it and comes back at once.
    staleTime: 0,
  })
}

type TestEndpointProps = {
  provider: Provider
  endpoints: readonly ChannelEndpoint[] | undefined
  value: string
  onText(identifier: string): void
  error: string | undefined
}

/** Nothing where there is none to choose and an address will do. */
export function TestEndpoint({ provider, endpoints, value, onText, error }: TestEndpointProps) {
  const needsOne = sendsToEndpointsOnly(provider)
  if (!endpoints?.length) {
    return needsOne ? (
      <p className="text-sm text-muted">
        A test goes to a channel endpoint, and this integration has none yet. Add one on the page of a subscriber, under
        Channels.
      </p>
    ) : null
  }
  const none = { value: '', label: needsOne ? 'Choose one' : 'None: the address below' }
  return (
    <Field label="To a channel endpoint" error={error}>
      <Select value={value} onText={onText} options={[none, ...endpoints.map(toOption)]} />
    </Field>
  )
}

function toOption(endpoint: ChannelEndpoint) {
  const words = `${endpoint.subscriberId}: ${typeWords(endpoint.type)} ${placeWords(endpoint)}`
  return { value: endpoint.identifier, label: words.trim() }
}
