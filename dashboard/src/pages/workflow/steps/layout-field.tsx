import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../lib/paths.ts'
import { TextLink } from '../../../ui/anchor.tsx'
import { Field, Select } from '../../../ui/form/form.tsx'
import { layoutsQuery } from '../../layouts/queries.ts'
import { choiceOf, choicesOf, layoutOf, withChoice } from './layout-choice.ts'
import type { FieldsProps } from './template-text.tsx'

/** The layout around the mail. */
export function LayoutField({ values, onChange, errors }: Pick<FieldsProps, 'values' | 'onChange' | 'errors'>) {
  const { data: layouts = [] } = useQuery(layoutsQuery)
  const layout = layoutOf(layouts, values)
  return (
    <Field
      label="Layout"
      error={errors.layoutId}
      hint={
        layout ? (
          <TextLink href={paths.layout(layout.layoutId)}>Open {layout.name}</TextLink>
        ) : (
          'The mail is sent as it is written here.'
        )
      }
    >
      <Select
        options={choicesOf(layouts, values)}
        value={choiceOf(values)}
        onText={(choice) => onChange(withChoice(values, choice))}
      />
    </Field>
  )
}
