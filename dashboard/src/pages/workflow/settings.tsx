import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Field, Input, Select, Textarea } from '../../ui/form/form.tsx'
import { IfEditable } from '../../ui/form/read-only.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Draft, Duration } from './draft.ts'
import { PreferenceFields } from './preferences.tsx'
import type { Editing } from './use-editing.ts'

const severities = [
  { value: 'none', label: 'None' },
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
] as const

/** What the workflow is, apart from its steps. */
export function Settings({ editing, onDeleted }: { editing: Editing; onDeleted(): void }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <General editing={editing} />
      <div className="flex flex-col gap-4">
        <PreferenceFields draft={editing.draft} onChange={editing.change} />
        <IfEditable>
          <Removal draft={editing.draft} onDeleted={onDeleted} />
        </IfEditable>
      </div>
    </div>
  )
}

function General({ editing: { draft, change, faults } }: { editing: Editing }) {
  return (
    <Card title="General">
      <div className="flex flex-col gap-4">
        <Field label="Name" required error={faults.workflow.name}>
          <Input value={draft.name} onText={(name) => change({ name })} />
        </Field>
        <div className="flex items-end gap-1">
          <Field label="Workflow id" hint="What triggers call. It never changes." className="flex-1">
            <Input className="font-mono text-sm" value={draft.workflowId} readOnly />
          </Field>
          <div className="mb-6">
            <CopyButton text={draft.workflowId} label="Copy the workflow id" />
          </div>
        </div>
        <Field label="Description" error={faults.workflow.description}>
          <Textarea rows={3} value={draft.description} onText={(description) => change({ description })} />
        </Field>
        <Tags tags={draft.tags} onChange={(tags) => change({ tags })} error={faults.workflow.tags} />
        <Field
          label="Severity"
          hint="Shown to people in their feed, and to filter by."
          error={faults.workflow.severity}
        >
          <Select
            options={severities}
            value={draft.severity}
            onText={(value) => change({ severity: severities.find((one) => one.value === value)?.value ?? 'none' })}
          />
        </Field>
        <Ttl draft={draft} onChange={(ttl) => change({ ttl })} error={faults.workflow.ttl} />
      </div>
    </Card>
  )
}

type TagsProps = { tags: readonly string[]; onChange(tags: string[]): void; error: string | undefined }

/** Typed as one line. The text is kept while it says the same tags: "a, " is on the way to "a, b". */
function Tags({ tags, onChange, error }: TagsProps) {
  const read = (text: string) => [...new Set(text.split(',').map((tag) => tag.trim()))].filter(Boolean)
  const [typed, setTyped] = useState(tags.join(', '))
  const text = read(typed).join() === tags.join() ? typed : tags.join(', ')
  return (
    <Field label="Tags" hint="Separated by commas." error={error}>
      <Input
        placeholder="orders, customers"
        value={text}
        onText={(next) => {
          setTyped(next)
          onChange(read(next))
        }}
      />
    </Field>
  )
}

const units = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const

type TtlProps = { draft: Draft; onChange(ttl: Duration | undefined): void; error: string | undefined }

function Ttl({ draft: { ttl }, onChange, error }: TtlProps) {
  const amount = (text: string) => {
    const number = Number(text)
    onChange(text === '' || Number.isNaN(number) ? undefined : { amount: number, unit: ttl?.unit ?? 'hours' })
  }
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <Field label="Tried for" hint="Then given up. A day when empty, at most 31 days." error={error}>
        <Input type="number" min={1} step={1} placeholder="1 day" value={ttl?.amount ?? ''} onText={amount} />
      </Field>
      <Field label="Unit">
        <Select
          options={units}
          disabled={!ttl}
          value={ttl?.unit ?? 'hours'}
          onText={(unit) => ttl && onChange({ ...ttl, unit: units.find((one) => one === unit) ?? 'hours' })}
        />
      </Field>
    </div>
  )
}

function Removal({ draft, onDeleted }: { draft: Draft; onDeleted(): void }) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    const sure = await confirm({
      title: `Delete ${draft.name}?`,
      text: 'Triggers of it are refused from now on. Its history stays readable, and its id is free again.',
      action: 'Delete workflow',
      danger: true,
      typeToConfirm: draft.workflowId,
    })
    if (!sure) return
    setBusy(true)
    try {
      await api.delete('/v2/workflows/{workflowId}', { path: { workflowId: draft._id } })
      onDeleted()
      toast.ok(`${draft.name} is deleted`)
      router.history.push(paths.workflows)
    } catch (error) {
      toast.fault(error)
      setBusy(false)
    }
  }
  return (
    <Card title="Delete">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 text-muted">To stop it for a while, switch it off instead.</p>
        <Button kind="danger" busy={busy} onClick={() => void remove()}>
          Delete workflow
        </Button>
      </div>
    </Card>
  )
}
