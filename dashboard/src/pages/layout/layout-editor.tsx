import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { Layout } from '../../api/types.ts'
import { useFilters } from '../../lib/filters.ts'
import { paths } from '../../lib/paths.ts'
import { useGuard, useSaveKey } from '../../lib/use-guard.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { LanguagesLabel, LanguagesTab } from '../languages/languages-tab.tsx'
import { DuplicateLayout } from '../layouts/duplicate-layout.tsx'
import { IfUnprotected, Protected } from '../team/environments/protected.tsx'
import { LayoutContent } from './layout-content.tsx'
import { LayoutSettings } from './layout-settings.tsx'
import { useLayoutEditing } from './use-editing.ts'

type Tab = 'content' | 'languages' | 'settings'

/** One layout, to read and to change. */
export function LayoutEditor({ layout }: { layout: Layout }) {
  const editing = useLayoutEditing(layout)
  const [filters, setFilters] = useFilters<'tab'>()
  const [copying, setCopying] = useState(false)
  const router = useRouter()
  const letGo = useGuard(editing.isDirty, 'What you changed in this layout is lost.')
  useSaveKey(() => void editing.save())
  const { base } = editing
  const resource = { resourceType: 'layout', resourceId: base.layoutId } as const
  const tabs = [
    { id: 'content', label: 'Content' },
    { id: 'languages', label: <LanguagesLabel resource={resource} /> },
    { id: 'settings', label: 'Settings' },
  ] as const
  const tab: Tab = tabs.find(({ id }) => id === filters.tab)?.id ?? 'content'
  return (
    <Page
      title={base.name}
      back={{ href: paths.layouts, label: 'Layouts' }}
      beside={
        <>
          <span className="min-w-0 truncate font-mono text-xs text-muted">{base.layoutId}</span>
          {base.isDefault && <Badge tone="info">default</Badge>}
        </>
      }
      actions={
        <IfUnprotected>
          <Button icon="copy" onClick={() => setCopying(true)}>
            Duplicate
          </Button>
        </IfUnprotected>
      }
    >
      <Protected>
        <Tabs
          label="Layout"
          items={tabs}
          value={tab}
          onChange={(id) => setFilters({ tab: id === 'content' ? undefined : id })}
        >
          {tab === 'content' && <LayoutContent editing={editing} />}
          {tab === 'languages' && <LanguagesTab resource={resource} isDirty={editing.isDirty} />}
          {tab === 'settings' && (
            <LayoutSettings
              editing={editing}
              onDeleted={() => {
                letGo()
                router.history.push(paths.layouts)
              }}
            />
          )}
        </Tabs>
      </Protected>
      <SaveBar {...editing} onSave={() => void editing.save()} onDiscard={editing.discard}>
        Not saved yet. What runs goes on with what it began with.
      </SaveBar>
      {copying && <DuplicateLayout layout={base} onClose={() => setCopying(false)} />}
    </Page>
  )
}
