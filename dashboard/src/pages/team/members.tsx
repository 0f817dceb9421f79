import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toFault } from '../../api/fault.ts'
import type { Member } from '../../api/types.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Page, Toolbar } from '../../ui/page.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { FirstStep } from './members/first-step.tsx'
import { InvitationList } from './members/invitation-list.tsx'
import { Invite } from './members/invite.tsx'
import { MemberDrawer } from './members/member-drawer.tsx'
import { MemberList } from './members/member-list.tsx'
import { invitationsQuery, membersQuery } from './members/queries.ts'

type Opened = { kind: 'invite'; isForOneself: boolean } | { kind: 'member'; personId: string }

/** As many are seen at one glance. */
const fewAtMost = 8

export default function Members() {
  const { organization } = useSession()
  const { data, error, refetch } = useQuery(membersQuery)
  const { data: invitations = [] } = useQuery(invitationsQuery)
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const members = data ?? []
  const chosen = opened?.kind === 'member' ? members.find((it) => it.personId === opened.personId) : undefined
  const invite = (isForOneself: boolean) => setOpened({ kind: 'invite', isForOneself })
  return (
    <Page
      title="Members"
      description={`Who works in ${organization.name ?? 'this organization'}, and what each of them may do, everywhere or in one environment.`}
      actions={
        <Button needs="members" kind="primary" icon="plus" disabled={!data} onClick={() => invite(false)}>
          Invite somebody
        </Button>
      }
    >
      {error && <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines lines={6} />}
      <div className="flex flex-col gap-4">
        {data?.length === 0 && <FirstStep onInvite={() => invite(true)} />}
        {members.length > 0 && (
          <div>
            {members.length > fewAtMost && (
              <Toolbar>
                <SearchInput label="Find a member" value={search} onSearch={setSearch} />
              </Toolbar>
            )}
            <MemberList
              members={members.filter((it) => isLike(it, search))}
              onOpen={({ personId }) => setOpened({ kind: 'member', personId })}
            />
          </div>
        )}
        {invitations.length > 0 && <InvitationList invitations={invitations} />}
      </div>
      {opened?.kind === 'invite' && <Invite members={members} isForOneself={opened.isForOneself} onClose={close} />}
      {chosen && <MemberDrawer key={chosen.personId} member={chosen} members={members} onClose={close} />}
    </Page>
  )
}

function isLike({ name, email }: Member, search: string): boolean {
  return `${name} ${email}`.toLowerCase().includes(search.toLowerCase())
}
