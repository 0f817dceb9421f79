import { useQuery } from '@tanstack/react-query'
import { apiOfSession } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import { Door } from '../../layout/door.tsx'
import { linkToken } from '../../lib/link-token.ts'
import { sessionOutsideQuery } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import type { Invited } from './accept/invited.ts'
import { JoinAsOneself } from './accept/join-as-oneself.tsx'
import { ByPassword, JoinByConnection } from './accept/join-by-connection.tsx'
import { SomebodyElse } from './accept/somebody-else.tsx'

/** An invitation, to whoever holds its link: somebody new, somebody known, or whoever is signed in already. */
export default function Accept() {
  if (linkToken === null) return <Unknown title="The link is not whole" text={notWhole} />
  return <Invitation token={linkToken} />
}

const notWhole =
  'An invitation is opened by the link in its mail, the whole of it. After a reload, open it there again: it is not kept in this browser.'
const refused =
  'It was accepted, taken back or replaced by a newer one, or it is older than a week. If you accepted it, sign in. If not, ask whoever invited you for a new link.'

function Invitation({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => apiOfSession.post('/session/invitation', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const self = useQuery(sessionOutsideQuery)
  if (error) {
    const fault = toFault(error)
    if (fault.code === 'invitation_refused') return <Unknown title="This link opens nothing any more" text={refused} />
    return (
      <Door title="Invitation">
        <div className="mt-4">
          <FaultNote fault={fault} onRetry={() => void refetch()} />
        </div>
      </Door>
    )
  }
  if (!data || self.isPending)
    return (
      <Door title="Invitation">
        <SkeletonLines lines={4} />
      </Door>
    )
  return <Way invited={{ ...data, token }} person={self.data?.person} />
}

function Way({ invited, person }: { invited: Invited; person: { email: string; name: string } | undefined }) {
  if (person && person.email !== invited.email) return <SomebodyElse invited={invited} person={person} />
  if (person) return <JoinAsOneself invited={invited} person={person} />
  return invited.connections.length > 0 ? <JoinByConnection invited={invited} /> : <ByPassword invited={invited} />
}

function Unknown({ title, text }: { title: string; text: string }) {
  return (
    <Door title={title} description={text}>
      <div className="mt-4">
        <ButtonLink href="/sign-in">To the sign-in</ButtonLink>
      </div>
    </Door>
  )
}
