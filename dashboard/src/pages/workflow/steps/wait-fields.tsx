import { Field, Input, Select } from '../../../ui/form/form.tsx'
import { isObject, putAt, textAt, type Values } from '../draft.ts'
import { CronField, PathField } from './path-field.tsx'
import type { FieldsProps } from './template-text.tsx'
import { TimedFields } from './timed-fields.tsx'

const units = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months']

/** The form of a step that waits. */
export function WaitFields(props: FieldsProps) {
  if (props.type === 'delay') return <DelayFields {...props} />
  return props.type === 'digest' ? <DigestFields {...props} /> : <ThrottleFields {...props} />
}

type KindProps = FieldsProps & { options: readonly { value: string; label: string; uses: readonly string[] }[] }

/** Which of its ways it waits. What only another way uses goes, so that nobody takes it for said. */
function Kind({ values, onChange, options, errors }: KindProps) {
  const choose = (type: string) => {
    const kept = new Set(options.find(({ value }) => value === type)?.uses)
    const gone = options.flatMap(({ uses }) => uses.filter((name) => !kept.has(name)))
    onChange({ ...Object.fromEntries(Object.entries(values).filter(([name]) => !gone.includes(name))), type })
  }
  return (
    <Field label="Kind" error={errors.type}>
      <Select options={options} value={textAt(values, 'type')} onText={choose} />
    </Field>
  )
}

type SpanProps = FieldsProps & { label: string; of?: readonly string[]; at?: string }

/** An amount and its unit, at a path or in the values themselves. */
function Span({ label, values, onChange, errors, of = units, at }: SpanProps) {
  const place = at ? `${at}.` : ''
  const amount = (text: string) => {
    const number = Number(text)
    const next = putAt(values, `${place}amount`, text === '' || Number.isNaN(number) ? undefined : number)
    return text && !textAt(next, `${place}unit`) ? putAt(next, `${place}unit`, of[1] ?? 'minutes') : next
  }
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={label} error={errors[`${place}amount`]}>
        <Input
          type="number"
          min={1}
          step={1}
          value={textAt(values, `${place}amount`)}
          onText={(text) => onChange(amount(text))}
        />
      </Field>
      <Field label="Unit" error={errors[`${place}unit`]}>
        <Select
          options={textAt(values, `${place}unit`) ? of : ['', ...of]}
          value={textAt(values, `${place}unit`)}
          onText={(text) => onChange(putAt(values, `${place}unit`, text))}
        />
      </Field>
    </div>
  )
}

const delayKinds = [
  { value: 'regular', label: 'For a time', uses: ['amount', 'unit'] },
  { value: 'scheduled', label: 'Until a moment in the payload', uses: ['delayPath'] },
  { value: 'timed', label: 'Until a time of day (cron)', uses: ['cron'] },
]

function DelayFields(props: FieldsProps) {
  const kind = textAt(props.values, 'type')
  return (
    <>
      <Kind {...props} options={delayKinds} />
      {kind === 'timed' && <CronField {...props} />}
      {kind === 'scheduled' && (
        <PathField
          {...props}
          path="delayPath"
          label="Where the moment is"
          hint="One that has passed does not wait."
          placeholder="payload.sendAt"
          required
        />
      )}
      {kind !== 'timed' && kind !== 'scheduled' && <Span {...props} label="Waits for" />}
    </>
  )
}

const digestKinds = [
  { value: 'regular', label: 'For a time after the first', uses: ['amount', 'unit', 'lookBackWindow'] },
  { value: 'backoff', label: 'Only when they come close together', uses: ['amount', 'unit', 'lookBackWindow'] },
  { value: 'timed', label: 'Until set times', uses: ['cron', 'timed'] },
]

function DigestFields(props: FieldsProps) {
  const { values } = props
  const kind = textAt(values, 'type')
  return (
    <>
      <Kind {...props} options={digestKinds} />
      {kind === 'timed' ? <TimedFields {...props} /> : <Span {...props} label="Gathers for" />}
      {(kind === 'backoff' || isObject(values.lookBackWindow)) && (
        <>
          <Span {...props} label="Looks back" at="lookBackWindow" />
          <p className="-mt-2 text-sm text-muted">
            One that nothing preceded within this time goes through at once. As long as the digest when empty.
          </p>
        </>
      )}
      <PathField
        {...props}
        path="digestKey"
        label="Gathered by"
        hint="Events with the same value there are gathered together. Empty: all of a person."
        placeholder="payload.postId"
      />
    </>
  )
}

const throttleKinds = [
  { value: 'fixed', label: 'In a set time', uses: ['amount', 'unit'] },
  { value: 'dynamic', label: 'In a time that the payload says', uses: ['dynamicKey'] },
]

function ThrottleFields(props: FieldsProps) {
  const { values, onChange, errors } = props
  const isDynamic = values.type === 'dynamic'
  const threshold = (text: string): Values => putAt(values, 'threshold', text === '' ? undefined : Number(text))
  return (
    <>
      <Kind {...props} options={throttleKinds} />
      <Field
        label="Lets through"
        hint="What is more is skipped, with all that comes after it."
        error={errors.threshold}
      >
        <Input
          type="number"
          min={1}
          step={1}
          value={textAt(values, 'threshold')}
          onText={(text) => onChange(threshold(text))}
        />
      </Field>
      {isDynamic ? (
        <PathField
          {...props}
          path="dynamicKey"
          label="Where the time is"
          hint="A moment, or an object with amount and unit."
          placeholder="payload.quietUntil"
          required
        />
      ) : (
        <Span {...props} label="In" of={['minutes', 'hours', 'days']} />
      )}
      <PathField
        {...props}
        path="throttleKey"
        label="Counted by"
        hint="Each value there is counted by itself. Empty: all of a person."
        placeholder="payload.postId"
      />
    </>
  )
}
