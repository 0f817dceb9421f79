import type { ReactNode } from 'react'
import type { StepVariant } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { IfEditable, useReadOnly } from '../../../ui/form/read-only.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import { type Step, type Values, without } from '../draft.ts'
import { Conditions } from './conditions.tsx'

type VariantPickerProps = {
  step: Step
  variant: number | null
  onVariant(index: number | null): void
  onChange(step: Step): void
}

const most = 20
const nameOf = ({ name }: StepVariant, index: number) => name ?? `Variant ${index + 1}`

/** Which content is being written: the step's own, or that of a variant. */
export function VariantPicker({ step, variant, onVariant, onChange }: VariantPickerProps) {
  const { variants } = step
  const isReadOnly = useReadOnly()
  const add = () => {
    const controlValues = structuredClone(step.controlValues)
    const one = { name: `Variant ${variants.length + 1}`, filters: [], controlValues }
    onChange({ ...step, variants: [...variants, one] })
    onVariant(variants.length)
  }
  const items = [
    { id: 'own', label: 'Everybody else' },
    ...variants.map((one, index) => ({ id: String(index), label: nameOf(one, index) })),
  ]
  if (isReadOnly && variants.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      {variants.length > 0 && (
        <div className="max-w-full overflow-x-auto">
          <Segments
            label="Content"
            items={items}
            value={variant === null ? 'own' : String(variant)}
            onChange={(id) => onVariant(id === 'own' ? null : Number(id))}
          />
        </div>
      )}
      {variants.length < most && (
        <IfEditable>
          <Button size="sm" icon="plus" onClick={add} title="Another content for some people or payloads">
            Variant
          </Button>
        </IfEditable>
      )}
    </div>
  )
}

type VariantFieldsProps = {
  step: Step
  at: number
  onChange(step: Step): void
  onVariant(index: number | null): void
  children(values: Values, setValues: (values: Values) => void): ReactNode
}

export function VariantFields({ step, at, onChange, onVariant, children }: VariantFieldsProps) {
  const variant = step.variants[at]
  if (!variant) return null
  const set = (next: StepVariant) =>
    onChange({ ...step, variants: step.variants.map((one, index) => (index === at ? next : one)) })
  const sooner = () => {
    const variants = [...step.variants]
    variants.splice(at, 1)
    variants.splice(at - 1, 0, variant)
    onChange({ ...step, variants })
    onVariant(at - 1)
  }
  const remove = () => {
    onVariant(null)
    onChange({ ...step, variants: step.variants.filter((_, index) => index !== at) })
  }
  return (
    <>
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Name of the variant" className="min-w-40 flex-1">
          <Input
            value={variant.name ?? ''}
            onText={(name) => set(name ? { ...variant, name } : without(variant, 'name'))}
          />
        </Field>
        <IfEditable>
          {at > 0 && <Button onClick={sooner}>Try earlier</Button>}
          <Button kind="danger" onClick={remove}>
            Remove
          </Button>
        </IfEditable>
      </div>
      <section className="flex flex-col gap-3">
        <h3>For whom</h3>
        <p className="text-sm text-muted">Variants are tried in their order; the first that fits is sent whole.</p>
        <Conditions
          filters={variant.filters}
          onChange={(filters) => set({ ...variant, filters })}
          none="Without conditions it always fits."
        />
      </section>
      <h3>What they get</h3>
      {children(variant.controlValues, (controlValues) => set({ ...variant, controlValues }))}
    </>
  )
}
