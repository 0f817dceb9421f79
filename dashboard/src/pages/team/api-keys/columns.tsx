import type { ApiKey } from '../../../api/types.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Time } from '../../../ui/time.tsx'
import { actorWords } from '../actor.ts'
import { Revoke } from './revoke.tsx'
import { scopeWords, stateOf } from './words.ts'

/** Two lines: what it is, and what there is to know about it. */
function Two({ first, second }: { first: React.ReactNode; second: React.ReactNode }) {
  return (
    <span className="min-w-0">
      <span className="block truncate">{first}</span>
      <span className="block truncate text-xs text-muted">{second}</span>
    </span>
  )
}

export const columnsOf = (here: string, onChange: () => Promise<void>): Column<ApiKey>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    cell: (key) => <Two first={<Name apiKey={key} />} second={<About apiKey={key} here={here} />} />,
  },
  {
    id: 'scope',
    header: 'May do',
    from: 'sm',
    cell: ({ scope, reach }) => <Two first={scopeWords[scope].label} second={placeOf(reach, here)} />,
  },
  {
    id: 'created',
    header: 'Made',
    from: 'md',
    cell: ({ createdAt, createdBy, bootstrap }) => (
      <Two first={<Time at={createdAt} />} second={makerOf(createdBy, bootstrap)} />
    ),
  },
  { id: 'used', header: 'Last used', from: 'md', width: '7rem', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { id: 'state', header: 'State', from: 'sm', width: '7rem', cell: (key) => <State apiKey={key} /> },
  {
    id: 'actions',
    header: 'Actions',
    width: '5.5rem',
    align: 'right',
    cell: (key) => (key.revokedAt ? null : <Revoke apiKey={key} onChange={onChange} />),
  },
]

function makerOf(by: ApiKey['createdBy'], bootstrap: boolean): string {
  if (bootstrap) return 'by the operator'
  if (!by) return ''
  return by.type === 'person' ? `by ${by.name}` : `by ${by.name} (${actorWords[by.type]})`
}

function Name({ apiKey }: { apiKey: ApiKey }) {
  const state = stateOf(apiKey)
  const isOver = state !== 'active'
  return (
    <span className="flex items-center gap-2">
      <span className={`truncate ${isOver ? 'text-muted line-through' : 'font-medium'}`}>{apiKey.name}</span>
      {isOver && <span className="sr-only">{state}</span>}
      {apiKey.current && <Badge tone="info">signed in with</Badge>}
    </span>
  )
}

const placeOf = (reach: ApiKey['reach'], here: string) =>
  reach === 'organization' ? 'the whole organization' : `in ${here}`

/** A phone has no column for what it may do. */
function About({ apiKey: { note, id, scope, reach }, here }: { apiKey: ApiKey; here: string }) {
  return (
    <>
      <span className="sm:hidden">
        {scopeWords[scope].label}, {placeOf(reach, here)}
      </span>
      <span className="max-sm:hidden" title={note}>
        {note ?? <span className="font-mono">{id}</span>}
      </span>
    </>
  )
}

function State({ apiKey }: { apiKey: ApiKey }) {
  const state = stateOf(apiKey)
  const { expiresAt } = apiKey
  const badge = <Badge tone={state === 'active' ? 'ok' : 'neutral'}>{state}</Badge>
  if (state !== 'active' || !expiresAt) return badge
  return (
    <Two
      first={badge}
      second={
        <>
          ends <Time at={expiresAt} />
        </>
      }
    />
  )
}
