import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import { paths } from '../../lib/paths.ts'
import { freeSlug } from '../../lib/slug.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { IfUnprotected, Protected } from '../team/environments/protected.tsx'
import { type Starter, starters } from './starters.ts'
import { stepIcon } from './steps/step-types.ts'

/** Makes a workflow with its first steps, then opens it. */
export function NewWorkflow() {
  const router = useRouter()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [typedId, setTypedId] = useState<string | null>(null)
  const [starter, setStarter] = useState<Starter | undefined>(starters[0])
  const [fault, setFault] = useState<ApiFault | null>(null)
  const [busy, setBusy] = useState(false)
  const workflowId = typedId ?? (name.trim() ? freeSlug(name, 'workflow', []) : '')
  const create = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const body = { workflowId, name: name.trim(), steps: starter?.steps ?? [] }
      const made = await api.post('/v2/workflows', { body })
      void queries.invalidateQueries({ queryKey: ['workflows'] })
      router.history.replace(paths.workflow(made.workflowId))
    } catch (error) {
      setFault(toFault(error))
      setBusy(false)
    }
  }
  const isTaken = fault?.code === 'workflow_exists'
  const named = fault?.of('name') ?? fault?.of('workflowId')
  return (
    <Page title="New workflow" back={{ href: paths.workflows, label: 'Workflows' }}>
      <Protected>
        <IfUnprotected>
          <Card className="max-w-3xl">
            <form className="flex flex-col gap-5" onSubmit={(event) => void create(event)}>
              {fault && !isTaken && !named && <FaultNote fault={fault} />}
              <Names name={name} onName={setName} workflowId={workflowId} onId={setTypedId} fault={fault} />
              <Starters chosen={starter} onChoose={setStarter} />
              <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-4">
                <ButtonLink href={paths.workflows}>Cancel</ButtonLink>
                <Button type="submit" kind="primary" busy={busy} disabled={!name.trim()}>
                  Create workflow
                </Button>
              </div>
            </form>
          </Card>
        </IfUnprotected>
      </Protected>
    </Page>
  )
}

type NamesProps = {
  name: string
  onName(name: string): void
  workflowId: string
  /** Null: made from the name again. */
  onId(workflowId: string | null): void
  fault: ApiFault | null
}

function Names({ name, onName, workflowId, onId, fault }: NamesProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Name" hint="People see it in their preferences." error={fault?.of('name')}>
        <Input value={name} onText={onName} placeholder="Order shipped" autoFocus required />
      </Field>
      <Field
        label="Workflow id"
        hint="What your programs trigger. It never changes."
        error={fault?.code === 'workflow_exists' ? 'Another workflow has this id.' : fault?.of('workflowId')}
      >
        <Input
          className="font-mono text-sm"
          value={workflowId}
          onText={(text) => onId(text || null)}
          placeholder="order-shipped"
          required
        />
      </Field>
    </div>
  )
}

type StartersProps = { chosen: Starter | undefined; onChoose(starter: Starter): void }

function Starters({ chosen, onChoose }: StartersProps) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">Begin with</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {starters.map((starter) => (
          <label
            key={starter.name}
            className="flex cursor-pointer items-start gap-3 rounded-md border border-line p-3 transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="starter"
              className="sr-only"
              checked={starter === chosen}
              onChange={() => onChoose(starter)}
            />
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{starter.name}</span>
              <span className="block text-sm text-muted">{starter.about}</span>
            </span>
            <span className="flex gap-1 pt-0.5 text-muted">
              {starter.steps.map(({ stepId, type }) => (
                <Icon key={stepId} name={stepIcon(type)} size={14} />
              ))}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
