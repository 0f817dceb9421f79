import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { api } from '../../api/client.ts'
import { usePause } from '../../lib/use-pause.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select, Textarea } from '../../ui/form/form.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { useWorkflowChoice } from '../activity/lookups.ts'
import { personName } from '../activity/steps.ts'
import type { Draft, DraftFaults } from './draft.ts'

type ExplainFormProps = {
  draft: Draft
  faults: DraftFaults
  busy: boolean
  onChange(draft: Draft): void
  onAsk(): void
}
const kinds = [
  { id: 'person', label: 'One person' },
  { id: 'topic', label: 'A topic' },
] as const

export function ExplainForm({ draft, faults, busy, onChange, onAsk }: ExplainFormProps) {
  const set = (name: keyof Draft) => (value: string) => onChange({ ...draft, [name]: value })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsk()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <WorkflowField value={draft.workflow} error={faults.workflow} onText={set('workflow')} />
      <div>
        <Segments label="Recipient" items={kinds} value={draft.kind} onChange={set('kind')} />
      </div>
      {draft.kind === 'person' ? (
        <PersonField value={draft.subscriber} error={faults.subscriber} onText={set('subscriber')} />
      ) : (
        <Field label="Topic key" required error={faults.topic} hint="The first hundred members are shown.">
          <Input value={draft.topic} onText={set('topic')} />
        </Field>
      )}
      <Field label="Payload" error={faults.payload} hint="What conditions and templates read, as JSON.">
        <Textarea rows={7} className="font-mono text-sm" value={draft.payload} onText={set('payload')} />
      </Field>
      <More draft={draft} faults={faults} set={set} />
      <Button kind="primary" type="submit" busy={busy}>
        Explain
      </Button>
    </form>
  )
}

function WorkflowField({
  value,
  error,
  onText,
}: {
  value: string
  error?: string | undefined
  onText(id: string): void
}) {
  const workflows = useWorkflowChoice()
  const known = value === '' || workflows.some(({ workflowId }) => workflowId === value)
  return (
    <Field label="Workflow" required error={error}>
      <Select
        value={value}
        onText={onText}
        options={[
          { value: '', label: 'Choose…' },
          ...(known ? [] : [{ value, label: value }]),
          ...workflows.map(({ workflowId, name }) => ({ value: workflowId, label: name })),
        ]}
      />
    </Field>
  )
}

/** Who knows a name but no id types the name: the ids that fit are offered. */
function PersonField({
  value,
  error,
  onText,
}: {
  value: string
  error?: string | undefined
  onText(id: string): void
}) {
  const list = useId()
  const typed = usePause(value.trim())
  const { data } = useQuery({
    queryKey: ['subscribers', 'suggested', typed],
    queryFn: ({ signal }) => api.get('/v2/subscribers', { query: { search: typed, limit: 10 }, signal }),
    enabled: typed.length >= 2,
    placeholderData: (previous) => previous,
  })
  return (
    <Field label="Subscriber id" required error={error} hint="Or a part of the name or e-mail, to choose from.">
      <Input value={value} onText={onText} list={list} />
      <datalist id={list}>
        {(data?.data ?? []).map((person) => (
          <option key={person._id} value={person.subscriberId}>
            {`${personName(person)}${person.email ? `, ${person.email}` : ''}`}
          </option>
        ))}
      </datalist>
    </Field>
  )
}

type MoreProps = { draft: Draft; faults: DraftFaults; set(name: keyof Draft): (value: string) => void }

function More({ draft, faults, set }: MoreProps) {
  const isUsed = Boolean(draft.overrides || draft.actor || draft.tenant)
  return (
    <details open={isUsed || undefined}>
      <summary className="rounded text-sm font-medium text-muted hover:text-ink">Overrides, actor and tenant</summary>
      <div className="mt-3 flex flex-col gap-4">
        <Field label="Overrides" error={faults.overrides}>
          <Textarea
            rows={4}
            className="font-mono text-sm"
            placeholder='{ "email": { "integrationIdentifier": "…" } }'
            value={draft.overrides}
            onText={set('overrides')}
          />
        </Field>
        <Field label="Actor" hint="A subscriber id.">
          <Input value={draft.actor} onText={set('actor')} />
        </Field>
        <Field label="Tenant" hint="Its identifier.">
          <Input value={draft.tenant} onText={set('tenant')} />
        </Field>
      </div>
    </details>
  )
}
