import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { toFault } from '../api/fault.ts'
import type { Integration, Provider } from '../api/types.ts'
import { channelName } from '../lib/channels.ts'
import { useFilters } from '../lib/filters.ts'
import { paths } from '../lib/paths.ts'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { ChangedBy } from '../ui/may.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { AboutProvider } from './integration/about-provider.tsx'
import { DeleteIntegration } from './integration/delete-integration.tsx'
import { Failover } from './integration/failover.tsx'
import { IntegrationForm, type SavedKey } from './integration/integration-form.tsx'
import { TellVendor } from './integration/tell-vendor.tsx'
import { TestSend } from './integration/test-send.tsx'
import { RedirectAddress, Workspaces } from './integration/workspaces.tsx'
import { integrationsQuery, providersQuery } from './integrations/queries.ts'

const back = { href: paths.integrations, label: 'Integrations' }

export default function IntegrationPage() {
  const { integrationId = '' } = useParams({ strict: false })
  const [filters] = useFilters<'providerId'>()
  const providers = useQuery(providersQuery)
  const integrations = useQuery(integrationsQuery)
  // From the form of a new one to the page that it becomes.
  const [savedKey, onSavedKey] = useState<SavedKey | null>(null)
  const keys = { savedKey, onSavedKey }
  const error = providers.error ?? integrations.error
  if (!providers.data || !integrations.data) {
    return (
      <Page title="Integration" back={back}>
        {error ? <FaultNote fault={toFault(error)} /> : <SkeletonLines lines={8} />}
      </Page>
    )
  }
  const providerOf = (id: string | undefined) => providers.data.find(({ providerId }) => providerId === id)
  if (integrationId === 'new') {
    const provider = providerOf(filters.providerId)
    if (!provider) return <NotThere what="provider" />
    return <NewIntegration key={provider.providerId} provider={provider} keys={keys} />
  }
  const integration = integrations.data.find(({ _id }) => _id === integrationId)
  if (!integration) return <NotThere what="integration" />
  return (
    <Existing
      key={integration._id}
      integration={integration}
      provider={providerOf(integration.providerId)}
      all={integrations.data}
      providers={providers.data}
      keys={keys}
    />
  )
}

function NotThere({ what }: { what: string }) {
  return (
    <Page title="Integration" back={back}>
      <Card>
        <Empty
          icon="plug"
          title={`No such ${what}`}
          action={<ButtonLink href={paths.integrations}>All of them</ButtonLink>}
        >
          Perhaps it was deleted. Choose one from the list.
        </Empty>
      </Card>
    </Page>
  )
}

type Keys = { savedKey: SavedKey | null; onSavedKey(saved: SavedKey): void }

function NewIntegration({ provider, keys }: { provider: Provider; keys: Keys }) {
  return (
    <Page
      title={`Connect ${provider.displayName}`}
      back={back}
      beside={<Badge>{channelName(provider.channel)}</Badge>}
      changedBy="credentials"
    >
      <ChangedBy needs="credentials">
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <IntegrationForm provider={provider} {...keys} />
          <div className="flex min-w-0 flex-col gap-4">
            {provider.connects && (
              <Card title="Workspaces" description="Connected once this is saved, with an app of yours.">
                <RedirectAddress provider={provider} />
              </Card>
            )}
            <AboutProvider provider={provider} />
          </div>
        </div>
      </ChangedBy>
    </Page>
  )
}

type ExistingProps = {
  integration: Integration
  provider: Provider | undefined
  all: readonly Integration[]
  providers: readonly Provider[]
  keys: Keys
}

function Existing({ integration, provider, all, providers, keys }: ExistingProps) {
  return (
    <Page
      title={integration.name}
      changedBy="credentials"
      back={back}
      description={provider?.displayName ?? integration.providerId}
      beside={
        <>
          <Badge>{channelName(integration.channel)}</Badge>
          <Badge tone={integration.active ? 'ok' : 'neutral'}>{integration.active ? 'active' : 'off'}</Badge>
          {integration.primary && <Badge tone="info">primary</Badge>}
        </>
      }
      actions={<DeleteIntegration integration={integration} />}
    >
      <ChangedBy needs="credentials">
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
          {provider ? (
            <div className="flex min-w-0 flex-col gap-4">
              {provider.connects && <Workspaces integration={integration} provider={provider} />}
              {provider.links && <TellVendor integration={integration} provider={provider} />}
              <IntegrationForm provider={provider} integration={integration} {...keys} />
            </div>
          ) : (
            <Card>
              <Empty icon="plug" title="This provider is not in the catalogue">
                The service cannot send with “{integration.providerId}”. It may be deleted.
              </Empty>
            </Card>
          )}
          <div className="flex min-w-0 flex-col gap-4">
            {provider && provider.channel !== 'in_app' && <TestSend integration={integration} provider={provider} />}
            {integration.channel !== 'in_app' && <Failover integration={integration} all={all} providers={providers} />}
            {provider && <AboutProvider provider={provider} />}
          </div>
        </div>
      </ChangedBy>
    </Page>
  )
}
