import { useState } from 'react'
import { api } from '../../../api/client.ts'
import type { ApiKey } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'

export function Revoke({ apiKey, onChange }: { apiKey: ApiKey; onChange(): Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const revoke = async () => {
    const sure = await confirm({
      title: `Revoke ${apiKey.name}?`,
      text: apiKey.current
        ? 'You are signed in with this key: you will be signed out. Programs that use it are refused within 5 seconds.'
        : 'Programs that use it are refused within 5 seconds, and whoever signed in with it is signed out. This cannot be undone.',
      action: 'Revoke key',
      danger: true,
    })
    if (!sure) return
    setBusy(true)
    try {
      await api.delete('/v1/api-keys/{id}', { path: { id: apiKey.id } })
      toast.ok(`${apiKey.name} is revoked`)
      await onChange()
    } catch (error) {
      toast.fault(error)
    }
    setBusy(false)
  }
  return (
    <Button size="sm" kind="danger" busy={busy} onClick={() => void revoke()} aria-label={`Revoke ${apiKey.name}`}>
      Revoke
    </Button>
  )
}
