import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { WorkflowVersion } from '../../../api/types.ts'
import { useFilters } from '../../../lib/filters.ts'
import { useKeys } from '../../../lib/keys.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.ts'
import { TextLink } from '../../../ui/anchor.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Json } from '../../../ui/code.tsx'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { DiffView } from '../../../ui/diff-view.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { IfEditable } from '../../../ui/form/read-only.tsx'
import { SkeletonLines } from '../../../ui/spinner.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { actorWords } from '../../team/actor.ts'
import { type Draft, toInput } from '../draft.ts'
import type { Editing } from '../use-editing.ts'
import { diffWorkflows } from './diff.ts'
import { folded } from './fold.ts'

/** All versions, and what each changed. */
export function Versions({ editing }: { editing: Editing }) {
  const { base } = editing
  const [filters, setFilters] = useFilters<'version'>()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['workflow-versions', base._id],
    queryFn: ({ pageParam, signal }) =>
      api.get('/v2/workflows/{workflowId}/versions', {
        path: { workflowId: base._id },
        query: { limit: 20, before: pageParam },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.hasMore ? page.data.at(-1)?.version : undefined),
  })
  if (error) return <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={6} />
  const versions = data.pages.flatMap((page) => page.data)
  const at = Math.max(
    0,
    versions.findIndex(({ version }) => String(version) === filters.version),
  )
  const [chosen, before] = [versions[at], versions[at + 1]]
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <Card flush className="overflow-hidden">
        <VersionList
          versions={versions}
          chosen={chosen}
          onChoose={(version) => setFilters({ version: String(version) })}
        />
        {hasNextPage && (
          <Button kind="quiet" className="w-full" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older versions
          </Button>
        )}
      </Card>
      {chosen && <VersionCard key={chosen.version} chosen={chosen} before={before} editing={editing} />}
    </div>
  )
}

type VersionListProps = {
  versions: readonly WorkflowVersion[]
  chosen: WorkflowVersion | undefined
  onChoose(version: number): void
}

function VersionList({ versions, chosen, onChoose }: VersionListProps) {
  const walk = (by: number) => {
    const at = versions.findIndex(({ version }) => version === chosen?.version)
    const next = versions[Math.min(versions.length - 1, Math.max(0, at + by))]
    if (next) onChoose(next.version)
  }
  useKeys({ j: () => walk(1), k: () => walk(-1) })
  return (
    <ul className="max-h-[30vh] overflow-y-auto lg:max-h-[70vh]">
      {versions.map(({ version, current, createdAt, createdBy, publication }) => (
        <li key={version} className="border-b border-line last:border-0">
          <button
            type="button"
            aria-current={version === chosen?.version}
            onClick={() => onChoose(version)}
            className={`flex w-full flex-col gap-0.5 px-4 py-2.5 text-left focus-visible:-outline-offset-2 ${
              version === chosen?.version ? 'bg-accent-soft' : 'hover:bg-hover'
            }`}
          >
            <span className="flex items-center gap-2 font-medium">
              Version {version}
              {current && <Badge tone="ok">current</Badge>}
            </span>
            <span className="text-sm text-muted">
              {createdAt ? <Time at={createdAt} /> : 'time not recorded'}
              {createdBy && `, by ${createdBy.name}`}
            </span>
            {publication && <span className="text-sm text-muted">{cameBy(publication)}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}

type CameBy = NonNullable<WorkflowVersion['publication']>

function cameBy({ sourceName, restored }: CameBy): string {
  if (restored) return 'put back'
  return sourceName ? `published from ${sourceName}` : 'published'
}

type VersionCardProps = { chosen: WorkflowVersion; before: WorkflowVersion | undefined; editing: Editing }

function VersionCard({ chosen, before, editing }: VersionCardProps) {
  const [view, setView] = useState<'before' | 'current' | 'json'>('before')
  const items = [
    { id: 'before', label: 'What it changed' },
    ...(chosen.current ? [] : [{ id: 'current' as const, label: 'Against the current' }]),
    { id: 'json', label: 'JSON' },
  ] as const
  return (
    <Card
      title={`Version ${chosen.version}`}
      actions={
        !chosen.current && (
          <IfEditable>
            <PutBack chosen={chosen} editing={editing} />
          </IfEditable>
        )
      }
    >
      <Origin version={chosen} />
      <div className="mb-4 max-w-full overflow-x-auto">
        <Segments label="View" items={items} value={view} onChange={setView} />
      </div>
      {view === 'json' && <Json label={`Version ${chosen.version}`} value={chosen.workflow} maxHeight="60vh" />}
      {view === 'before' &&
        (before ? (
          <Changes from={before.workflow} to={chosen.workflow} />
        ) : (
          <p className="text-muted">
            {chosen.version === 1 ? 'The first version.' : 'Read older versions to compare.'}
          </p>
        ))}
      {view === 'current' && <AgainstCurrent chosen={chosen} editing={editing} />}
    </Card>
  )
}

/** Who signed it, and the publication it came by. */
function Origin({ version: { createdAt, createdBy, publication } }: { version: WorkflowVersion }) {
  const { environment } = useSession()
  if (!createdBy && !publication) return null
  return (
    <p className="mb-4 flex flex-wrap gap-x-1.5 text-muted">
      {createdBy && (
        <span>
          By <span className="font-medium text-ink">{createdBy.name}</span>
          {createdBy.type && ` (${actorWords[createdBy.type]})`},
        </span>
      )}
      {createdAt && <Time at={createdAt} full />}
      {publication && (
        <TextLink href={paths.publication(environment.slug, publication._id)}>{cameBy(publication)}</TextLink>
      )}
    </p>
  )
}

function AgainstCurrent({ chosen, editing }: { chosen: WorkflowVersion; editing: Editing }) {
  // The stored one: what is being written is not a version yet.
  return <Changes from={chosen.workflow} to={editing.base} />
}

function Changes({ from, to }: { from: Draft; to: Draft }) {
  const changes = useMemo(
    () =>
      diffWorkflows(from, to).map(({ fields, ...place }) => ({
        ...place,
        fields: fields.map(({ path, lines }) => ({ path, lines: folded(lines) })),
      })),
    [from, to],
  )
  if (changes.length === 0) return <p className="text-muted">Nothing is different.</p>
  return <DiffView changes={changes} />
}

function PutBack({ chosen, editing }: { chosen: WorkflowVersion; editing: Editing }) {
  const [busy, setBusy] = useState(false)
  const putBack = async () => {
    const sure = await confirm({
      title: `Put version ${chosen.version} back?`,
      text: editing.isDirty
        ? 'It becomes the newest version. What you have not saved is lost.'
        : 'It becomes the newest version; none is lost. What runs already goes on with the version it began with.',
      action: 'Put it back',
    })
    if (!sure) return
    setBusy(true)
    try {
      const saved = await api.put('/v2/workflows/{workflowId}', {
        path: { workflowId: editing.base._id },
        body: toInput(chosen.workflow),
      })
      editing.adopt(saved)
      toast.ok(`Version ${chosen.version} is back, as version ${saved.version}`)
    } catch (error) {
      toast.fault(error)
    }
    setBusy(false)
  }
  return (
    <Button size="sm" busy={busy} onClick={() => void putBack()}>
      Put it back
    </Button>
  )
}
