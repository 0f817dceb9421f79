import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/form/form.tsx'

const fields = [
  { name: 'subscriberId', label: 'Subscriber id', hint: 'Your own id of this person. It cannot be changed later.' },
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'email', label: 'E-mail' },
  { name: 'phone', label: 'Phone', hint: 'With the country code: +49…' },
] as const
type Values = Partial<Record<(typeof fields)[number]['name'], string>>

export function NewSubscriber({ onClose }: { onClose(): void }) {
  const [values, setValues] = useState<Values>({})
  const { create, fault } = useCreate()
  const ready = Boolean(values.subscriberId?.trim())
  const submit = () => ready && create.mutate(values)
  return (
    <Dialog
      open
      title="New subscriber"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={create.isPending} disabled={!ready} onClick={submit}>
            Add subscriber
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {fault && Object.keys(fault.errors).length === 0 && (
          <div className="sm:col-span-2">
            <FaultNote fault={fault} />
          </div>
        )}
        <Inputs values={values} onChange={setValues} errorOf={(name) => fault?.of(name)} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

type InputsProps = { values: Values; onChange(values: Values): void; errorOf(name: string): string | undefined }

function Inputs({ values, onChange, errorOf }: InputsProps) {
  return (
    <>
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          {...('hint' in field && { hint: field.hint })}
          required={field.name === 'subscriberId'}
          error={errorOf(field.name)}
          className={field.name === 'subscriberId' ? 'sm:col-span-2' : ''}
        >
          <Input
            value={values[field.name] ?? ''}
            onText={(text) => onChange({ ...values, [field.name]: text })}
            autoFocus={field.name === 'subscriberId'}
          />
        </Field>
      ))}
    </>
  )
}

function useCreate() {
  const queries = useQueryClient()
  const router = useRouter()
  const create = useMutation({
    mutationFn: ({ subscriberId = '', ...values }: Values) => {
      const given = Object.entries(values).filter(([, text]) => text.trim() !== '')
      const body = { subscriberId, ...Object.fromEntries(given) }
      return api.post('/v2/subscribers', { query: { failIfExists: true }, body })
    },
    onSuccess: ({ subscriberId }) => {
      void queries.invalidateQueries({ queryKey: ['subscribers'] })
      router.history.push(paths.subscriber(subscriberId))
    },
  })
  return { create, fault: create.error && toFault(create.error) }
}
