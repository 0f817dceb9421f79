import { useQuery } from '@tanstack/react-query'
import { toFault } from '../api/fault.ts'
import type { Layout, WorkflowSummary } from '../api/types.ts'
import { fixedList, useCursorPages } from '../lib/pages.ts'
import { paths } from '../lib/paths.ts'
import { toSearch } from '../lib/to-search.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { DefaultLocale } from './languages/default-locale.tsx'
import { groupColumns } from './languages/group-columns.tsx'
import { MasterFile } from './languages/master-file.tsx'
import { layoutsQuery } from './layouts/queries.ts'
import { Protected } from './team/environments/protected.tsx'

const tab = toSearch({ tab: 'languages' })
const workflowColumns = groupColumns<WorkflowSummary>(({ name, workflowId }) => ({
  name,
  resource: { resourceType: 'workflow', resourceId: workflowId },
}))
const layoutColumns = groupColumns<Layout>(({ name, layoutId }) => ({
  name,
  resource: { resourceType: 'layout', resourceId: layoutId },
}))

export default function Languages() {
  const workflows = useCursorPages('/v2/workflows', {
    queryKey: ['workflows', 'languages'],
    query: { orderBy: 'name', orderDirection: 'ASC' },
  })
  const layouts = useQuery(layoutsQuery)
  return (
    <Page title="Languages" description="The words of your workflows and layouts, in the language of each reader.">
      <Protected>
        <div className="flex flex-col gap-4">
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <DefaultLocale />
            <MasterFile />
          </div>
          <Card flush title="Workflows">
            <DataTable
              label="Languages of workflows"
              columns={workflowColumns}
              list={workflows}
              rowKey={({ _id }) => _id}
              href={({ workflowId, _id }) => paths.workflow(workflowId === 'new' ? _id : workflowId) + tab}
              rowHeight={56}
              empty={<Empty icon="workflow" title="No workflows yet" />}
            />
          </Card>
          {(layouts.data?.length ?? 0) > 0 && (
            <Card flush title="Layouts">
              <DataTable
                label="Languages of layouts"
                columns={layoutColumns}
                list={{ ...fixedList(layouts.data ?? []), fault: layouts.error ? toFault(layouts.error) : null }}
                rowKey={({ _id }) => _id}
                href={({ layoutId }) => paths.layout(layoutId) + tab}
                rowHeight={56}
                empty={null}
              />
            </Card>
          )}
        </div>
      </Protected>
    </Page>
  )
}
