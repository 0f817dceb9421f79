import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { BodyOf } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Subscriber } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { Mono } from '../../ui/code.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'
import { JsonField, readObject } from '../../ui/form/json-field.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'

const fields = [
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'email', label: 'E-mail' },
  { name: 'phone', label: 'Phone' },
  { name: 'locale', label: 'Locale', hint: 'Such as en or de-AT.' },
  { name: 'timezone', label: 'Time zone', hint: 'Such as Europe/Berlin. Without one, schedules go by UTC.' },
  { name: 'avatar', label: 'Avatar', hint: 'A URL, for your own apps.' },
] as const
type Name = (typeof fields)[number]['name']
type Values = Record<Name, string>
type ProfilePatch = BodyOf<'patch', '/v2/subscribers/{subscriberId}'>

const zones = Intl.supportedValuesOf('timeZone')

export function ProfileTab({ person }: { person: Subscriber }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Profile person={person} />
      <Card title="Facts">
        <Facts
          items={[
            ['Added', <Time key="added" at={person.createdAt} full />],
            ['Changed', <Time key="changed" at={person.updatedAt} full />],
            ['Last online', <Time key="online" at={person.lastOnlineAt} full />],
            ['Internal id', <Mono key="id">{person._id}</Mono>],
          ]}
        />
      </Card>
    </div>
  )
}

function Profile({ person }: { person: Subscriber }) {
  const stored = Object.fromEntries(fields.map(({ name }) => [name, person[name] ?? ''])) as Values
  const storedData = person.data ? JSON.stringify(person.data, null, 2) : ''
  const [values, setValues] = useState(stored)
  const [data, setData] = useState(storedData)
  const { save, fault } = useSave(person.subscriberId)
  const read = readObject(data)
  const patch = {
    ...changesOf(stored, values),
    ...(data !== storedData && 'value' in read && { data: data.trim() ? read.value : null }),
  }
  const changed = Object.keys(patch).length > 0 || data !== storedData
  const undo = () => {
    setValues(stored)
    setData(storedData)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (changed && 'value' in read) save.mutate(patch)
  }
  return (
    <Card title="Profile">
      <form onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
        {fault && Object.keys(fault.errors).length === 0 && (
          <div className="sm:col-span-2">
            <FaultNote fault={fault} />
          </div>
        )}
        <ProfileFields values={values} onChange={setValues} errorOf={(name) => fault?.of(name)} />
        <JsonField
          label="Own data"
          hint="JSON, for templates and conditions: {{subscriber.data.plan}}"
          text={data}
          onText={setData}
          error={fault?.of('data')}
          className="sm:col-span-2"
        />
        <div className="flex gap-2 sm:col-span-2">
          <Button
            needs="subscribers"
            type="submit"
            kind="primary"
            busy={save.isPending}
            disabled={!changed || 'fault' in read}
          >
            Save profile
          </Button>
          {changed && <Button onClick={undo}>Undo changes</Button>}
        </div>
      </form>
    </Card>
  )
}

/** An emptied field is cleared. */
function changesOf(stored: Values, values: Values): Record<string, string | null> {
  const changed = fields.filter(({ name }) => values[name] !== stored[name])
  return Object.fromEntries(changed.map(({ name }) => [name, values[name].trim() || null]))
}

type ProfileFieldsProps = {
  values: Values
  onChange(values: Values): void
  errorOf(name: Name): string | undefined
}

function ProfileFields({ values, onChange, errorOf }: ProfileFieldsProps) {
  const id = useId()
  return (
    <>
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          {...('hint' in field && { hint: field.hint })}
          error={errorOf(field.name)}
          className={field.name === 'avatar' ? 'sm:col-span-2' : ''}
        >
          <Input
            value={values[field.name]}
            onText={(text) => onChange({ ...values, [field.name]: text })}
            {...(field.name === 'timezone' && { list: `${id}-zones` })}
          />
        </Field>
      ))}
      <datalist id={`${id}-zones`}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

function useSave(subscriberId: string) {
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (body: ProfilePatch) => api.patch('/v2/subscribers/{subscriberId}', { path: { subscriberId }, body }),
    onSuccess: (saved) => {
      queries.setQueryData(['subscriber', subscriberId], saved)
      void queries.invalidateQueries({ queryKey: ['subscribers'] })
      toast.ok('Profile saved')
    },
  })
  return { save, fault: save.error && toFault(save.error) }
}
