import { useFilters } from '../../lib/filters.ts'
import { paths } from '../../lib/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, FaultNote } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Changes } from './publish/changes.tsx'
import { History } from './publish/history.tsx'
import { useSides } from './publish/sides.ts'
import { SidesBar } from './publish/sides-bar.tsx'

const views = [
  { id: 'changes', label: 'What differs' },
  { id: 'history', label: 'History' },
] as const

/** From one environment into another: what differs, line by line, and what was published before. */
export default function Publish() {
  const { all, source, target, isPending, fault, refetch, choose } = useSides()
  const [filters, setFilters] = useFilters<'view' | 'publication'>()
  const view = views.find(({ id }) => id === filters.view)?.id ?? 'changes'
  return (
    <Page
      title="Publish"
      description="Workflows, layouts and languages are made in one environment and go to another: all that you choose at once, or nothing. It can be put back."
    >
      {fault && <FaultNote fault={fault} onRetry={() => void refetch()} />}
      {isPending && <SkeletonLines lines={6} />}
      {!isPending && !fault && !target && <NowhereTo />}
      {target && (
        <>
          <SidesBar all={all} source={source} target={target} onChoose={choose} />
          <Tabs
            label="Publishing"
            items={views}
            value={view}
            onChange={(id) => setFilters({ view: id === 'changes' ? undefined : id, publication: undefined })}
          >
            {view === 'history' ? (
              <History target={target} />
            ) : source ? (
              <Changes key={`${source._id} ${target._id}`} source={source} target={target} />
            ) : (
              <p className="text-muted">Choose above where {target.name} is published from.</p>
            )}
          </Tabs>
        </>
      )}
    </Page>
  )
}

function NowhereTo() {
  return (
    <Card>
      <Empty
        icon="layers"
        title="Nothing is published to or from here"
        action={<ButtonLink href={paths.environments}>Environments</ButtonLink>}
      >
        It takes two environments that you can look into, one published from the other. What an environment is published
        from is set where environments are edited.
      </Empty>
    </Card>
  )
}
