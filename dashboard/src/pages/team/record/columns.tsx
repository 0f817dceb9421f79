import type { ChangeRecord, ListedEnvironment } from '../../../api/types.ts'
import { EnvironmentDot } from '../../../ui/environment.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Time } from '../../../ui/time.tsx'
import { actorWords } from '../actor.ts'
import { fieldsOf, sentenceOf } from './words.ts'

export function changeColumns(environments: readonly ListedEnvironment[], isAll: boolean): Column<ChangeRecord>[] {
  return [
    {
      id: 'who',
      header: 'Who',
      from: 'sm',
      cell: ({ actor }) => (
        <span className="min-w-0">
          <span className="block truncate">{actor.name}</span>
          {actor.type !== 'person' && (
            <span className="block truncate text-xs text-muted">{actorWords[actor.type]}</span>
          )}
        </span>
      ),
    },
    { id: 'what', header: 'What', width: 'minmax(0, 3fr)', opens: true, cell: (change) => <What change={change} /> },
    ...(isAll
      ? [{ id: 'where', header: 'Where', width: '9rem', from: 'md' as const, cell: whereOf(environments) }]
      : []),
    { id: 'when', header: 'When', width: '7rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
}

function What({ change }: { change: ChangeRecord }) {
  const { did, what } = sentenceOf(change)
  return (
    <span className="min-w-0">
      <span className="block truncate">
        {did} <span className="font-medium">{what}</span>
      </span>
      <span className="block truncate text-xs text-muted">
        <span className="sm:hidden">by {change.actor.name}</span>
        <span className="max-sm:hidden">{fieldsOf(change)}</span>
      </span>
    </span>
  )
}

const whereOf = (environments: readonly ListedEnvironment[]) =>
  function Where({ environmentId }: ChangeRecord) {
    return <Place environment={environments.find(({ _id }) => _id === environmentId)} id={environmentId} />
  }

export function Place({ environment, id }: { environment: ListedEnvironment | undefined; id: string | undefined }) {
  if (!environment) return <span className="text-muted">{id ? 'an environment that is gone' : 'the organization'}</span>
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <EnvironmentDot color={environment.color} />
      <span className="truncate">{environment.name}</span>
    </span>
  )
}
