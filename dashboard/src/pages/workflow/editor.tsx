import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import type { Workflow } from '../../api/types.ts'
import { useFilters } from '../../lib/filters.ts'
import { useMay } from '../../lib/may.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { useGuard, useSaveKey } from '../../lib/use-guard.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Switch } from '../../ui/form/form.tsx'
import { Page } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { LanguagesLabel, LanguagesTab } from '../languages/languages-tab.tsx'
import { Protected } from '../team/environments/protected.tsx'
import { Coded, CodedSteps } from './coded.tsx'
import { useSample } from './preview/sample.ts'
import { Schema } from './schema.tsx'
import { Settings } from './settings.tsx'
import { Steps } from './steps/steps.tsx'
import { TestRun } from './test-run.tsx'
import { type Editing, useEditing } from './use-editing.ts'
import { Versions } from './versions/versions.tsx'

type Tab = 'steps' | 'languages' | 'settings' | 'payload' | 'versions'

/** One workflow, to read and to change. */
export function Editor({ workflow }: { workflow: Workflow }) {
  const editing = useEditing(workflow)
  const sample = useSample(editing.draft)
  const [filters, setFilters] = useFilters<'tab' | 'version'>()
  const [testing, setTesting] = useState(false)
  const letGo = useGuard(editing.isDirty, 'What you changed in this workflow is lost.')
  useSaveKey(() => void editing.save())
  const { base } = editing
  const isCode = base.origin === 'external'
  const Around = isCode ? Coded : Protected
  const resource = { resourceType: 'workflow', resourceId: base.workflowId } as const
  const tabs: { id: Tab; label: ReactNode }[] = [
    { id: 'steps', label: 'Steps' },
    // Nothing that code says is a template, so there are no words to put in.
    ...(isCode ? [] : [{ id: 'languages' as const, label: <LanguagesLabel resource={resource} /> }]),
    { id: 'settings', label: 'Settings' },
    { id: 'payload', label: 'Payload' },
    { id: 'versions', label: 'Versions' },
  ]
  const tab: Tab = tabs.find(({ id }) => id === filters.tab)?.id ?? 'steps'
  return (
    <Page
      title={base.name}
      description={base.description || undefined}
      back={{ href: paths.workflows, label: 'Workflows' }}
      beside={
        <>
          <span className="min-w-0 truncate font-mono text-xs text-muted">{base.workflowId}</span>
          <Badge>version {base.version}</Badge>
        </>
      }
      actions={
        <>
          <ActiveSwitch editing={editing} />
          <ButtonLink icon="activity" href={paths.activity + toSearch({ templates: base._id })}>
            Activity
          </ButtonLink>
          <Button needs="trigger" icon="play" onClick={() => setTesting(true)}>
            Test run
          </Button>
        </>
      }
    >
      <Around>
        <Tabs
          label="Workflow"
          items={tabs}
          value={tab}
          onChange={(id) => setFilters({ tab: id === 'steps' ? undefined : id, version: undefined })}
        >
          {tab === 'steps' &&
            (isCode ? <CodedSteps steps={base.steps} /> : <Steps editing={editing} sample={sample} />)}
          {tab === 'languages' && <LanguagesTab resource={resource} isDirty={editing.isDirty} />}
          {tab === 'settings' && <Settings editing={editing} onDeleted={letGo} />}
          {tab === 'payload' && <Schema editing={editing} sample={sample} />}
          {tab === 'versions' && <Versions editing={editing} />}
        </Tabs>
      </Around>
      <SaveBar {...editing} onSave={() => void editing.save()} onDiscard={editing.discard}>
        Not saved yet. What runs goes on with version {base.version}.
      </SaveBar>
      {testing && <TestRun editing={editing} sample={sample} onClose={() => setTesting(false)} />}
    </Page>
  )
}

/** Switched at once: `active` is no part of a version. */
function ActiveSwitch({ editing: { base, switched } }: { editing: Editing }) {
  const [busy, setBusy] = useState(false)
  const maySwitch = useMay('switch')
  const set = async (active: boolean) => {
    setBusy(true)
    try {
      const saved = await api.patch('/v2/workflows/{workflowId}', { path: { workflowId: base._id }, body: { active } })
      switched(saved)
      toast.ok(active ? `${base.name} is on` : `${base.name} is off`)
    } catch (error) {
      toast.fault(error)
    }
    setBusy(false)
  }
  return (
    <div className="mr-2 flex h-8 items-center">
      <Switch
        label="Active"
        checked={base.active}
        disabled={busy || !maySwitch}
        onChange={(active) => void set(active)}
      />
    </div>
  )
}
