import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import type { Member } from '../../../api/types.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useRefreshMembers } from './queries.ts'

type RemoveMemberProps = { member: Member; isSelf: boolean; fixed: string | null; onRemoved(): void }

/** Asked about, with what ends. */
export function RemoveMember({ member, isSelf, fixed, onRemoved }: RemoveMemberProps) {
  const { organization } = useSession()
  const place = organization.name ?? 'the organization'
  const refresh = useRefreshMembers()
  const remove = useMutation({
    mutationFn: () => api.delete('/v1/members/{personId}', { path: { personId: member.personId } }),
    onSuccess: async () => {
      toast.ok(isSelf ? `You left ${place}` : `${member.name} is removed`)
      onRemoved()
      // Whoever left is no longer answered.
      if (!isSelf) await refresh()
    },
    onError: toast.fault,
  })
  const ask = async () => {
    const sure = await confirm({
      title: isSelf ? `Leave ${place}?` : `Remove ${member.name}?`,
      text: <WhatEnds name={member.name} place={place} isSelf={isSelf} />,
      action: isSelf ? 'Leave' : 'Remove',
      danger: true,
    })
    if (sure) remove.mutate()
  }
  return (
    <section className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <p className="min-w-0 flex-1 basis-60 text-sm text-muted">
        {isSelf ? 'You are signed out, and get in again only by an invitation.' : 'Their sessions end with it.'}
      </p>
      <Button kind="danger" icon="trash" busy={remove.isPending} disabled={fixed !== null} onClick={() => void ask()}>
        {isSelf ? `Leave ${place}` : `Remove from ${place}`}
      </Button>
    </section>
  )
}

function WhatEnds({ name, place, isSelf }: { name: string; place: string; isSelf: boolean }) {
  const they = isSelf ? 'you' : 'they'
  return (
    <ul className="flex list-disc flex-col gap-1.5 pl-4">
      <li>
        {isSelf ? 'You are' : `${name} is`} signed out of {place} within 5 seconds, wherever {they} are.
      </li>
      <li>
        What {they} made stays, and the record goes on naming {they === 'you' ? 'you' : 'them'}.
      </li>
      <li>API keys go on working, also those {they} know: revoke them on the page of keys.</li>
      <li>Without another organization, {isSelf ? 'your' : 'their'} account is deleted.</li>
    </ul>
  )
}
