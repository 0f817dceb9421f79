import { useQuery } from '@tanstack/react-query'
import { toFault } from '../api/fault.ts'
import { channelName, channels } from '../lib/channels.ts'
import { useFilters } from '../lib/filters.ts'
import { FaultNote } from '../ui/empty.tsx'
import { SearchInput } from '../ui/form/search-input.tsx'
import { Page, Toolbar } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { Segments } from '../ui/tabs.tsx'
import { Gallery } from './integrations/gallery.tsx'
import { OwnIntegrations } from './integrations/own-integrations.tsx'
import { integrationsQuery, providersQuery } from './integrations/queries.ts'

const kinds = [{ id: 'all', label: 'All' }, ...channels.map((id) => ({ id, label: channelName(id) }))]

export default function Integrations() {
  const [filters, setFilters] = useFilters<'search' | 'channel' | 'providerId'>()
  const providers = useQuery(providersQuery)
  const integrations = useQuery(integrationsQuery)
  const channel = kinds.find(({ id }) => id === filters.channel)?.id ?? 'all'
  // The overview names a provider that is in trouble.
  const search = filters.search ?? filters.providerId ?? ''
  const matches = (one: { channel: string; words: string }) =>
    (channel === 'all' || one.channel === channel) && one.words.toLowerCase().includes(search.toLowerCase())
  const error = providers.error ?? integrations.error
  return (
    <Page
      title="Integrations"
      changedBy="credentials"
      description="The services that carry your messages, and those you could add. Pick one below to connect it."
    >
      <Toolbar>
        <SearchInput
          label="Search integrations and providers"
          placeholder="Search providers"
          value={search}
          onSearch={(text) => setFilters({ search: text, providerId: undefined })}
        />
        <div className="max-w-full overflow-x-auto">
          <Segments
            label="Channel"
            items={kinds}
            value={channel}
            onChange={(id) => setFilters({ channel: id === 'all' ? undefined : id })}
          />
        </div>
      </Toolbar>
      {error && (
        <FaultNote
          fault={toFault(error)}
          onRetry={() => {
            void providers.refetch()
            void integrations.refetch()
          }}
        />
      )}
      {!error && !(providers.data && integrations.data) && <SkeletonLines lines={8} />}
      {providers.data && integrations.data && (
        <div className="flex flex-col gap-8">
          <OwnIntegrations providers={providers.data} integrations={integrations.data} matches={matches} />
          <Gallery providers={providers.data} integrations={integrations.data} matches={matches} />
        </div>
      )}
    </Page>
  )
}
