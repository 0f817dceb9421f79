import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { toFault } from '../api/fault.ts'
import { paths } from '../lib/paths.ts'
import { toSearch } from '../lib/to-search.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card, Facts } from '../ui/card.tsx'
import { FaultNote } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { Time } from '../ui/time.tsx'
import { Actions } from './send/actions.tsx'
import { factsOf } from './send/facts.tsx'
import { History } from './send/history.tsx'
import { ProgressCard } from './send/progress-card.tsx'
import { StateBadge } from './sends/state-badge.tsx'
import { isOver, standingOf } from './sends/words.ts'

const back = { href: paths.sends, label: 'Large sends' }

/** One send: how far it is, why it stands where it stands, and what can be done about it. */
export default function SendPage() {
  const { transactionId } = useParams({ strict: false }) as { transactionId: string }
  const { data, error, refetch } = useQuery({
    queryKey: ['send', transactionId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/sends/{transactionId}', { path: { transactionId }, signal })).data,
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : 2_000),
  })
  if (!data) {
    return (
      <Page title="Large send" back={back}>
        {error ? <FaultNote fault={toFault(error)} onRetry={() => void refetch()} /> : <SkeletonLines lines={8} />}
      </Page>
    )
  }
  return (
    <Page
      title={data.workflowName}
      back={back}
      beside={<StateBadge send={data} />}
      changedBy="operate"
      actions={
        <>
          <ButtonLink icon="activity" href={paths.activity + toSearch({ transactionId })}>
            Activity
          </ButtonLink>
          <Actions send={data} />
        </>
      }
    >
      {error && <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />}
      <p role="status" className="mb-4 max-w-3xl text-base">
        {standingOf(data)}{' '}
        <span className="text-muted">
          (since <Time at={data.since} />
          {data.resumesAt && (
            <>
              , goes on <Time at={data.resumesAt} />
            </>
          )}
          )
        </span>
      </p>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <ProgressCard send={data} />
          <History send={data} />
        </div>
        <Card title="About it">
          <Facts items={factsOf(data)} />
        </Card>
      </div>
    </Page>
  )
}
