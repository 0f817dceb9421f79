import { useState } from 'react'
import type { ApiFault } from '../../api/fault.ts'
import type { ChannelConnection, Integration, Provider } from '../../api/types.ts'
import { useCursorPages } from '../../lib/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { PersonPicker } from '../workflow/preview/person-picker.tsx'
import { ConnectionLine } from './connection-line.tsx'
import { useConnect } from './use-connect.ts'

type WorkspacesProps = { integration: Integration; provider: Provider }

/** Where the vendor's app is installed, and how it comes there. */
export function Workspaces({ integration, provider }: WorkspacesProps) {
  const list = useCursorPages('/v1/channel-connections', {
    queryKey: ['connections'],
    query: { integrationIdentifier: integration.identifier },
    limit: 20,
  })
  const connect = useConnect(integration, list.rows)
  return (
    <Card
      title="Workspaces"
      description={`Where your ${provider.displayName} app is installed. Channels and people there are reached as channel endpoints.`}
    >
      <div className="flex flex-col gap-5">
        <RedirectAddress provider={provider} />
        <Connections list={list} provider={provider} onAgain={(again) => void connect.start({ again })} />
        <NewWorkspace
          isPending={connect.isPending}
          fault={connect.fault}
          disabled={provider.redirectUri === undefined}
          onConnect={(subscriberId) => void connect.start({ subscriberId })}
        />
        {connect.url !== null && <GoOn url={connect.url} provider={provider} onDone={connect.onDone} />}
      </div>
    </Card>
  )
}

/** What the vendor must know before it sends anybody back. */
export function RedirectAddress({ provider: { redirectUri, displayName } }: { provider: Provider }) {
  if (redirectUri === undefined) {
    return (
      <p role="alert" className="flex items-start gap-2 text-sm text-warn">
        <Icon name="warn" className="mt-0.5" />
        <span className="min-w-0">
          The server does not know its public address, so {displayName} could not send people back. Start it with
          PUBLIC_URL.
        </span>
      </p>
    )
  }
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium">Register this redirect address with your app at {displayName}</p>
      <Code wrap label="Redirect address" text={redirectUri} />
    </div>
  )
}

type ConnectionsProps = {
  list: ReturnType<typeof useCursorPages<'/v1/channel-connections'>>
  provider: Provider
  onAgain(connection: ChannelConnection): void
}

function Connections({ list, provider, onAgain }: ConnectionsProps) {
  if (list.isPending) return <SkeletonLines lines={2} />
  if (list.fault) return <FaultNote fault={list.fault} onRetry={() => void list.refresh()} />
  if (list.rows.length === 0) return <p className="text-muted">No workspace is connected yet.</p>
  return (
    <div>
      <ul aria-label="Connected workspaces" className="divide-y divide-line rounded-md border border-line">
        {list.rows.map((connection) => (
          <li key={connection.identifier}>
            <ConnectionLine connection={connection} provider={provider} onAgain={() => onAgain(connection)} />
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Button size="sm" className="mt-2" busy={list.isLoadingMore} onClick={list.loadMore}>
          Show more
        </Button>
      )}
    </div>
  )
}

type NewWorkspaceProps = {
  isPending: boolean
  fault: ApiFault | null
  disabled: boolean
  onConnect(subscriberId: string): void
}

function NewWorkspace({ isPending, fault, disabled, onConnect }: NewWorkspaceProps) {
  const [subscriberId, setSubscriberId] = useState('')
  const ofPerson = fault?.code === 'subscriber_not_found' ? fault.message : fault?.of('subscriberId')
  return (
    <div className="flex flex-col gap-3">
      <div className="max-w-sm">
        <PersonPicker
          label="For one subscriber only"
          hint="Empty: everybody can be reached through it."
          value={subscriberId}
          onChange={setSubscriberId}
          error={ofPerson}
        />
      </div>
      <div>
        <Button
          needs="credentials"
          icon="external"
          busy={isPending}
          disabled={disabled}
          onClick={() => onConnect(subscriberId)}
        >
          Connect a workspace
        </Button>
      </div>
      {fault && !ofPerson && <FaultNote fault={fault} />}
    </div>
  )
}

/** For those whose browser opened no tab, and for an administrator who sits elsewhere. */
function GoOn({ url, provider, onDone }: { url: string; provider: Provider; onDone(): void }) {
  return (
    <div role="status" className="flex flex-col gap-2 rounded-md border border-line p-3">
      <p>
        Go on at {provider.displayName}, in the new tab. If none has opened, or if somebody else has to agree, open or
        hand over this address. It is good once, for half an hour.
      </p>
      <Code wrap label="Address to agree at" text={url} maxHeight="6rem" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <a href={url} target="_blank" rel="noreferrer noopener" className="text-accent underline underline-offset-2">
          Open {provider.displayName}
        </a>
        <Button size="sm" kind="quiet" onClick={onDone}>
          Hide
        </Button>
      </div>
    </div>
  )
}
