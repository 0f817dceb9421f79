import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import type { Invitation, NewInvitation } from '../../../api/types.ts'
import { fixedList } from '../../../lib/pages.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { Empty } from '../../../ui/empty.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { MailState } from './mail-state.tsx'
import { usePlaces, useRefreshMembers } from './queries.ts'
import { RoleCell } from './roles/role-cell.tsx'
import type { RolePlace } from './roles/roles.ts'
import { ShowLink } from './show-link.tsx'

/** Those that nobody has accepted. */
export function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
  const [renewed, setRenewed] = useState<NewInvitation | null>(null)
  return (
    <Card title="Invited" description="Each link works once, for a week. A new one ends the one before." flush>
      <DataTable
        label="Invitations"
        columns={columnsOf(usePlaces(), setRenewed)}
        list={fixedList([...invitations])}
        rowKey={({ id }) => id}
        rowHeight={56}
        empty={<Empty icon="mail" title="Nobody is invited" />}
      />
      {renewed && <ShowLink invited={renewed} onClose={() => setRenewed(null)} />}
    </Card>
  )
}

const columnsOf = (places: readonly RolePlace[], onRenewed: (invited: NewInvitation) => void): Column<Invitation>[] => [
  {
    id: 'email',
    header: 'E-mail address',
    width: 'minmax(0, 2fr)',
    cell: (invitation) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium">{invitation.email}</span>
        <span className="flex items-center gap-1.5 text-xs text-muted">
          <span className="whitespace-nowrap sm:hidden">{invitation.role ?? 'in environments'} ·</span>
          {invitation.mail?.state === 'failed' && (
            <span className="whitespace-nowrap text-bad md:hidden">mail failed ·</span>
          )}
          <Expiry at={invitation.expiresAt} />
          {invitation.invitedBy && <span className="truncate">by {invitation.invitedBy}</span>}
        </span>
      </span>
    ),
  },
  {
    id: 'role',
    header: 'Role',
    width: 'minmax(0, 1.2fr)',
    from: 'sm',
    cell: (it) => <RoleCell given={it} places={places} />,
  },
  { id: 'mail', header: 'Mail', width: '8rem', from: 'md', cell: ({ mail }) => <MailState mail={mail} /> },
  {
    id: 'actions',
    header: 'Actions',
    width: '11rem',
    align: 'right',
    cell: (invitation) => <Actions invitation={invitation} onRenewed={onRenewed} />,
  },
]

function Expiry({ at }: { at: string }) {
  if (Date.parse(at) <= Date.now()) return <span className="text-bad">expired</span>
  return (
    <span className="whitespace-nowrap">
      ends <Time at={at} />
    </span>
  )
}

type ActionsProps = { invitation: Invitation; onRenewed(invited: NewInvitation): void }

function Actions({ invitation: { id, email }, onRenewed }: ActionsProps) {
  const refresh = useRefreshMembers()
  const path = { path: { invitationId: id } }
  const renew = useMutation({
    mutationFn: () => api.post('/v1/members/invitations/{invitationId}/renew', path),
    onSuccess: async (invited) => {
      await refresh()
      onRenewed(invited)
    },
    onError: toast.fault,
    gcTime: 0,
  })
  const revoke = useMutation({
    mutationFn: () => api.delete('/v1/members/invitations/{invitationId}', path),
    onSuccess: async () => {
      await refresh()
      toast.ok(`The invitation of ${email} is taken back`)
    },
    onError: toast.fault,
  })
  const ask = async () => {
    const text = 'Its link opens nothing from now on. You can invite them again.'
    if (await confirm({ title: `Take the invitation of ${email} back?`, text, action: 'Take it back', danger: true }))
      revoke.mutate()
  }
  return (
    <span className="flex justify-end gap-2">
      <Button size="sm" busy={renew.isPending} onClick={() => renew.mutate()} aria-label={`New link for ${email}`}>
        New link
      </Button>
      <Button
        size="sm"
        kind="danger"
        busy={revoke.isPending}
        onClick={() => void ask()}
        aria-label={`Revoke the invitation of ${email}`}
      >
        Revoke
      </Button>
    </span>
  )
}
