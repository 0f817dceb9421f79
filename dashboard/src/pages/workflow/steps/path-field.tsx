import { Field, Input } from '../../../ui/form/form.tsx'
import { putAt, textAt } from '../draft.ts'
import type { FieldsProps } from './template-text.tsx'

type PathFieldProps = FieldsProps & {
  path: string
  label: string
  hint: string
  placeholder: string
  required?: boolean
}

/** A value in the words of a machine: a path into the payload, or a cron expression. */
export function PathField({ path, label, hint, placeholder, required, values, onChange, errors }: PathFieldProps) {
  return (
    <Field label={label} hint={hint} error={errors[path]} {...(required && { required })}>
      <Input
        className="font-mono text-sm"
        placeholder={placeholder}
        value={textAt(values, path)}
        onText={(text) => onChange(putAt(values, path, text))}
      />
    </Field>
  )
}

export function CronField(props: FieldsProps) {
  const hint = 'Minute, hour, day, month, weekday, by the clock of the person.'
  return <PathField {...props} path="cron" label="Cron expression" hint={hint} placeholder="0 9 * * MON-FRI" required />
}
