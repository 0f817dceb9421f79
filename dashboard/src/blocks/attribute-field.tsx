import { useId } from 'react'
import type { Variable } from '../ui/form/completion.ts'
import { Checkbox, Field, Input, Select } from '../ui/form/form.tsx'
import { LiquidField } from '../ui/form/liquid-field.tsx'
import { useReadOnly } from '../ui/form/read-only.tsx'
import type { FieldSpec } from './editing/fields.ts'
import { textOf, type Values } from './schema/stored.ts'

type AttributeFieldProps = {
  field: FieldSpec
  attrs: Values
  variables: readonly Variable[]
  /** Undefined takes an attribute away. */
  onChange(changes: Values): void
}

/** One attribute of a block. */
export function AttributeField(props: AttributeFieldProps) {
  switch (props.field.kind) {
    case 'template':
      return <TemplateField {...props} />
    case 'path':
    case 'list':
      return <PathField {...props} />
    case 'number':
      return <NumberField {...props} />
    case 'color':
      return <ColorField {...props} />
    case 'choice':
      return <ChoiceField {...props} />
    case 'sides':
      return <SidesField {...props} />
  }
}

const hintOf = ({ hint }: FieldSpec) => (hint ? { hint } : {})

// A name such as payload.url, and nothing else.
const looksLikePath = /^[a-z]\w*(\.\w+)+$/i

function TemplateField({ field, attrs, variables, onChange }: AttributeFieldProps) {
  const { name, label, flag, placeholder } = field
  const value = textOf(attrs[name])
  const isFlagged = flag !== undefined && attrs[flag] === true
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <LiquidField
        label={label}
        value={value}
        onText={(text) => onChange({ [name]: text })}
        variables={variables}
        {...(placeholder && { placeholder })}
        {...hintOf(field)}
      />
      {flag && (isFlagged || looksLikePath.test(value)) && (
        <Checkbox
          className="text-sm"
          label="This is the name of a variable"
          checked={isFlagged}
          onChange={(event) => onChange({ [flag]: event.target.checked || undefined })}
        />
      )}
    </div>
  )
}

/** Without braces: the whole of it is a name. */
function PathField({ field, attrs, variables, onChange }: AttributeFieldProps) {
  const id = useId()
  const { name, label, placeholder } = field
  return (
    <Field label={label} {...hintOf(field)}>
      <Input
        list={`${id}-names`}
        className="font-mono text-sm"
        value={textOf(attrs[name])}
        onText={(text) => onChange({ [name]: text || undefined })}
        {...(placeholder && { placeholder })}
      />
      <datalist id={`${id}-names`}>
        {variables.map((variable) => (
          <option key={variable.name} value={variable.name}>
            {variable.type ?? variable.about}
          </option>
        ))}
      </datalist>
    </Field>
  )
}

function NumberField({ field, attrs, onChange }: AttributeFieldProps) {
  const { name, label, unit } = field
  const value = textOf(attrs[name])
  // Documents may say it in words: `sm`, `auto`, `50%`.
  const isNumber = value === '' || /^\d+(\.\d+)?$/.test(value)
  return (
    <Field label={unit ? `${label} (${unit})` : label} {...hintOf(field)}>
      <Input
        {...(isNumber && { type: 'number', min: 0 })}
        value={value}
        onText={(text) =>
          onChange({ [name]: text === '' ? undefined : Number.isNaN(Number(text)) ? text : Number(text) })
        }
      />
    </Field>
  )
}

function ColorField({ field, attrs, onChange }: AttributeFieldProps) {
  const { name, label } = field
  const value = textOf(attrs[name])
  return (
    <Field label={label} {...hintOf(field)}>
      <div className="flex items-center gap-2">
        <input
          type="color"
          aria-label={`${label}: choose`}
          value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#808080'}
          disabled={useReadOnly()}
          onChange={(event) => onChange({ [name]: event.target.value })}
          className="block-swatch"
        />
        <Input
          aria-label={label}
          className="font-mono text-sm"
          placeholder="as usual"
          value={value}
          onText={(text) => onChange({ [name]: text || undefined })}
        />
      </div>
    </Field>
  )
}

function ChoiceField({ field, attrs, onChange }: AttributeFieldProps) {
  const { name, label, options = [] } = field
  const value = textOf(attrs[name])
  const first = options[0]?.[0] ?? ''
  const known = options.map(([id, words]) => ({ value: id, label: words }))
  const isKnown = value === '' || known.some((option) => option.value === value)
  const set = (text: string) => onChange({ [name]: text === '' ? undefined : name === 'level' ? Number(text) : text })
  return (
    <Field label={label} {...hintOf(field)}>
      <Select options={isKnown ? known : [...known, value]} value={value || first} onText={set} />
    </Field>
  )
}

const sides = [
  ['Top', '↑'],
  ['Right', '→'],
  ['Bottom', '↓'],
  ['Left', '←'],
] as const

function SidesField({ field, attrs, onChange }: AttributeFieldProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">
        {field.label} ({field.unit})
      </legend>
      <div className="grid grid-cols-4 gap-1">
        {sides.map(([side, arrow]) => {
          const name = field.name + side
          return (
            <Input
              key={side}
              type="number"
              min={0}
              aria-label={`${field.label}, ${side.toLowerCase()}`}
              title={side}
              placeholder={arrow}
              className="px-1.5!"
              value={textOf(attrs[name])}
              onText={(text) => onChange({ [name]: text === '' ? undefined : Number(text) })}
            />
          )
        })}
      </div>
    </fieldset>
  )
}
