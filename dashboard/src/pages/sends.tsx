import { useFilters } from '../lib/filters.ts'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { SafetySettings } from './sends/safety-settings.tsx'
import { SendList } from './sends/send-list.tsx'

const views = [
  { id: 'list', label: 'Sends' },
  { id: 'safety', label: 'Safety' },
] as const

/** Events for very many people: how far they are, and what holds them up. */
export default function Sends() {
  const [filters, setFilters] = useFilters<'view'>()
  const view = views.find(({ id }) => id === filters.view)?.id ?? 'list'
  return (
    <Page
      title="Large sends"
      description="Broadcasts, topics and long lists. Each can be paused, resumed and canceled, and can stop by itself when too much fails."
      changedBy={view === 'list' ? 'operate' : 'settings'}
    >
      <Tabs
        label="Large sends"
        items={views}
        value={view}
        onChange={(id) => setFilters({ view: id === 'list' ? undefined : id })}
      >
        {view === 'list' ? <SendList /> : <SafetySettings />}
      </Tabs>
    </Page>
  )
}
