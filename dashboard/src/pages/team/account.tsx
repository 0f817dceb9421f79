import { useQuery } from '@tanstack/react-query'
import { toFault } from '../../api/fault.ts'
import { useSession } from '../../lib/session.ts'
import { FaultNote } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { ChangePassword } from './account/change-password.tsx'
import { NoAccount } from './account/no-account.tsx'
import { Organizations } from './account/organizations.tsx'
import { Profile } from './account/profile.tsx'
import { accountQuery } from './account/queries.ts'
import { Sessions } from './account/sessions.tsx'
import { TwoFactor } from './account/two-factor.tsx'

/** What belongs to the person and not to an environment. */
export default function Account() {
  const { person, organization, mustSetUp } = useSession()
  const { data, error, refetch } = useQuery({ ...accountQuery, enabled: person !== undefined })
  return (
    <Page title="Account" description={person && 'Your name, how you sign in, and where you are signed in.'}>
      {!person && <NoAccount />}
      {error && <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />}
      {person && !data && !error && <SkeletonLines lines={8} />}
      {data && mustSetUp && (
        <Notice label="Before you go on">
          <strong className="font-semibold">
            {organization.name ?? 'Your organization'} asks everybody for two-factor sign-in.
          </strong>{' '}
          Set it up below; then everything that your role allows is open to you.
        </Notice>
      )}
      {data && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            {mustSetUp && <TwoFactor account={data} />}
            <Profile account={data} />
            <ChangePassword account={data} />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            {!mustSetUp && <TwoFactor account={data} />}
            <Sessions />
            <Organizations organizations={data.organizations} />
          </div>
        </div>
      )}
    </Page>
  )
}
