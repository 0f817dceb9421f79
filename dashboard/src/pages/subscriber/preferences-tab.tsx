import { useState } from 'react'
import { toFault } from '../../api/fault.ts'
import type { Subscriber, SubscriberPreferences, SubscriberWorkflowPreference } from '../../api/types.ts'
import { type Channel, channelName, channels } from '../../lib/channels.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, FaultNote } from '../../ui/empty.tsx'
import { Checkbox, Switch } from '../../ui/form/form.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { type PreferencesPatch, useChangePreferences, usePreferences } from './preferences.ts'

export function PreferencesTab({ person }: { person: Subscriber }) {
  const { data, error, refetch } = usePreferences(person.subscriberId)
  const change = useChangePreferences(person.subscriberId)
  if (error && !data) return <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={8} />
  return (
    <div className="flex flex-col gap-4">
      <InGeneral global={data.global} busy={change.isPending} onChange={change.mutate} />
      <ByWorkflow workflows={data.workflows} busy={change.isPending} onChange={change.mutate} />
    </div>
  )
}

type Changes = { busy: boolean; onChange(patch: PreferencesPatch): void }

function InGeneral({ global, busy, onChange }: Changes & { global: SubscriberPreferences['global'] }) {
  return (
    <Card title="In general" description="Holds for every workflow that the person has not chosen otherwise for.">
      <div className="flex flex-wrap items-center gap-x-8 gap-y-3">
        <Switch
          label="Wants notifications"
          checked={global.enabled}
          disabled={busy}
          onChange={(on) => onChange({ enabled: on ? null : false })}
        />
        <Choices
          label="In general"
          of={channels}
          chosen={global.channels}
          disabled={busy}
          // Back on means no objection, so that what a workflow itself says counts again.
          onChange={(channel, on) => onChange({ channels: { [channel]: on ? (global.enabled ? null : true) : false } })}
        />
      </div>
    </Card>
  )
}

function ByWorkflow({ workflows, busy, onChange }: Changes & { workflows: readonly SubscriberWorkflowPreference[] }) {
  const [search, setSearch] = useState('')
  const wanted = search.toLowerCase()
  const shown = workflows.filter(({ workflow: { name, identifier } }) =>
    `${name} ${identifier}`.toLowerCase().includes(wanted),
  )
  return (
    <Card
      title="By workflow"
      description="What is sent to this person, whoever decided it."
      flush
      actions={workflows.length > 8 && <SearchInput label="Filter workflows" value={search} onSearch={setSearch} />}
    >
      {shown.length === 0 && (
        <Empty
          icon="workflow"
          title={wanted ? 'No such workflow' : 'No active workflow'}
          {...(!wanted && { action: <ButtonLink href={paths.workflows}>Make a workflow</ButtonLink> })}
        >
          {wanted ? 'Try a part of its name.' : 'Preferences appear here for every active workflow.'}
        </Empty>
      )}
      <ul className="divide-y divide-line">
        {shown.map((preference) => (
          <li key={preference.workflow.identifier} className="[content-visibility:auto]">
            <WorkflowLine preference={preference} busy={busy} onChange={onChange} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function WorkflowLine({ preference, busy, onChange }: Changes & { preference: SubscriberWorkflowPreference }) {
  const { workflow, readOnly, overrides, updatedAt } = preference
  const workflowId = workflow.identifier
  const used = overrides.map(({ channel }) => channel)
  // Without a time, what the person said was said in general.
  const own = updatedAt ? overrides.filter(({ source }) => source === 'subscriber') : []
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-56 flex-wrap items-center gap-x-2 gap-y-1 max-sm:basis-full">
        <TextLink href={paths.workflow(workflowId)} className="min-w-0 truncate font-medium">
          {workflow.name}
        </TextLink>
        {workflow.critical && <Badge tone="warn">critical</Badge>}
        {readOnly && !workflow.critical && <Badge>no choice</Badge>}
        {own.length > 0 && <Badge tone="info">own choice</Badge>}
      </div>
      {used.length === 0 && <span className="text-sm text-muted">Has no channel step</span>}
      <Choices
        label={workflow.name}
        of={channels.filter((channel) => used.includes(channel))}
        chosen={preference.channels}
        disabled={busy || readOnly}
        onChange={(channel, on) => onChange({ workflowId, channels: { [channel]: on } })}
      />
      <div className="flex justify-end empty:max-sm:hidden max-sm:ml-auto sm:w-16">
        {own.length > 0 && !readOnly && (
          <Button
            needs="subscribers"
            size="sm"
            kind="quiet"
            disabled={busy}
            title="Take the person's own choices back"
            onClick={() =>
              onChange({ workflowId, enabled: null, channels: Object.fromEntries(used.map((name) => [name, null])) })
            }
          >
            Reset
          </Button>
        )}
      </div>
    </div>
  )
}

/** Where there is room, every channel has its own column. */
const columnOf: Record<Channel, string> = {
  in_app: 'lg:col-start-1',
  email: 'lg:col-start-2',
  sms: 'lg:col-start-3',
  push: 'lg:col-start-4',
  chat: 'lg:col-start-5',
}

type ChoicesProps = {
  label: string
  of: readonly Channel[]
  chosen: Partial<Record<Channel, boolean>>
  disabled: boolean
  onChange(channel: Channel, on: boolean): void
}

function Choices({ label, of, chosen, disabled, onChange }: ChoicesProps) {
  return (
    <fieldset className="flex flex-wrap gap-x-5 gap-y-2 lg:grid lg:grid-cols-[repeat(5,4.75rem)] lg:gap-x-2">
      <legend className="sr-only">{label}</legend>
      {of.map((channel) => (
        <Checkbox
          key={channel}
          label={channelName(channel)}
          checked={chosen[channel] ?? false}
          disabled={disabled}
          onChange={(event) => onChange(channel, event.target.checked)}
          className={columnOf[channel]}
        />
      ))}
    </fieldset>
  )
}
