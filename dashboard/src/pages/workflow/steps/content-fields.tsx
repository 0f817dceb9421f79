import { Field, Select } from '../../../ui/form/form.tsx'
import { LiquidField } from '../../../ui/form/liquid-field.tsx'
import { isObject, putAt, textAt, valueAt } from '../draft.ts'
import { JsonField } from '../json-field.tsx'
import { EmailFields } from './email-fields.tsx'
import { type FieldsProps, Text } from './template-text.tsx'

/** The content of a step that tells somebody something. */
export function ContentFields(props: FieldsProps) {
  switch (props.type) {
    case 'email':
      return <EmailFields {...props} />
    case 'in_app':
      return <InAppFields {...props} />
    case 'push':
      return (
        <>
          <Text {...props} path="subject" label="Title" />
          <Text {...props} path="body" label="Text" rows={4} required />
        </>
      )
    default:
      return <Text {...props} path="body" label="Text" rows={5} required />
  }
}

function InAppFields(props: FieldsProps) {
  const { values, onChange, errors } = props
  return (
    <>
      <Text {...props} path="subject" label="Subject" />
      <Text {...props} path="body" label="Body" rows={4} hint="A body or a subject is needed." />
      <Redirect {...props} path="redirect" label="A click leads to" />
      <ActionFields {...props} path="primaryAction" label="First button" />
      <ActionFields {...props} path="secondaryAction" label="Second button" />
      <Text {...props} path="avatar" label="Avatar" placeholder="https://…" />
      <JsonField
        label="Data"
        hint="An object for your own feed code. Its texts are templates too."
        value={valueAt(values, 'data')}
        onChange={(data) => onChange(putAt(values, 'data', data))}
        accepts={isObject}
        wanted="Data is an object: { … }"
        error={Object.entries(errors).find(([path]) => path.startsWith('data'))?.[1]}
      />
    </>
  )
}

const targets = [
  { value: '', label: 'as the feed decides' },
  { value: '_self', label: 'in the same tab' },
  { value: '_blank', label: 'in a new tab' },
  { value: '_parent', label: '_parent' },
  { value: '_top', label: '_top' },
  { value: '_unfencedTop', label: '_unfencedTop' },
]

type PlaceProps = FieldsProps & { path: string; label: string }

/** Without an address there is nothing to open: then the whole goes. */
function Redirect({ path, label, ...props }: PlaceProps) {
  const { values, onChange, variables, errors } = props
  const url = textAt(values, `${path}.url`)
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
      <LiquidField
        label={label}
        placeholder="/orders/{{ payload.id }}"
        value={url}
        onText={(text) => onChange(text ? putAt(values, `${path}.url`, text) : putAt(values, path, undefined))}
        variables={variables}
        error={errors[`${path}.url`]}
      />
      <Field label="Opens" error={errors[`${path}.target`]}>
        <Select
          options={targets}
          disabled={!url}
          value={textAt(values, `${path}.target`)}
          onText={(text) => onChange(putAt(values, `${path}.target`, text))}
        />
      </Field>
    </div>
  )
}

function ActionFields({ path, label, ...props }: PlaceProps) {
  const shown = textAt(props.values, `${path}.label`)
  return (
    <div className="flex flex-col gap-4">
      <Text {...props} path={`${path}.label`} label={label} placeholder="What the button says" />
      {(shown || valueAt(props.values, path) !== undefined) && (
        <Redirect {...props} path={`${path}.redirect`} label={`${label} leads to`} />
      )}
    </div>
  )
}
