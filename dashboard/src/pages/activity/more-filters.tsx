import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { WorkflowSummary } from '../../api/types.ts'
import { channelName, channels } from '../../lib/channels.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog/dialog.tsx'
import { Checkbox, Field, Input, Select } from '../../ui/form/form.tsx'
import { type ChangeFilters, type FilterName, type Filters, listOf, outcomes, ranges, textOf } from './filter.ts'

type MoreFiltersProps = {
  filters: Filters
  workflows: readonly WorkflowSummary[]
  onChange: ChangeFilters
  onClose(): void
}
type TextName = 'subscriberIds' | 'emails' | 'transactionId' | 'topicKey' | 'contextKeys'

const texts: readonly { name: TextName; label: string; hint?: string }[] = [
  { name: 'subscriberIds', label: 'Subscriber ids', hint: 'Whole ids, with commas between several.' },
  { name: 'emails', label: 'E-mail addresses', hint: 'Whole addresses, with commas between several.' },
  { name: 'transactionId', label: 'Transaction id' },
  { name: 'topicKey', label: 'Topic key' },
  { name: 'contextKeys', label: 'Context keys', hint: 'As type:id. All of them, and no other.' },
]
const severities = [
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
  { value: 'none', label: 'None' },
]
const names: readonly FilterName[] = [
  'channels',
  'templates',
  'severity',
  'outcome',
  'range',
  'after',
  'before',
  ...texts.map(({ name }) => name),
]

/** Every filter of the list. Nothing is asked before Show is pressed. */
export function MoreFilters({ filters, workflows, onChange, onClose }: MoreFiltersProps) {
  const [draft, setDraft] = useState<Filters>(filters)
  const form = useId()
  const set = (name: FilterName) => (value: string | undefined) => setDraft((old) => ({ ...old, [name]: value ?? '' }))
  const show = (event: FormEvent) => {
    event.preventDefault()
    onChange(Object.fromEntries(names.map((name) => [name, draft[name]?.trim() || undefined])))
    onClose()
  }
  const workflowChoice = workflows.map(({ _id, name }) => ({ value: _id, label: name }))
  return (
    <Drawer
      open
      size="sm"
      title="Filters"
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => setDraft({})}>Clear</Button>
          <Button kind="primary" type="submit" form={form}>
            Show
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={show} className="flex flex-col gap-5">
        <Boxes label="Channel" value={draft.channels} onText={set('channels')}>
          {channels.map((value) => ({ value, label: channelName(value) }))}
        </Boxes>
        <Boxes label="Severity of the workflow" value={draft.severity} onText={set('severity')}>
          {severities}
        </Boxes>
        {workflowChoice.length > 0 && (
          <Boxes label="Workflow" value={draft.templates} onText={set('templates')}>
            {workflowChoice}
          </Boxes>
        )}
        <Field label="Outcome">
          <Select
            value={draft.outcome ?? ''}
            options={[{ value: '', label: 'Any outcome' }, ...outcomes]}
            onText={set('outcome')}
          />
        </Field>
        <Times draft={draft} set={set} />
        {texts.map(({ name, label, hint }) => (
          <Field key={name} label={label} hint={hint}>
            <Input value={draft[name] ?? ''} onText={set(name)} />
          </Field>
        ))}
      </form>
    </Drawer>
  )
}

type Setter = (name: FilterName) => (value: string | undefined) => void

function Times({ draft, set }: { draft: Filters; set: Setter }) {
  return (
    <>
      <Field label="Time">
        <Select value={draft.range ?? ''} options={ranges} onText={set('range')} />
      </Field>
      {!draft.range && (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <Field label="After">
            <Input type="datetime-local" value={draft.after ?? ''} onText={set('after')} />
          </Field>
          <Field label="Before">
            <Input type="datetime-local" value={draft.before ?? ''} onText={set('before')} />
          </Field>
        </div>
      )}
    </>
  )
}

type BoxesProps = {
  label: string
  value: string | undefined
  onText(value: string | undefined): void
  children: readonly { value: string; label: string }[]
}

function Boxes({ label, value, onText, children }: BoxesProps): ReactNode {
  const chosen = listOf(value)
  const toggle = (one: string, on: boolean) =>
    onText(textOf(on ? [...chosen, one] : chosen.filter((other) => other !== one)))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex max-h-44 flex-wrap gap-x-4 gap-y-1.5 overflow-y-auto">
        {children.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            checked={chosen.includes(option.value)}
            onChange={(event) => toggle(option.value, event.target.checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}
