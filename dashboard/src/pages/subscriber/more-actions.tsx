import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { GetReply } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import type { Subscriber } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { personName } from '../../ui/person.tsx'
import { toast } from '../../ui/toast.tsx'

type ExportPage = GetReply<'/v2/subscribers/{subscriberId}/export'>

/** What the law asks for: all that is held about somebody, and forgetting it. */
export function MoreActions({ person }: { person: Subscriber }) {
  const { subscriberId } = person
  const remove = useRemove(subscriberId)
  const [exporting, setExporting] = useState(false)
  const save = async () => {
    setExporting(true)
    try {
      download(`${subscriberId}.json`, await readExport(subscriberId))
    } catch (error) {
      toast.fault(error)
    }
    setExporting(false)
  }
  const ask = async () => {
    const yes = await confirm({
      title: `Delete ${personName(person)}?`,
      text: 'Profile, credentials, topic memberships and the contents of their history are erased. This cannot be undone.',
      action: 'Delete subscriber',
      danger: true,
      typeToConfirm: subscriberId,
    })
    if (yes) remove.mutate()
  }
  return (
    <>
      <Button needs="subscribers" busy={exporting} onClick={() => void save()}>
        Export
      </Button>
      <Button needs="subscribers" kind="danger" icon="trash" busy={remove.isPending} onClick={() => void ask()}>
        Delete
      </Button>
    </>
  )
}

function useRemove(subscriberId: string) {
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: () => api.delete('/v2/subscribers/{subscriberId}', { path: { subscriberId } }),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['subscriber', subscriberId] })
      void queries.invalidateQueries({ queryKey: ['subscribers'] })
      toast.ok(`${subscriberId} is deleted`)
      router.history.push(paths.subscribers)
    },
    onError: toast.fault,
  })
}

/** Page after page, put together as one. */
async function readExport(subscriberId: string): Promise<Record<string, unknown>> {
  const path = { subscriberId }
  const { next, ...whole } = await api.get('/v2/subscribers/{subscriberId}/export', { path })
  let after = next
  while (after) {
    const page: ExportPage = await api.get('/v2/subscribers/{subscriberId}/export', { path, query: { after } })
    whole.notifications = [...whole.notifications, ...page.notifications]
    whole.messages = [...whole.messages, ...page.messages]
    after = page.next
  }
  return whole
}

function download(name: string, value: unknown) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
