import { type ReactNode, useState } from 'react'
import type { WorkflowSummary } from '../../api/types.ts'
import { channelName, channels } from '../../lib/channels.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/form/form.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Toolbar } from '../../ui/page.tsx'
import { type ChangeFilters, type Chip, chipsOf, type Filters, listOf, outcomes, ranges } from './filter.ts'
import { MoreFilters } from './more-filters.tsx'

type FilterBarProps = {
  filters: Filters
  onChange: ChangeFilters
  workflows: readonly WorkflowSummary[]
  end?: ReactNode
}

export function FilterBar({ filters, onChange, workflows, end }: FilterBarProps) {
  const [open, setOpen] = useState(false)
  const chips = chipsOf(filters, workflows)
  return (
    <>
      <Toolbar>
        <SearchInput
          label="Search by e-mail, subscriber or transaction id"
          placeholder="E-mail, subscriber or transaction id"
          value={filters.search ?? ''}
          onSearch={(search) => onChange({ search })}
          className="sm:w-80"
        />
        <Quick
          label="Workflow"
          value={filters.templates}
          any="Any workflow"
          onText={(templates) => onChange({ templates })}
        >
          {workflows.map(({ _id, name }) => ({ value: _id, label: name }))}
        </Quick>
        <Quick
          label="Channel"
          value={filters.channels}
          any="Any channel"
          onText={(text) => onChange({ channels: text })}
        >
          {channels.map((channel) => ({ value: channel, label: channelName(channel) }))}
        </Quick>
        <Quick label="Outcome" value={filters.outcome} any="Any outcome" onText={(outcome) => onChange({ outcome })}>
          {outcomes}
        </Quick>
        <Field label="Time" hideLabel className="hidden sm:flex">
          <Select
            value={filters.range ?? ''}
            options={ranges}
            onText={(range) => onChange({ range, after: undefined, before: undefined })}
          />
        </Field>
        <Button icon="filter" onClick={() => setOpen(true)}>
          {chips.length > 0 ? `Filters (${chips.length})` : 'Filters'}
        </Button>
        {end && <div className="ml-auto">{end}</div>}
      </Toolbar>
      {chips.length > 0 && <Chips chips={chips} onChange={onChange} />}
      {open && (
        <MoreFilters filters={filters} workflows={workflows} onChange={onChange} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

type QuickProps = {
  label: string
  any: string
  value: string | undefined
  onText(value: string): void
  children: readonly { value: string; label: string }[]
}

/** One of the frequent filters. Several values come from the drawer; here they are one entry of their own. */
function Quick({ label, any, value = '', onText, children }: QuickProps) {
  const known = children.some((option) => option.value === value) || value === ''
  const many = listOf(value).length
  const own = known ? [] : [{ value, label: many > 1 ? `${many} chosen` : value }]
  return (
    <Field label={label} hideLabel className="hidden max-w-44 sm:flex">
      <Select value={value} onText={onText} options={[{ value: '', label: any }, ...own, ...children]} />
    </Field>
  )
}

function Chips({ chips, onChange }: { chips: readonly Chip[]; onChange: ChangeFilters }) {
  const clear = () => onChange(Object.fromEntries(chips.map(({ name }) => [name, undefined])))
  return (
    <ul aria-label="Active filters" className="mb-3 flex flex-wrap items-center gap-1.5">
      {chips.map(({ name, label, value }) => (
        <li key={name} className="min-w-0">
          <button
            type="button"
            aria-label={`Remove filter ${label}: ${value}`}
            onClick={() => onChange({ [name]: undefined })}
            className="inline-flex h-6 max-w-full items-center gap-1.5 rounded-md bg-accent-soft px-2 text-sm text-accent hover:text-accent-hover"
          >
            <span className="truncate">
              {label}: <span className="font-medium">{value}</span>
            </span>
            <Icon name="close" size={10} />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button size="sm" kind="quiet" onClick={clear}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  )
}
