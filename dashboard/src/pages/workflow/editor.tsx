import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import type { Workflow } from '../../api/types.ts'
import { useFilters } from '../../lib/filters.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Switch } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { useSample } from './preview/sample.ts'
import { Schema } from './schema.tsx'
import { Settings } from './settings.tsx'
import { Steps } from './steps/steps.tsx'
import { TestRun } from './test-run.tsx'
import { type Editing, useEditing, useSaveKey } from './use-editing.ts'
import { Versions } from './versions/versions.tsx'

const tabs = [
  { id: 'steps', label: 'Steps' },
  { id: 'settings', label: 'Settings' },
  { id: 'payload', label: 'Payload' },
  { id: 'versions', label: 'Versions' },
] as const
type Tab = (typeof tabs)[number]['id']

/** One workflow, to read and to change. */
export function Editor({ workflow }: { workflow: Workflow }) {
  const editing = useEditing(workflow)
  const sample = useSample(editing.draft)
  const [filters, setFilters] = useFilters<'tab' | 'version'>()
  const [testing, setTesting] = useState(false)
  const letGo = useGuard(editing.isDirty)
  useSaveKey(() => void editing.save())
  const { base } = editing
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
          <Button icon="play" onClick={() => setTesting(true)}>
            Test run
          </Button>
        </>
      }
    >
      <Tabs
        label="Workflow"
        items={tabs}
        value={tab}
        onChange={(id) => setFilters({ tab: id === 'steps' ? undefined : id, version: undefined })}
      >
        {tab === 'steps' && <Steps editing={editing} sample={sample} />}
        {tab === 'settings' && <Settings editing={editing} onDeleted={letGo} />}
        {tab === 'payload' && <Schema editing={editing} sample={sample} />}
        {tab === 'versions' && <Versions editing={editing} />}
      </Tabs>
      {(editing.isDirty || editing.refusal) && <SaveBar editing={editing} />}
      {testing && <TestRun editing={editing} sample={sample} onClose={() => setTesting(false)} />}
    </Page>
  )
}

/** Switched at once: `active` is no part of a version. */
function ActiveSwitch({ editing: { base, switched } }: { editing: Editing }) {
  const [busy, setBusy] = useState(false)
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
      <Switch label="Active" checked={base.active} disabled={busy} onChange={(active) => void set(active)} />
    </div>
  )
}

/** Its buttons stand on the left: what is said about the last save comes up on the right. */
function SaveBar({ editing }: { editing: Editing }) {
  const { refusal, isSaving, isDirty, base } = editing
  const more = Object.keys(refusal?.errors ?? {}).length - 1
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-3 z-20 mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-raised px-4 py-2.5 shadow-pop"
    >
      <div className="flex gap-2">
        <Button kind="primary" busy={isSaving} disabled={!isDirty} onClick={() => void editing.save()}>
          Save
        </Button>
        <Button disabled={isSaving} onClick={editing.discard}>
          Discard
        </Button>
      </div>
      {refusal ? (
        <div role="alert" className="flex min-w-0 flex-1 basis-60 items-start gap-2 text-bad">
          <Icon name="warn" className="mt-0.5" />
          <p className="min-w-0 break-words">
            {refusal.message}
            {more > 0 && ` And ${more} more.`}
          </p>
        </div>
      ) : (
        <p className="text-muted">Not saved yet. What runs goes on with version {base.version}.</p>
      )}
    </section>
  )
}

/** Leaving the page with something unsaved is asked about. The answer lets go of it without asking. */
function useGuard(isDirty: boolean): () => void {
  const free = useRef(false)
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!isDirty || free.current || current.pathname === next.pathname) return false
      const leave = await confirm({
        title: 'Leave without saving?',
        text: 'What you changed in this workflow is lost.',
        action: 'Leave',
        danger: true,
      })
      return !leave
    },
    enableBeforeUnload: () => isDirty && !free.current,
  })
  return () => {
    free.current = true
  }
}
