import { useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import type { Variable } from '../../../ui/form/completion.ts'
import { Field, Input } from '../../../ui/form/form.tsx'
import { IfEditable } from '../../../ui/form/read-only.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { Step } from '../draft.ts'
import { Conditions } from './conditions.tsx'
import { ContentFields } from './content-fields.tsx'
import { StepOptions } from './step-options.tsx'
import { isChannelStep, stepIcon, stepName } from './step-types.ts'
import type { FieldsProps } from './template-text.tsx'
import { VariantFields, VariantPicker } from './variants.tsx'
import { WaitFields } from './wait-fields.tsx'

export type StepPaneProps = {
  step: Step
  earlier: readonly Step[]
  onChange(step: Step): void
  onRename(stepId: string): void
  onRemove(): void
  onDuplicate(): void
  onBack?: (() => void) | undefined
  variables: readonly Variable[]
  /** By path in the step: what saving found. */
  faults: Readonly<Record<string, string>>
  /** By path in controlValues: what the preview found. */
  errors: Readonly<Record<string, string>>
  variant: number | null
  onVariant(index: number | null): void
}

/** One step: what it says, when it runs, and the rest. */
export function StepPane(props: StepPaneProps) {
  const { step, onChange, onBack } = props
  const [tab, setTab] = useState<'content' | 'conditions' | 'options'>('content')
  const conditions = step.filters.length + (step.when ? 1 : 0)
  const tabs = [
    { id: 'content', label: isChannelStep(step.type) ? 'Content' : 'Timing' },
    { id: 'conditions', label: conditions > 0 ? `Conditions (${conditions})` : 'Conditions' },
    { id: 'options', label: 'Options' },
  ] as const
  return (
    <Card>
      {onBack && (
        <Button size="sm" kind="quiet" icon="left" onClick={onBack} className="-mt-1 -ml-2 mb-2">
          All steps
        </Button>
      )}
      <Head {...props} />
      <Tabs label={`Step ${step.name}`} items={tabs} value={tab} onChange={setTab}>
        {tab === 'content' && <Content {...props} />}
        {tab === 'conditions' && (
          <div className="flex flex-col gap-6">
            <section className="flex flex-col gap-3">
              <h3>By person and payload</h3>
              <Conditions
                filters={step.filters}
                onChange={(filters) => onChange({ ...step, filters })}
                none="It runs for everybody, whatever the payload."
              />
            </section>
            <StepOptions part="when" {...props} />
          </div>
        )}
        {tab === 'options' && <StepOptions part="rest" {...props} />}
      </Tabs>
    </Card>
  )
}

function Head({ step, onChange, onDuplicate, onRemove, faults }: StepPaneProps) {
  return (
    <div className="mb-4">
      <h2 className="sr-only">Step {step.name}</h2>
      <div className="flex items-end gap-2">
        <span
          title={stepName(step.type)}
          className="flex size-8 shrink-0 items-center justify-center rounded-md border border-line bg-bg text-muted"
        >
          <Icon name={stepIcon(step.type)} />
        </span>
        <Field label="Name of the step" hideLabel className="flex-1">
          <Input className="font-semibold" value={step.name} onText={(name) => onChange({ ...step, name })} />
        </Field>
        <IfEditable>
          <IconButton icon="copy" label="Duplicate this step" onClick={onDuplicate} />
          <IconButton icon="trash" label="Delete this step" onClick={onRemove} />
        </IfEditable>
      </div>
      {faults.name && <p className="mt-1.5 text-sm text-bad">{faults.name}</p>}
    </div>
  )
}

function Content(props: StepPaneProps) {
  const { step, onChange, variables, faults, errors, variant } = props
  const chosen = variant === null ? undefined : step.variants[variant]
  const place = chosen ? `variants.${variant}.controlValues.` : 'controlValues.'
  const stored = Object.entries(faults).filter(([path]) => path.startsWith(place))
  const shared: Omit<FieldsProps, 'values' | 'onChange'> = {
    type: step.type,
    variables,
    errors: { ...Object.fromEntries(stored.map(([path, text]) => [path.slice(place.length), text])), ...errors },
  }
  const Fields = isChannelStep(step.type) ? ContentFields : WaitFields
  return (
    <div className="flex flex-col gap-4">
      <VariantPicker step={step} variant={variant} onVariant={props.onVariant} onChange={onChange} />
      {chosen && variant !== null ? (
        <VariantFields key={variant} step={step} at={variant} onChange={onChange} onVariant={props.onVariant}>
          {(values, setValues) => <Fields {...shared} values={values} onChange={setValues} />}
        </VariantFields>
      ) : (
        <Fields
          {...shared}
          values={step.controlValues}
          onChange={(values) => onChange({ ...step, controlValues: values })}
        />
      )}
    </div>
  )
}
