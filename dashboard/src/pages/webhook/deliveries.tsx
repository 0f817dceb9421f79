import { useEffect, useMemo, useRef, useState } from 'react'
import type { WebhookDelivery, WebhookEndpoint } from '../../api/types.ts'
import { useFilters } from '../../lib/filters.ts'
import { type PagedList, useCursorPages } from '../../lib/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field, Input, Select } from '../../ui/form/form.tsx'
import { Toolbar } from '../../ui/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { uniqueRows } from '../activity/live-list.ts'
import { eventTypes } from '../webhooks/event-types.ts'
import { deliveriesKey } from './delivery.ts'
import { deliveryColumns } from './delivery-columns.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { beginOf, type FilterName, type Filters, queryOf, ranges, states } from './filter.ts'
import { ReplaySpan } from './replay-span.tsx'

/** What the endpoint was told, the newest first. Filters and the event that is open are in the address. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [filters, setFilters] = useFilters<FilterName | 'event'>()
  const [replaying, setReplaying] = useState(false)
  // The range begins when it was chosen, so that pages fit together.
  const began = useMemo(() => beginOf(filters.range, Date.now()), [filters.range])
  const list = uniqueRows(
    useCursorPages('/v1/webhook-endpoints/{endpointId}/deliveries', {
      queryKey: deliveriesKey(endpoint._id),
      path: { endpointId: endpoint._id },
      query: queryOf(filters, began),
    }),
  )
  useFollow(list)
  const isFiltered = Boolean(filters.status || filters.type || filters.range)
  return (
    <>
      <Toolbar>
        <DeliveryFilters filters={filters} onChange={setFilters} />
        <div className="sm:ml-auto">
          <Button needs="operate" icon="refresh" onClick={() => setReplaying(true)}>
            Replay a time range
          </Button>
        </div>
      </Toolbar>
      <Card flush>
        <DataTable
          label="Deliveries"
          columns={deliveryColumns}
          list={list}
          rowKey={({ _id }) => _id}
          onOpen={({ _id }) => setFilters({ event: _id })}
          rowHeight={56}
          empty={<Nothing isFiltered={isFiltered} onClear={() => setFilters(none)} />}
        />
      </Card>
      {filters.event && (
        <DeliveryDrawer endpoint={endpoint} eventId={filters.event} onClose={() => setFilters({ event: undefined })} />
      )}
      {replaying && (
        <ReplaySpan
          endpoint={endpoint}
          began={queryOf(filters, began).since ?? undefined}
          onClose={() => setReplaying(false)}
          onDone={() => void list.refresh()}
        />
      )}
    </>
  )
}

const none = { status: undefined, type: undefined, range: undefined, since: undefined, until: undefined }

/** Only while its beginning is in sight; what is open changes soon. */
function useFollow(list: PagedList<WebhookDelivery>): void {
  const current = useRef(list)
  current.current = list
  const isBusy = list.rows.some(({ status }) => status === 'open')
  useEffect(() => {
    const timer = setInterval(
      () => {
        const { rows, refresh } = current.current
        const atTop = window.scrollY < 200 && rows.length <= 50
        if (atTop && document.visibilityState === 'visible') void refresh()
      },
      isBusy ? 2_000 : 6_000,
    )
    return () => clearInterval(timer)
  }, [isBusy])
}

type DeliveryFiltersProps = {
  filters: Filters
  onChange(changes: Partial<Record<FilterName, string | undefined>>): void
}

function DeliveryFilters({ filters, onChange }: DeliveryFiltersProps) {
  const state = states.find(({ id }) => id === filters.status)?.id ?? 'all'
  return (
    <>
      <Segments
        label="State"
        items={states}
        value={state}
        onChange={(id) => onChange({ status: id === 'all' ? undefined : id })}
      />
      <Field label="Type of event" hideLabel className="max-w-56">
        <Select
          value={filters.type ?? ''}
          onText={(type) => onChange({ type })}
          options={[{ value: '', label: 'Any event' }, ...eventTypes, 'endpoint.test']}
        />
      </Field>
      <Field label="Time" hideLabel>
        <Select value={filters.range ?? ''} onText={(range) => onChange({ range })} options={ranges} />
      </Field>
      {filters.range === 'between' && (
        <>
          <Field label="From" hideLabel>
            <Input
              type="datetime-local"
              value={filters.since ?? ''}
              onText={(since) => onChange({ since })}
              title="From"
            />
          </Field>
          <Field label="Until" hideLabel>
            <Input
              type="datetime-local"
              value={filters.until ?? ''}
              onText={(until) => onChange({ until })}
              title="Until"
            />
          </Field>
        </>
      )}
    </>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  if (isFiltered)
    return (
      <Empty
        icon="hook"
        title="No delivery fits these filters"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Choose another state, event or time.
      </Empty>
    )
  return (
    <Empty icon="hook" title="Nothing was told yet">
      It hears of what begins from now on. Send a test event to see that it arrives.
    </Empty>
  )
}
