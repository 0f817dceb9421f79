import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api/client.ts'
import { toFault } from '../api/fault.ts'
import type { Numbers } from '../api/types.ts'
import { channelIcon, channelName, channels } from '../lib/channels.ts'
import { useFilters } from '../lib/filters.ts'
import { useLive } from '../lib/live.ts'
import { paths } from '../lib/paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/spinner.tsx'
import { Segments } from '../ui/tabs.tsx'
import { Breakdown } from './overview/breakdown.tsx'
import { FirstSteps } from './overview/first-steps.tsx'
import { numbersQuery, type RangeId, ranges } from './overview/numbers.ts'
import { OutcomeChart } from './overview/outcome-chart.tsx'
import { Problems } from './overview/problems.tsx'

export default function Overview() {
  const [filters, setFilters] = useFilters<'range'>()
  const range = ranges.find(({ id }) => id === filters.range)?.id ?? '24h'
  const { connected } = useLive()
  const activity = useQuery({
    queryKey: ['live', 'any-activity'],
    queryFn: () => api.get('/v1/notifications', { query: { limit: 1 } }),
  })
  const isNew = activity.data?.data.length === 0
  return (
    <Page
      title="Overview"
      beside={connected && <Live />}
      actions={
        <Segments label="Time shown" items={ranges} value={range} onChange={(id) => setFilters({ range: id })} />
      }
    >
      <div className="flex flex-col gap-4">
        {isNew && <FirstSteps />}
        <Problems />
        {!isNew && <Charts range={range} />}
      </div>
    </Page>
  )
}

function Live() {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm text-muted" title="The page follows what happens">
      <span className="size-1.5 rounded-full bg-(--chart-ok)" />
      Live
    </span>
  )
}

function Charts({ range }: { range: RangeId }) {
  const { data, error, refetch } = useQuery(numbersQuery(range, 'channel'))
  if (error && !data) return <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-72 w-full" />
  return (
    <>
      <Totals totals={data.totals} />
      {data.series.some(({ key }) => key.channel) ? <Sent numbers={data} range={range} /> : <NothingSent />}
    </>
  )
}

const tiles = [
  { name: 'accepted', label: 'Events accepted' },
  { name: 'notified', label: 'Notifications' },
  { name: 'sent', label: 'Messages sent' },
  { name: 'failed', label: 'Messages failed' },
  { name: 'skipped', label: 'Steps skipped' },
] as const

function Totals({ totals }: { totals: Numbers['totals'] }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line shadow-card sm:grid-cols-5">
      {tiles.map(({ name, label }) => (
        <div key={name} className="bg-surface px-4 py-3 max-sm:first:col-span-2">
          <dt className="text-sm text-muted">{label}</dt>
          <dd
            className={`text-2xl font-semibold tracking-tight ${name === 'failed' && totals.failed > 0 ? 'text-bad' : ''}`}
          >
            {totals[name].toLocaleString('en')}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function NothingSent() {
  return (
    <Card>
      <Empty
        icon="overview"
        title="No messages in this time"
        action={<ButtonLink href={paths.workflows}>Workflows</ButtonLink>}
      >
        Trigger a workflow, or look at a longer time. What happens is drawn here within a second.
      </Empty>
    </Card>
  )
}

function Sent({ numbers, range }: { numbers: Numbers; range: RangeId }) {
  const used = useMemo(
    () =>
      channels
        .map((channel) => ({ channel, series: numbers.series.filter(({ key }) => key.channel === channel) }))
        .filter(({ series }) => series.length > 0),
    [numbers],
  )
  return (
    <>
      <Card title="Messages by outcome">
        <OutcomeChart label="Messages by outcome" numbers={numbers} series={numbers.series} height={220} />
      </Card>
      <div className="grid gap-4 md:grid-cols-2 md:[&>:last-child:nth-child(odd)]:col-span-2">
        {used.map(({ channel, series }) => (
          <Card key={channel}>
            <h2 className="mb-2 flex items-center gap-2 text-base">
              <Icon name={channelIcon(channel)} className="text-muted" />
              {channelName(channel)}
            </h2>
            <OutcomeChart label={`${channelName(channel)} by outcome`} numbers={numbers} series={series} height={130} />
          </Card>
        ))}
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Breakdown range={range} by="workflow" />
        <Breakdown range={range} by="provider" />
      </div>
    </>
  )
}
