import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { paths } from '../../lib/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Icon } from '../../ui/icon.tsx'

const query = { limit: 1 }
const firstPerson = queryOptions({
  queryKey: ['first-steps', 'person'],
  queryFn: () => api.get('/v2/subscribers', { query }),
})
const firstWorkflow = queryOptions({
  queryKey: ['first-steps', 'workflow'],
  queryFn: () => api.get('/v2/workflows', { query }),
})

/** What to do in an environment in which nothing happened yet. The parent decides when it is shown. */
export function FirstSteps() {
  const person = useQuery(firstPerson).data?.data[0]
  const workflow = useQuery(firstWorkflow).data?.data[0]
  const workflowId = workflow?.workflowId ?? 'hello'
  const subscriberId = person?.subscriberId ?? 'ada'
  return (
    <Card title="First steps" description="From nothing to a notification that somebody can read." flush>
      <ol>
        <Step
          number={1}
          done={Boolean(person)}
          title="Add a subscriber"
          action={<ButtonLink href={paths.subscribers}>Subscribers</ButtonLink>}
        >
          A person with an id of yours, an address and, if you like, a phone number.
        </Step>
        <Step
          number={2}
          done={Boolean(workflow)}
          title="Make a workflow"
          action={<ButtonLink href={paths.workflows}>Workflows</ButtonLink>}
        >
          The steps a notification takes: in-app, e-mail, a delay, a digest. Each shows a preview as you write.
        </Step>
        <Step number={3} done={false} title="Trigger it">
          <p>From your program, or with a test run on the page of the workflow.</p>
          <div className="mt-2 text-ink">
            <Code label="How to trigger by curl" wrap text={curlOf(workflowId, subscriberId)} />
          </div>
        </Step>
        <Step
          number={4}
          done={false}
          title="Watch it arrive"
          action={
            <>
              <ButtonLink href={paths.activity}>Activity</ButtonLink>
              <ButtonLink href={paths.mailbox}>Mailbox</ButtonLink>
            </>
          }
        >
          Activity shows every step and try. E-mails and texts of development land in the mailbox, not with people.
        </Step>
      </ol>
    </Card>
  )
}

function curlOf(workflowId: string, subscriberId: string): string {
  return [
    `curl -X POST ${location.origin}/v1/events/trigger \\`,
    `  -H 'Authorization: ApiKey <your key>' -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify({ name: workflowId, to: subscriberId, payload: {} })}'`,
  ].join('\n')
}

type StepProps = { number: number; done: boolean; title: string; action?: ReactNode; children: ReactNode }

function Step({ number, done, title, action, children }: StepProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 border-b border-line px-4 py-3.5 last:border-0">
      <span
        className={`flex size-6 shrink-0 items-center justify-center rounded-full text-sm font-medium ${done ? 'bg-ok-soft text-ok' : 'bg-neutral-soft text-muted'}`}
      >
        {done ? <Icon name="check" size={14} /> : number}
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="text-base">
          {title}
          {done && <span className="sr-only"> (done)</span>}
        </h3>
        <div className="text-muted">{children}</div>
      </div>
      {action && <div className="flex gap-2 max-sm:w-full max-sm:pl-10">{action}</div>}
    </li>
  )
}
