import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { Activity, Explanation, WorkflowStep } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { stepTypeName } from '../activity/steps.ts'
import type { Recipient } from './recipient.ts'
import { StepLine } from './step-line.tsx'
import { ThenAndNow } from './then-and-now.tsx'
import { Verdict } from './verdict.tsx'

type ResultProps = { explanation: Explanation; workflow: string; happened?: Activity }

export function Result({ explanation, workflow, happened }: ResultProps) {
  const { result, recipients, hasMore } = explanation
  const { data } = useQuery({
    queryKey: ['workflow', workflow, 'steps'],
    queryFn: ({ signal }) => api.get('/v2/workflows/{workflowId}', { path: { workflowId: workflow }, signal }),
  })
  const steps = data?.steps ?? []
  const [only] = recipients
  if (result.status !== 'processed') return <Refused result={result} workflow={workflow} />
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {result.error?.map((warning) => (
        <Note key={warning}>{warning}</Note>
      ))}
      {recipients.length === 0 && <Note>Nobody would be reached: the topic has no members, or does not exist.</Note>}
      {happened && only && recipients.length === 1 ? (
        <ThenAndNow happened={happened} now={only} steps={steps} workflow={workflow} />
      ) : (
        <People recipients={recipients} steps={steps} workflow={workflow} />
      )}
      {hasMore && <p className="text-muted">More people would be reached. The first {recipients.length} are shown.</p>}
      <p className="text-sm text-muted">
        Judged by the plan that would send it. Steps behind a wait are judged as of now, as if all before them went
        well.
      </p>
    </div>
  )
}

function NoSuchWorkflow({ workflow }: { workflow: string }) {
  return (
    <Card title="The event would not be taken" actions={<Badge tone="bad">refused</Badge>}>
      <p className="break-words">
        There is no workflow “{workflow}”. Is it spelt right? A trigger that names it is refused, and nothing is sent.
      </p>
      <p className="mt-3">
        <TextLink href={paths.workflows}>See all workflows</TextLink>
      </p>
    </Card>
  )
}

const refusals: Record<string, string> = {
  trigger_not_active: 'The workflow is not active, so the event would not be taken.',
  no_workflow_steps_defined: 'The workflow has no steps, so nobody would get anything.',
  no_workflow_active_steps_defined: 'No step of the workflow is active, so nobody would get anything.',
  no_tenant_found: 'There is no such tenant.',
  invalid_recipients: 'The recipient cannot be used.',
  error: 'The event would be refused.',
}

function Refused({ result, workflow }: { result: Explanation['result']; workflow: string }) {
  if (result.error?.includes('workflow_not_found')) return <NoSuchWorkflow workflow={workflow} />
  return (
    <Card title="The event would not be taken" actions={<Badge tone="bad">{result.status.replaceAll('_', ' ')}</Badge>}>
      <p>{refusals[result.status] ?? 'The event would be refused.'}</p>
      {result.error && (
        <ul className="mt-2 list-disc pl-5 text-bad">
          {result.error.map((line) => (
            <li key={line} className="break-words">
              {line}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-3">
        <TextLink href={paths.workflow(workflow)}>Open the workflow</TextLink>
      </p>
    </Card>
  )
}

function Note({ children }: { children: string }) {
  return (
    <p className="flex items-start gap-2.5 rounded-md bg-warn-soft px-3 py-2.5 text-warn">
      <Icon name="warn" className="mt-0.5" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  )
}

type PeopleProps = { recipients: readonly Recipient[]; steps: readonly WorkflowStep[]; workflow: string }

function People({ recipients, steps, workflow }: PeopleProps) {
  const names = new Map(steps.map(({ stepId, name }) => [stepId, name]))
  if (recipients.length === 0) return null
  return (
    <Card flush className="overflow-hidden">
      <div className="divide-y divide-line">
        {recipients.map((recipient) => (
          <Person
            key={recipient.subscriberId}
            recipient={recipient}
            names={names}
            workflow={workflow}
            open={recipients.length === 1}
          />
        ))}
      </div>
    </Card>
  )
}

type PersonProps = { recipient: Recipient; names: ReadonlyMap<string, string>; workflow: string; open: boolean }

function Person({ recipient, names, workflow, open }: PersonProps) {
  return (
    <details open={open} className="group min-w-0">
      <summary className="flex list-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 hover:bg-hover focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <Icon name="chevron" size={12} className="text-faint transition-transform group-open:rotate-90" />
        <h2 className="min-w-0 text-base break-all">{recipient.subscriberId}</h2>
        <Verdict recipient={recipient} />
      </summary>
      <ol className="divide-y divide-line border-t border-line">
        {recipient.steps.map((step) => (
          <li key={step.stepId} className="flex min-w-0 gap-3 px-4 py-3">
            <StepLine
              step={step}
              name={names.get(step.stepId) ?? stepTypeName(step.type)}
              subscriberId={recipient.subscriberId}
              workflow={workflow}
            />
          </li>
        ))}
      </ol>
    </details>
  )
}
