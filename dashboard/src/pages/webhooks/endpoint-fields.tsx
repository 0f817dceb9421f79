import type { ApiFault } from '../../api/fault.ts'
import { Field, Input } from '../../ui/form/form.tsx'
import { type Draft, draftFault } from './draft.ts'
import { EventFilter } from './event-filter.tsx'

type EndpointFieldsProps = { draft: Draft; fault: ApiFault | null; isNew?: boolean; onChange(draft: Draft): void }

/** The fields of an endpoint, new or old. */
export function EndpointFields({ draft, fault, isNew = false, onChange }: EndpointFieldsProps) {
  return (
    <>
      <Field label="URL" required hint="Where we post to, by http or https." error={fault?.of('url')}>
        <Input
          type="url"
          value={draft.url}
          autoFocus={isNew}
          placeholder="https://hooks.example.com/tidings"
          maxLength={2048}
          onText={(url) => onChange({ ...draft, url })}
        />
      </Field>
      <Field label="Description" hint="Who listens there." error={fault?.of('description')}>
        <Input
          value={draft.description}
          maxLength={500}
          onText={(description) => onChange({ ...draft, description })}
        />
      </Field>
      <EventFilter
        wanted={draft.wanted}
        error={fault?.of('eventTypes') ?? draftFault(draft) ?? undefined}
        onChange={(wanted) => onChange({ ...draft, wanted })}
      />
    </>
  )
}

/** Whether the fields themselves say what is wrong. */
export const isOfField = (fault: ApiFault) =>
  ['url', 'description', 'eventTypes'].some((name) => fault.of(name) !== undefined)
