import { useId } from 'react'
import { Field, Input } from '../../ui/form/form.tsx'
import { commonLocales, localeName, readLocale } from './locales.ts'

type LocaleFieldProps = {
  label: string
  value: string
  onText(text: string): void
  error?: string | undefined
  autoFocus?: boolean
}

/** A language, typed or chosen. Says which one it is. */
export function LocaleField({ label, value, onText, error, autoFocus }: LocaleFieldProps) {
  const id = useId()
  const locale = readLocale(value)
  const name = locale ? localeName(locale) : ''
  const isNamed = name !== '' && name !== locale?.replaceAll('_', '-')
  return (
    <>
      <Field label={label} hint={isNamed ? name : 'Such as de, de_AT or pt_BR.'} error={error}>
        <Input list={id} value={value} onText={onText} maxLength={35} {...(autoFocus && { autoFocus })} />
      </Field>
      <datalist id={id}>
        {commonLocales.map((one) => (
          <option key={one} value={one}>
            {localeName(one)}
          </option>
        ))}
      </datalist>
    </>
  )
}
