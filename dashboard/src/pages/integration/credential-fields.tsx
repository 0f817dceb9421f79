import type { ApiFault } from '../../api/fault.ts'
import type { CredentialField, Provider } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select, Switch, Textarea } from '../../ui/form/form.tsx'
import { JsonField } from '../../ui/form/json-field.tsx'
import { type Draft, secretsToRepeat, textOf } from './draft.ts'
import { MakeKeys } from './make-keys.tsx'

type CredentialFieldsProps = {
  provider: Provider
  stored: Record<string, unknown>
  draft: Draft
  onChange(draft: Draft): void
  fault: ApiFault | null
}

/** Made from the provider's declaration alone: what is required comes first. */
export function CredentialFields({ provider, stored, draft, onChange, fault }: CredentialFieldsProps) {
  const fields = provider.credentials.toSorted((a, b) => Number(b.required) - Number(a.required))
  if (fields.length === 0) return <p className="text-muted">This provider needs no credentials.</p>
  const edit = (name: string, value: string | boolean | null | undefined) => {
    const { [name]: _, ...others } = draft.edits
    onChange({ ...draft, edits: value === undefined ? others : { ...others, [name]: value } })
  }
  const repeat = secretsToRepeat(provider, draft, stored)
  const errorOf = (name: string) =>
    repeat.includes(name)
      ? 'Enter this again, because the address changed: a stored secret is not sent to a new place.'
      : fault?.of(`credentials.${name}`)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            isLong={isLong(provider, field)}
            text={textOf(field, draft, stored)}
            stored={stored[field.name]}
            edit={draft.edits[field.name]}
            onEdit={(value) => edit(field.name, value)}
            error={errorOf(field.name)}
          />
        ))}
      </div>
      {provider.providerId === 'web-push' && (
        <MakeKeys draft={draft} onChange={onChange} hasKeys={stored.apiKey !== undefined} />
      )}
    </>
  )
}

/** Whole files, of several lines, which a line of input would cut. */
function isLong({ providerId }: Provider, { name }: CredentialField): boolean {
  const hasKeyFile = providerId === 'apns' || providerId === 'nodemailer'
  return name === 'serviceAccount' || (hasKeyFile && name === 'secretKey')
}

type OneFieldProps = {
  field: CredentialField
  isLong: boolean
  text: string
  stored: unknown
  edit: string | boolean | null | undefined
  onEdit(value: string | boolean | null | undefined): void
  error: string | undefined
}

function OneField({ field, isLong, text, stored, edit, onEdit, error }: OneFieldProps) {
  const { label, kind, secret, required } = field
  const hint = field.help && { hint: field.help }
  if (kind === 'flag') {
    return (
      <div className={field.help ? 'self-start' : 'self-end pb-1.5'}>
        <Switch label={label} {...hint} checked={(edit ?? stored) === true} onChange={onEdit} />
      </div>
    )
  }
  if (secret) return <SecretField {...{ field, isLong, text, stored, edit, onEdit, error }} />
  if (kind === 'object') {
    return (
      <JsonField
        label={label}
        hint={`A JSON object. ${field.help ?? ''}`}
        text={text}
        onText={onEdit}
        error={error}
        className="sm:col-span-2"
        rows={4}
      />
    )
  }
  return (
    <Field label={label} required={required} error={error} {...hint}>
      {kind === 'choice' ? (
        <Select
          value={text}
          onText={onEdit}
          options={[{ value: '', label: required ? 'Choose one' : 'Usual' }, ...(field.values ?? [])]}
        />
      ) : (
        <Input value={text} onText={onEdit} {...placeholders[kind]} />
      )}
    </Field>
  )
}

const placeholders = {
  text: {},
  url: { placeholder: 'https://', inputMode: 'url' },
  host: { placeholder: 'smtp.example.com' },
  port: { placeholder: '587', inputMode: 'numeric' },
} as const

/** A stored secret is never shown: it stays, is replaced, or is cleared. */
function SecretField({ field, isLong, text, stored, edit, onEdit, error }: OneFieldProps) {
  const isStored = stored !== undefined && edit !== null
  const mask = typeof stored === 'string' ? stored : '••••'
  const control = {
    value: text,
    onText: (value: string) => onEdit(value || undefined),
    placeholder: isStored ? `${mask} (kept)` : '',
  }
  return (
    <div className={`flex min-w-0 items-start gap-1 ${isLong ? 'sm:col-span-2' : ''}`}>
      <Field
        label={field.label}
        required={field.required}
        error={error}
        className="flex-1"
        {...(field.help && { hint: field.help })}
      >
        {isLong ? (
          <Textarea rows={4} className="font-mono text-xs!" {...control} />
        ) : (
          <Input type="password" autoComplete="new-password" {...control} />
        )}
      </Field>
      {stored !== undefined && !field.required && (
        <Button
          needs="credentials"
          kind="quiet"
          className="mt-[26px]"
          onClick={() => onEdit(edit === null ? undefined : null)}
        >
          {edit === null ? 'Keep' : 'Clear'}
        </Button>
      )}
    </div>
  )
}
