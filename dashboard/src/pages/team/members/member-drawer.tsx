import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { Member } from '../../../api/types.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/card.tsx'
import { Drawer } from '../../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { ReadOnly } from '../../../ui/form/read-only.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { isLastOwner, useOwnRoles, usePlaces, useRefreshMembers } from './queries.ts'
import { RemoveMember } from './remove-member.tsx'
import { RoleFaults } from './roles/role-faults.tsx'
import { RoleFields } from './roles/role-fields.tsx'
import type { RolePlace } from './roles/roles.ts'
import { faultsOfRoles, type Roles, rolesOf, toBody } from './roles/roles.ts'

type MemberDrawerProps = { member: Member; members: readonly Member[]; onClose(): void }

/** One person: what is known of them, what they are and where, and their leaving. */
export function MemberDrawer({ member, members, onClose }: MemberDrawerProps) {
  const [roles, setRoles] = useState<Roles>(() => rolesOf(member))
  const { person, organization } = useSession()
  const own = useOwnRoles(members)
  const places = usePlaces()
  const save = useSave(member, onClose)
  const isSelf = member.personId === person?.id
  const fixed = whyFixed(member, members, { own, places, organizationName: organization.name ?? 'the organization' })
  const faults = fixed ? [] : faultsOfRoles(roles, own, places)
  const isChanged = JSON.stringify(toBody(roles)) !== JSON.stringify(toBody(rolesOf(member)))
  return (
    <Drawer
      open
      title={member.name}
      description={member.email}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={save.isPending}
            disabled={!isChanged || faults.length > 0}
            onClick={() => save.mutate(roles)}
          >
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <Facts items={factsOf(member)} />
        <section className="flex flex-col gap-3">
          <h3 className="text-base">{isSelf ? 'What you may do' : 'What they may do'}</h3>
          {fixed && <p className="text-muted">{fixed}</p>}
          {save.error && <FaultNote fault={toFault(save.error)} />}
          <ReadOnly when={fixed !== null}>
            <RoleFields value={roles} onChange={setRoles} own={own} places={places} />
          </ReadOnly>
          <RoleFaults faults={faults} />
          {!fixed && (
            <p className="text-sm text-muted">
              A change is in force within 5 seconds,{' '}
              {isSelf ? 'also in your open pages' : 'also in pages they have open'}.
            </p>
          )}
        </section>
        <RemoveMember member={member} isSelf={isSelf} fixed={fixed} onRemoved={onClose} />
      </div>
    </Drawer>
  )
}

function useSave(member: Member, onSaved: () => void) {
  const refresh = useRefreshMembers()
  return useMutation({
    mutationFn: (roles: Roles) =>
      api.patch('/v1/members/{personId}', { path: { personId: member.personId }, body: toBody(roles) }),
    onSuccess: async () => {
      await refresh()
      toast.ok(`The role of ${member.name} is changed`)
      onSaved()
    },
  })
}

type Around = { own: Roles; places: readonly RolePlace[]; organizationName: string }

/** Why what somebody is cannot be changed now; null: it can. */
function whyFixed(member: Member, members: readonly Member[], { own, places, organizationName }: Around) {
  if (isLastOwner(member, members))
    return `${member.name} is the last owner of ${organizationName}. Make somebody else an owner first; then this can be changed.`
  if (member.role === 'owner' && own.everywhere !== 'owner') return 'Only an owner changes or removes an owner.'
  const [more] = faultsOfRoles(rolesOf(member), own, places)
  return more ? `${member.name} may do more than you, so you cannot change or remove them. ${more}` : null
}

const factsOf = ({ hasPassword, twoFactor, createdAt, lastSeenAt }: Member) =>
  [
    ['Signs in with', hasPassword ? 'E-mail address and password' : 'Single sign-on'],
    ['Two-factor', twoFactor ? 'On' : 'Off'],
    ['Member since', <Time key="since" at={createdAt} full />],
    ['Last seen', <Time key="seen" at={lastSeenAt} />],
  ] as const
