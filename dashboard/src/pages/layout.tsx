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
import { LayoutEditor } from './layout/layout-editor.tsx'

export default function OneLayout() {
  const { layoutId = '' } = useParams({ strict: false })
  return <Read key={layoutId} layoutId={layoutId} />
}

function Read({ layoutId }: { layoutId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['layout-editor', layoutId],
    queryFn: ({ signal }) => api.get('/v2/layouts/{layoutId}', { path: { layoutId }, signal }),
    // Read anew whenever the page is opened, and not again: what is being written must not change under the hands.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data) return <LayoutEditor key={data._id} layout={data} />
  const fault = error && toFault(error)
  return (
    <Page title="Layout" back={{ href: paths.layouts, label: 'Layouts' }}>
      {!fault && <SkeletonLines lines={8} />}
      {fault && fault.status !== 404 && <FaultNote fault={fault} onRetry={() => void refetch()} />}
      {fault?.status === 404 && (
        <Card>
          <Empty
            icon="layout"
            title="No such layout"
            action={<ButtonLink href={paths.layouts}>All layouts</ButtonLink>}
          >
            None has the id <span className="font-mono text-sm break-all">{layoutId}</span>. It may have been deleted.
          </Empty>
        </Card>
      )}
    </Page>
  )
}
