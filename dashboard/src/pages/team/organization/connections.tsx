import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toFault } from '../../../api/fault.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/code.tsx'
import { Empty, FaultNote } from '../../../ui/empty.tsx'
import { SkeletonLines } from '../../../ui/spinner.tsx'
import { Check } from './connections/check.tsx'
import { EditConnection } from './connections/edit-connection.tsx'
import { type Connection, connectionsQuery } from './connections/queries.ts'

/** For owners: who vouches for the people of the organization, and for which. */
export function Connections() {
  const { data, error, refetch } = useQuery(connectionsQuery)
  const [edited, setEdited] = useState<Connection | 'new' | null>(null)
  const add = (
    <Button needs="signIn" icon="plus" disabled={!data} onClick={() => setEdited('new')}>
      Add a connection
    </Button>
  )
  return (
    <Card
      title="Sign-in connections"
      description="Whom an issuer vouches for comes in without a password of ours."
      actions={add}
      flush
    >
      {error && (
        <div className="p-4">
          <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !error && (
        <div className="p-4">
          <SkeletonLines lines={3} />
        </div>
      )}
      {data && <RedirectAddress address={data.redirectUri} />}
      {data?.data.length === 0 && (
        <Empty icon="lock" title="No connections yet">
          Make an application at your issuer with the address above, then add it here with its client id and secret.
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <ul aria-label="Sign-in connections">
          {data.data.map((one) => (
            <Row key={one.id} connection={one} onEdit={() => setEdited(one)} />
          ))}
        </ul>
      )}
      {edited && <EditConnection connection={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Card>
  )
}

function RedirectAddress({ address }: { address: string | null }) {
  return (
    <div className="border-b border-line px-4 py-3">
      {address === null ? (
        <p className="text-warn">
          Set <span className="font-mono text-xs">PUBLIC_URL</span> on the server first: issuers must be told where to
          send people back.
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-muted">Redirect address to register at the issuer</span>
          <span className="flex min-w-0 items-center gap-1">
            <span className="min-w-0 font-mono text-xs break-all">{address}</span>
            <CopyButton text={address} label="Copy the redirect address" />
          </span>
        </div>
      )}
    </div>
  )
}

function Row({ connection, onEdit }: { connection: Connection; onEdit(): void }) {
  const { id, name, issuer, domains, joins, active } = connection
  return (
    <li className="border-b border-line px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{name}</span>
            {active ? <Badge tone="ok">active</Badge> : <Badge>off</Badge>}
            {joins && <Badge tone="info">joins</Badge>}
          </p>
          <p className="text-sm break-all text-muted">{issuer}</p>
          <p className="text-sm break-words text-muted">For {domains.join(', ')}</p>
        </div>
        <Button size="sm" icon="edit" onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
      </div>
      <Check connectionId={id} name={name} />
    </li>
  )
}
