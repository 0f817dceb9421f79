import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { toFault } from '../api/fault.ts'
import type { DevMail } from '../api/types.ts'
import { useFilters } from '../lib/filters.ts'
import { useLive } from '../lib/live.ts'
import { useAtLeast } from '../lib/media.ts'
import { paths } from '../lib/paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { SearchInput } from '../ui/form/search-input.tsx'
import { Page, Toolbar } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { Segments } from '../ui/tabs.tsx'
import { MailList } from './mailbox/mail-list.tsx'
import { MailView } from './mailbox/mail-view.tsx'

const kinds = [
  { id: 'all', label: 'All' },
  { id: 'email', label: 'E-mail' },
  { id: 'sms', label: 'SMS' },
] as const

export default function Mailbox() {
  const [filters, setFilters] = useFilters<'to' | 'kind' | 'message'>()
  useLive()
  const { data, error, refetch } = useQuery({
    queryKey: ['live', 'mailbox', filters.to],
    queryFn: ({ signal }) => api.get('/v1/dev/mailbox', { query: { to: filters.to, limit: 100 }, signal }),
    placeholderData: (previous) => previous,
  })
  const kind = kinds.find(({ id }) => id === filters.kind)?.id ?? 'all'
  const mails = data?.data.filter(({ channel }) => kind === 'all' || channel === kind)
  return (
    <Page
      title="Mailbox"
      description="E-mails and texts that the development providers took instead of sending them to people."
    >
      <Toolbar>
        <SearchInput
          label="To exactly this address or number"
          value={filters.to ?? ''}
          onSearch={(to) => setFilters({ to })}
        />
        <Segments
          label="Kind"
          items={kinds}
          value={kind}
          onChange={(id) => setFilters({ kind: id === 'all' ? undefined : id })}
        />
      </Toolbar>
      {error && !data && <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />}
      {!mails && !error && <SkeletonLines lines={6} />}
      {mails &&
        (mails.length === 0 ? (
          <NoMail filtered={Boolean(filters.to || filters.kind)} />
        ) : (
          <Panes mails={mails} chosen={filters.message} onChoose={(message) => setFilters({ message })} />
        ))}
    </Page>
  )
}

function NoMail({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Card>
        <Empty icon="mail" title="No such message">
          Addresses and numbers must match wholly. The newest 500 messages are kept.
        </Empty>
      </Card>
    )
  }
  return (
    <Card>
      <Empty
        icon="mail"
        title="The mailbox is empty"
        action={
          <>
            <ButtonLink kind="primary" href={paths.workflows}>
              Test-run a workflow
            </ButtonLink>
            <ButtonLink href={paths.integrations}>Integrations</ButtonLink>
          </>
        }
      >
        Give a workflow an e-mail or SMS step and test-run it. With the development providers active, what it sends
        lands here. They are not there in production.
      </Empty>
    </Card>
  )
}

type PanesProps = { mails: readonly DevMail[]; chosen: string | undefined; onChoose(id: string | undefined): void }

/** List and message beside each other; on a phone one after the other. */
function Panes({ mails, chosen, onChoose }: PanesProps) {
  const wide = useAtLeast('lg')
  const mail = mails.find(({ _id }) => _id === chosen) ?? (wide ? mails[0] : undefined)
  if (!wide && mail) return <MailView mail={mail} onBack={() => onChoose(undefined)} />
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <Card flush className="overflow-hidden">
        <MailList mails={mails} chosen={mail?._id} onChoose={onChoose} />
      </Card>
      {wide && mail && <MailView key={mail._id} mail={mail} />}
    </div>
  )
}
