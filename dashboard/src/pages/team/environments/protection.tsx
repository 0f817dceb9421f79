import { useState } from 'react'
import { api } from '../../../api/client.ts'
import type { ListedEnvironment } from '../../../api/types.ts'
import { useMay } from '../../../lib/may.ts'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { Switch } from '../../../ui/form/form.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useRefreshEnvironments } from './queries.ts'

/** Switched at once, and asked about: it decides what others may do from now on. */
export function Protection({ environment }: { environment: ListedEnvironment }) {
  const { _id, name } = environment
  const mayProtect = useMay('environments')
  const refresh = useRefreshEnvironments()
  const [busy, setBusy] = useState(false)
  const set = async (isProtected: boolean) => {
    const sure = await confirm(isProtected ? protecting(name) : opening(name))
    if (!sure) return
    setBusy(true)
    try {
      await api.put('/v1/environments/{environmentId}', {
        path: { environmentId: _id },
        body: { protected: isProtected },
      })
      await refresh()
      toast.ok(isProtected ? `${name} is protected` : `${name} is protected no longer`)
    } catch (error) {
      toast.fault(error)
    }
    setBusy(false)
  }
  return (
    <div className="self-start rounded-md border border-line bg-bg p-3">
      <Switch
        label="Protected"
        hint={
          environment.protected
            ? 'Workflows, layouts and languages change only by publishing. A workflow can still be switched on and off.'
            : 'Whoever gets in can change what it sends, by hand and at once.'
        }
        name={`Protected: ${name}`}
        checked={environment.protected}
        disabled={busy || !mayProtect}
        onChange={(isProtected) => void set(isProtected)}
      />
    </div>
  )
}

function protecting(name: string) {
  return {
    title: `Protect ${name}?`,
    text: (
      <ul className="flex list-disc flex-col gap-1.5 pl-4">
        <li>Workflows, layouts and languages change in it only by publishing: not by hand here, and not with a key.</li>
        <li>People, topics, integrations and keys are managed as before, and everything is sent as before.</li>
        <li>A workflow can still be switched on and off: in need you can stop it at once.</li>
      </ul>
    ),
    action: 'Protect it',
  }
}

function opening(name: string) {
  return {
    title: `Open ${name} for changes?`,
    text: 'Whoever gets in can change what it sends at once, by hand or with a key, without publishing.',
    action: 'Lift the protection',
    danger: true,
  }
}
