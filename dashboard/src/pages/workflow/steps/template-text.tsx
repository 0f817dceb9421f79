import type { Variable } from '../../../ui/form/completion.ts'
import { LiquidField } from '../../../ui/form/liquid-field.tsx'
import { putAt, type StepType, textAt, type Values } from '../draft.ts'

export type FieldsProps = {
  type: StepType
  values: Values
  onChange(values: Values): void
  variables: readonly Variable[]
  /** What is wrong, by path in controlValues. */
  errors: Readonly<Record<string, string>>
}

type TextProps = FieldsProps & {
  path: string
  label: string
  rows?: number
  required?: boolean
  hint?: string
  placeholder?: string
}

/** One template of the values. */
export function Text({
  path,
  label,
  values,
  onChange,
  variables,
  errors,
  rows,
  required,
  hint,
  placeholder,
}: TextProps) {
  return (
    <LiquidField
      label={label}
      value={textAt(values, path)}
      onText={(text) => onChange(putAt(values, path, text))}
      variables={variables}
      error={errors[path]}
      {...(rows && { rows })}
      {...(required && { required })}
      {...(hint && { hint })}
      {...(placeholder && { placeholder })}
    />
  )
}
