import { useQuery } from '@tanstack/react-query'
import { toFault } from '../../api/fault.ts'
import { FaultNote } from '../../ui/empty.tsx'
import { IfMay } from '../../ui/may.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { Connections } from './organization/connections.tsx'
import { OrganizationName } from './organization/organization-name.tsx'
import { OwnMails } from './organization/own-mails.tsx'
import { organizationQuery } from './organization/queries.ts'
import { SignInRules } from './organization/sign-in-rules.tsx'

/** What holds for everybody who works here, in every environment. */
export default function Organization() {
  const { data, error, refetch } = useQuery(organizationQuery)
  return (
    <Page
      title="Organization"
      description="What holds in all environments: the name, what our own mails go through, and how people sign in."
      changedBy="members"
    >
      {error && <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines lines={8} />}
      {data && (
        <div className="flex flex-col gap-4">
          <OrganizationName organization={data} />
          <OwnMails organization={data} />
          <SignInRules organization={data} />
          <IfMay needs="signIn">
            <Connections />
          </IfMay>
        </div>
      )}
    </Page>
  )
}
