import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeadLetter } from '../api/types.ts'
import { type Channel, channelName, channels } from '../lib/channels.ts'
import { useFilters } from '../lib/filters.ts'
import { useMay } from '../lib/may.ts'
import { type PagedList, useNumberedPages } from '../lib/pages.ts'
import { paths } from '../lib/paths.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field, Select } from '../ui/form/form.tsx'
import { Page, Toolbar } from '../ui/page.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { uniqueRows, useLiveList } from './activity/live-list.ts'
import { integrationsQuery, useIntegrations } from './activity/lookups.ts'
import { columnsOf } from './dead-letters/columns.tsx'
import type { RedriveFilter } from './dead-letters/redrive.ts'
import { RedriveBar } from './dead-letters/redrive-bar.tsx'

type Name = 'channel' | 'integrationId' | 'providerId'

export default function DeadLetters() {
  const [filters, setFilters] = useFilters<Name>()
  const { data: integrations } = useQuery(integrationsQuery)
  // Who comes from a failing provider means its integration, if there is but one.
  const ofProvider = integrations?.filter(({ providerId }) => providerId === filters.providerId) ?? []
  const integrationId = filters.integrationId ?? (ofProvider.length === 1 ? ofProvider[0]?._id : undefined)
  // An address may name a channel that there is not: the server says so.
  const query = { channel: filters.channel as Channel | undefined, integrationId }
  const list = uniqueRows(useNumberedPages('/v1/dead-letters', { queryKey: ['dead-letters'], query }))
  useLiveList(list, { filter: JSON.stringify(query) })
  const isFiltered = Boolean(filters.channel || integrationId)
  return (
    <Page
      title="Dead letters"
      changedBy="operate"
      description="Messages that were given up: every integration refused us, or their time was over. Put the cause right, then redrive them."
    >
      <Toolbar>
        <Field label="Channel" hideLabel>
          <Select
            value={filters.channel ?? ''}
            onText={(channel) => setFilters({ channel })}
            options={[
              { value: '', label: 'Any channel' },
              ...sent.map((value) => ({ value, label: channelName(value) })),
            ]}
          />
        </Field>
        <Field label="Integration that tried last" hideLabel className="max-w-56">
          <Select
            value={integrationId ?? ''}
            onText={(id) => setFilters({ integrationId: id, providerId: undefined })}
            options={[
              { value: '', label: 'Any integration' },
              ...(integrations ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
            ]}
          />
        </Field>
      </Toolbar>
      <Letters list={list} filter={query} isFiltered={isFiltered} onClear={() => setFilters(none)} />
    </Page>
  )
}

const none = { channel: undefined, integrationId: undefined, providerId: undefined }
/** In-app messages need no provider, so none is ever given up. */
const sent = channels.filter((channel) => channel !== 'in_app')

type LettersProps = {
  list: PagedList<DeadLetter>
  filter: RedriveFilter
  isFiltered: boolean
  onClear(): void
}

function Letters({ list, filter, isFiltered, onClear }: LettersProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const integrations = useIntegrations()
  const mayRedrive = useMay('operate')
  // What is gone from the list is not chosen any more.
  const ids = list.rows.map(({ _id }) => _id).filter((id) => chosen.has(id))
  const toggle = (id: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const toggleAll = (on: boolean) => setChosen(new Set(on ? list.rows.map(({ _id }) => _id) : []))
  return (
    <>
      <RedriveBar
        list={list}
        chosen={ids}
        filter={filter}
        isFiltered={isFiltered}
        onDone={() => setChosen(new Set())}
      />
      <Card flush>
        <DataTable
          label="Dead letters"
          list={list}
          columns={columnsOf(
            { chosen: new Set(ids), all: list.rows.length, toggle, toggleAll, integrations },
            mayRedrive,
          )}
          rowKey={({ _id }) => _id}
          href={({ _notificationId }) => paths.event(_notificationId)}
          rowHeight={72}
          empty={isFiltered ? <NoneFits onClear={onClear} /> : <NoneAtAll />}
        />
      </Card>
    </>
  )
}

function NoneFits({ onClear }: { onClear(): void }) {
  return (
    <Empty
      icon="dead"
      title="No dead letter fits these filters"
      action={<Button onClick={onClear}>Clear filters</Button>}
    >
      Choose another channel or integration.
    </Empty>
  )
}

function NoneAtAll() {
  return (
    <Empty icon="check" title="No dead letters" action={<ButtonLink href={paths.activity}>See activity</ButtonLink>}>
      Nothing was given up. When every integration of a channel refuses a message, or its time is over, it waits here
      for you.
    </Empty>
  )
}
