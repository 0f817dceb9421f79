import { type Permission, whyNot } from '../lib/may.ts'
import { useSession } from '../lib/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { useOwnNavItems } from './nav-items.ts'

/** In place of a page that who is signed in may not see: why, and a way on if there is one. */
export function NotYours({ needs }: { needs: Permission }) {
  const session = useSession()
  const [first] = useOwnNavItems()
  return (
    <Page title="This page is not open to you">
      <Card>
        <Empty
          icon="lock"
          title="Not allowed here"
          action={first && <ButtonLink href={first.href}>Go to {first.label}</ButtonLink>}
        >
          {whyNot(needs, session)}
        </Empty>
      </Card>
    </Page>
  )
}
