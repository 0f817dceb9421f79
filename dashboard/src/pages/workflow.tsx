import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { toFault } from '../api/fault.ts'
import { paths } from '../lib/paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { Editor } from './workflow/editor.tsx'
import { NewWorkflow } from './workflow/new-workflow.tsx'

export default function Workflow() {
  const { workflowId = '' } = useParams({ strict: false })
  return workflowId === 'new' ? <NewWorkflow /> : <OneWorkflow key={workflowId} workflowId={workflowId} />
}

function OneWorkflow({ workflowId }: { workflowId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['workflow-editor', workflowId],
    queryFn: ({ signal }) => api.get('/v2/workflows/{workflowId}', { path: { workflowId }, signal }),
    // Read anew whenever the page is opened, and not again: what is being written must not change under the hands.
    // Saving looks for what others did meanwhile.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data) return <Editor key={data._id} workflow={data} />
  const fault = error && toFault(error)
  return (
    <Page title="Workflow" back={{ href: paths.workflows, label: 'Workflows' }}>
      {!fault && <SkeletonLines lines={8} />}
      {fault && fault.status !== 404 && <FaultNote fault={fault} onRetry={() => void refetch()} />}
      {fault?.status === 404 && (
        <Card>
          <Empty
            icon="workflow"
            title="No such workflow"
            action={<ButtonLink href={paths.workflows}>All workflows</ButtonLink>}
          >
            None has the id <span className="font-mono text-sm break-all">{workflowId}</span>. It may have been deleted.
          </Empty>
        </Card>
      )}
    </Page>
  )
}
