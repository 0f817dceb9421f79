import { useMay } from '../../../lib/may.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/empty.tsx'

/** Whoever came by a key or the printed link. */
export function NoAccount() {
  const { signedInBy } = useSession()
  const mayInvite = useMay('members')
  return (
    <Card>
      <Empty
        icon="person"
        title="You have no account here"
        action={mayInvite && <ButtonLink href={paths.members}>To the members</ButtonLink>}
      >
        {signedInBy === 'key' ? 'You signed in with an API key' : 'You signed in by the printed link'}, and nothing
        needs an account. {mayInvite && 'To have one, with a password and a name in the record, invite yourself.'}
      </Empty>
    </Card>
  )
}
