import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { Member, NewInvitation } from '../../../api/types.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { useOwnRoles, usePlaces, useRefreshMembers } from './queries.ts'
import { RoleFaults } from './roles/role-faults.tsx'
import { RoleFields } from './roles/role-fields.tsx'
import { faultsOfRoles, type Roles, toBody } from './roles/roles.ts'
import { ShowLink } from './show-link.tsx'

type InviteProps = {
  members: readonly Member[]
  /** Whoever has no account invites themselves. */
  isForOneself?: boolean
  onClose(): void
}

/** Asks whom and as what; then shows the link, which is never shown again. */
export function Invite({ members, isForOneself = false, onClose }: InviteProps) {
  const refresh = useRefreshMembers()
  const invite = useMutation({
    mutationFn: ({ email, roles }: Asked) =>
      api.post('/v1/members/invitations', { body: { email: email.trim(), ...toBody(roles) } }),
    onSuccess: refresh,
    gcTime: 0,
  })
  if (invite.data) return <ShowLink invited={invite.data} isForOneself={isForOneself} onClose={onClose} />
  return <Ask {...{ members, isForOneself, onClose, invite }} />
}

type Asked = { email: string; roles: Roles }
type AskProps = InviteProps & {
  invite: { mutate(asked: Asked): void; isPending: boolean; error: Error | null; data: NewInvitation | undefined }
}

function Ask({ members, isForOneself, onClose, invite }: AskProps) {
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState<Roles>({ everywhere: isForOneself ? 'owner' : 'viewer', in: {} })
  const places = usePlaces()
  const own = useOwnRoles(members)
  const faults = faultsOfRoles(roles, own, places)
  const fault = invite.error && toFault(invite.error)
  const ofEmail = fault && (fault.of('email') ?? (isAboutAddress(fault.code) ? fault.message : undefined))
  return (
    <FormDialog
      title={isForOneself ? 'Invite yourself as owner' : 'Invite somebody'}
      action={isForOneself ? 'Invite yourself' : 'Invite'}
      size="md"
      busy={invite.isPending}
      disabled={!email.includes('@') || faults.length > 0}
      onSubmit={() => invite.mutate({ email, roles })}
      onClose={onClose}
    >
      {fault && !ofEmail && <FaultNote fault={fault} />}
      <Field
        label={isForOneself ? 'Your e-mail address' : 'E-mail address'}
        hint="They sign in with it. The link works once, for a week."
        error={ofEmail || undefined}
      >
        <Input type="email" value={email} onText={setEmail} maxLength={320} autoFocus required />
      </Field>
      {!isForOneself && (
        <>
          <RoleFields value={roles} onChange={setRoles} own={own} places={places} />
          <RoleFaults faults={faults} />
        </>
      )}
    </FormDialog>
  )
}

const isAboutAddress = (code: string) => code === 'member_exists' || code === 'invitation_exists'
