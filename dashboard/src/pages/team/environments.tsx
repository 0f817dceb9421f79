import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toFault } from '../../api/fault.ts'
import type { ListedEnvironment } from '../../api/types.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { DeleteEnvironment } from './environments/delete-environment.tsx'
import { DeletedEnvironments } from './environments/deleted-environments.tsx'
import { EditEnvironment } from './environments/edit-environment.tsx'
import { EnvironmentCard } from './environments/environment-card.tsx'
import { NewEnvironment } from './environments/new-environment.tsx'
import { environmentsQuery } from './environments/queries.ts'

type Opened = { kind: 'new' } | { kind: 'edit' | 'delete'; environment: ListedEnvironment }

export default function Environments() {
  const { reach, signedInBy } = useSession()
  const [opened, setOpened] = useState<Opened | null>(null)
  const { data, error, refetch } = useQuery(environmentsQuery)
  const all = data ?? []
  const live = all.filter(({ deletedAt }) => !deletedAt)
  const deleted = all.filter(({ deletedAt }) => deletedAt)
  const close = () => setOpened(null)
  return (
    <Page
      title="Environments"
      description="Each has its own workflows, people, integrations and keys. Make things in one, publish them to another."
      actions={
        <Button
          needs="environments"
          kind="primary"
          icon="plus"
          disabled={!data}
          onClick={() => setOpened({ kind: 'new' })}
        >
          New environment
        </Button>
      }
    >
      {error && <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines lines={6} />}
      <div className="flex flex-col gap-4">
        {reach === 'environment' && signedInBy === 'key' && <OnlyOne />}
        {live.map((environment) => (
          <EnvironmentCard
            key={environment._id}
            environment={environment}
            all={all}
            onEdit={() => setOpened({ kind: 'edit', environment })}
            onDelete={() => setOpened({ kind: 'delete', environment })}
          />
        ))}
        {deleted.length > 0 && <DeletedEnvironments environments={deleted} />}
      </div>
      {opened?.kind === 'new' && <NewEnvironment all={live} onClose={close} />}
      {opened?.kind === 'edit' && <EditEnvironment environment={opened.environment} all={live} onClose={close} />}
      {opened?.kind === 'delete' && <DeleteEnvironment environment={opened.environment} all={live} onClose={close} />}
    </Page>
  )
}

function OnlyOne() {
  return (
    <p className="rounded-lg border border-line bg-surface px-4 py-3 text-muted shadow-card">
      You see one environment because you signed in with a key that opens only this one. With a key of the whole
      organization you see all of them, and can make, protect and delete them.
    </p>
  )
}
