import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/empty.tsx'

/** Where nobody has an account yet. Nothing needs one. */
export function FirstStep({ onInvite }: { onInvite(): void }) {
  return (
    <Card>
      <Empty
        icon="people"
        title="Nobody has an account here yet"
        action={
          <Button kind="primary" icon="person" onClick={onInvite}>
            Invite yourself as owner
          </Button>
        }
      >
        You came in by a link or a key, and can go on so. Invite yourself as owner, so that you sign in with your e-mail
        address, can invite others with a role of their own, and the record says who did what.
      </Empty>
    </Card>
  )
}
