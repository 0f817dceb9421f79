import { useQuery } from '@tanstack/react-query'
import type { Api } from '../../../api/calls.ts'
import type { ChangeActor, ListedEnvironment } from '../../../api/types.ts'
import { useMay } from '../../../lib/may.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/form/form.tsx'
import { Toolbar } from '../../../ui/page.tsx'
import { actorWords } from '../actor.ts'
import { type ChangeFilters, everywhere, type Filters, type RecordQuery, ranges } from './filter.ts'
import { resources } from './words.ts'

type FilterBarProps = {
  filters: Filters
  query: RecordQuery
  environments: readonly ListedEnvironment[]
  /** Of the environment whose record is read. */
  from: Api
  /** Whose story it is, where it is one thing's. */
  subject: string | undefined
  onChange: ChangeFilters
}

export function FilterBar({ filters, query, environments, from, subject, onChange }: FilterBarProps) {
  const { environment: here } = useSession()
  const mayAll = useMay('organizationRecord')
  const { data: actors = [] } = useQuery({
    queryKey: ['record-actors', filters.environment ?? ''],
    queryFn: async ({ signal }) => (await from.get('/v1/changes/actors', { query: { of: query.of }, signal })).data,
  })
  const others = environments.filter(({ slug }) => slug !== here.slug)
  const days = filters.range === 'days'
  return (
    <Toolbar>
      <Choice label="Who" value={filters.who} any="Anybody" onText={(who) => onChange({ who })}>
        {actors.map((actor) => ({ value: actor.id, label: nameOf(actor) }))}
      </Choice>
      <Choice label="What" value={filters.what} any="Anything" onText={(what) => onChange({ what })}>
        {resources}
      </Choice>
      {(mayAll || others.length > 0) && (
        <Choice
          label="Where"
          value={filters.environment}
          any={here.name}
          onText={(environment) => onChange({ environment, who: undefined })}
        >
          {[
            ...others.map(({ slug, name }) => ({ value: slug, label: name })),
            ...(mayAll ? [{ value: everywhere, label: 'The whole organization' }] : []),
          ]}
        </Choice>
      )}
      <Field label="Time" hideLabel>
        <Select
          value={filters.range ?? ''}
          options={ranges}
          onText={(range) => onChange({ range, since: undefined, until: undefined })}
        />
      </Field>
      {days && (
        <>
          <Day label="From" value={filters.since} onText={(since) => onChange({ since })} />
          <Day label="To" value={filters.until} onText={(until) => onChange({ until })} />
        </>
      )}
      {filters.subjectId && (
        <Button icon="close" onClick={() => onChange({ subjectType: undefined, subjectId: undefined })}>
          Only {subject ?? 'one thing'}
        </Button>
      )}
    </Toolbar>
  )
}

const nameOf = ({ type, name }: ChangeActor) => (type === 'person' ? name : `${name} (${actorWords[type]})`)

type ChoiceProps = {
  label: string
  any: string
  value: string | undefined
  onText(value: string): void
  children: readonly { value: string; label: string }[]
}

/** What an address names and the list does not know is an entry of its own. */
function Choice({ label, any, value = '', onText, children }: ChoiceProps) {
  const own = value === '' || children.some((it) => it.value === value) ? [] : [{ value, label: value }]
  return (
    <Field label={label} hideLabel className="max-w-56">
      <Select value={value} onText={onText} options={[{ value: '', label: any }, ...own, ...children]} />
    </Field>
  )
}

function Day({ label, value = '', onText }: { label: string; value: string | undefined; onText(day: string): void }) {
  return (
    <Field label={label} hideLabel>
      <Input type="date" value={value} onText={onText} />
    </Field>
  )
}
