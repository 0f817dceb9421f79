import { useState } from 'react'
import { useNumberedPages } from '../lib/pages.ts'
import { paths } from '../lib/paths.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { activityColumns } from './activity/columns.tsx'
import { useActivityFilters, useActivityQuery } from './activity/filter.ts'
import { FilterBar } from './activity/filter-bar.tsx'
import { uniqueRows, useLiveList } from './activity/live-list.ts'
import { LiveSwitch } from './activity/live-switch.tsx'
import { useWorkflowChoice } from './activity/lookups.ts'

export default function ActivityPage() {
  const [filters, setFilters] = useActivityFilters()
  const [paused, setPaused] = useState(false)
  const workflows = useWorkflowChoice()
  const query = useActivityQuery(filters, workflows)
  const list = uniqueRows(useNumberedPages('/v1/notifications', { queryKey: ['activity'], query }))
  const { connected, hasNews, showNews } = useLiveList(list, { paused, filter: JSON.stringify(query) })
  const toggle = () => {
    if (paused) showNews()
    setPaused(!paused)
  }
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <Page
      title="Activity"
      description="What was triggered for whom, the newest first. Open one to see every step, try and message."
    >
      <FilterBar
        filters={filters}
        onChange={setFilters}
        workflows={workflows}
        end={<LiveSwitch connected={connected} paused={paused} onToggle={toggle} />}
      />
      {hasNews && <News onShow={showNews} />}
      <Card flush>
        <DataTable
          label="Events"
          columns={activityColumns}
          list={list}
          rowKey={({ _id }) => _id}
          href={({ _id }) => paths.event(_id)}
          rowHeight={56}
          empty={isFiltered ? <NothingFits onClear={() => setFilters(clearOf(filters))} /> : <NothingYet />}
        />
      </Card>
    </Page>
  )
}

const clearOf = (filters: object) => Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))

/** Stays in sight while the list is scrolled. */
function News({ onShow }: { onShow(): void }) {
  return (
    <div className="pointer-events-none sticky top-14 z-20 mb-2 flex justify-center" role="status">
      <button
        type="button"
        onClick={onShow}
        className="pointer-events-auto inline-flex h-7 items-center gap-1.5 rounded-full bg-accent px-3 text-sm font-medium text-on-accent shadow-pop hover:bg-accent-hover"
      >
        <Icon name="refresh" size={12} />
        There is news: show it
      </button>
    </div>
  )
}

function NothingFits({ onClear }: { onClear(): void }) {
  return (
    <Empty icon="filter" title="No event fits these filters" action={<Button onClick={onClear}>Clear filters</Button>}>
      Ids, addresses and keys must match wholly. Only the search field finds a part of an e-mail address.
    </Empty>
  )
}

function NothingYet() {
  return (
    <Empty
      icon="activity"
      title="Nothing was triggered yet"
      action={
        <>
          <ButtonLink kind="primary" href={paths.workflows}>
            Test-run a workflow
          </ButtonLink>
          <ButtonLink href={paths.explain}>Explain an event</ButtonLink>
        </>
      }
    >
      Trigger an event from your program or test-run a workflow. It shows here within a second.
    </Empty>
  )
}
