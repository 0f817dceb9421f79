import { useState } from 'react'
import { api } from '../../../api/client.ts'
import type { ListedEnvironment } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EnvironmentDot } from '../../../ui/environment.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useRefreshEnvironments } from './queries.ts'

/** Those that can still be restored. */
export function DeletedEnvironments({ environments }: { environments: readonly ListedEnvironment[] }) {
  return (
    <Card
      flush
      title="Deleted"
      description="Nobody gets in, and nothing is sent. Until their time is over they can be restored."
    >
      <ul aria-label="Deleted environments">
        {environments.map((environment) => (
          <li
            key={environment._id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0"
          >
            <span className="flex min-w-0 items-center gap-2.5 font-medium">
              <EnvironmentDot color={environment.color} />
              <span className="truncate">{environment.name}</span>
            </span>
            <span className="min-w-0 flex-1 basis-56 text-sm text-muted">
              deleted <Time at={environment.deletedAt} />; gone for good after{' '}
              <Time at={environment.purgedAfter} full />
            </span>
            <Restore environment={environment} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Restore({ environment: { _id, name } }: { environment: ListedEnvironment }) {
  const refresh = useRefreshEnvironments()
  const [busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      await api.post('/v1/environments/{environmentId}/restore', { path: { environmentId: _id } })
      toast.ok(`${name} is back: what waited goes on, and its keys work again`)
    } catch (error) {
      toast.fault(error)
    }
    await refresh()
    setBusy(false)
  }
  return (
    <Button needs="environments" size="sm" busy={busy} onClick={() => void restore()} aria-label={`Restore ${name}`}>
      Restore
    </Button>
  )
}
