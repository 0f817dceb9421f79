import { useQueries } from '@tanstack/react-query'
import { Field, Select } from '../../ui/form/form.tsx'
import { localeName } from './locales.ts'
import { missingQuery, type Resource } from './queries.ts'

type LocalePickerProps = {
  /** What the preview is made of. */
  resources: readonly Resource[]
  /** Nothing: the person's own. */
  value: string
  onChange(locale: string): void
}

/** In which language a preview is. Not there where nothing is translated. */
export function LocalePicker({ resources, value, onChange }: LocalePickerProps) {
  const found = useQueries({ queries: resources.map(missingQuery) }).flatMap(({ data }) => data ?? [])
  const locales = new Set(found.flatMap((one) => one.locales.map(({ locale }) => locale)))
  if (locales.size === 0 && !value) return null
  for (const { defaultLocale } of found) locales.add(defaultLocale)
  if (value) locales.add(value)
  return (
    <Field label="In">
      <Select
        options={[
          { value: '', label: 'their own language' },
          ...[...locales].toSorted().map((locale) => ({ value: locale, label: `${localeName(locale)} (${locale})` })),
        ]}
        value={value}
        onText={onChange}
      />
    </Field>
  )
}
