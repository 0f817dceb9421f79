import { Checkbox, Field, Input, Select } from '../../../ui/form/form.tsx'
import { IfEditable } from '../../../ui/form/read-only.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import { putAt, textAt, type Values, valueAt, without } from '../draft.ts'
import { CronField } from './path-field.tsx'
import type { FieldsProps } from './template-text.tsx'

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const ways = [
  { id: 'calendar', label: 'Calendar' },
  { id: 'cron', label: 'Cron expression' },
] as const

/** The times at which a digest closes: from the calendar, or by a cron expression. One of them, or the second would win. */
export function TimedFields(props: FieldsProps) {
  const { values, onChange } = props
  const way = values.cron !== undefined || values.timed === undefined ? 'cron' : 'calendar'
  const choose = (id: 'calendar' | 'cron') => {
    if (id === 'cron') onChange({ ...without(without(values, 'timed'), 'amount'), cron: '0 9 * * MON' })
    else onChange({ ...without(values, 'cron'), unit: 'days', timed: { atTime: '09:00' } })
  }
  return (
    <>
      <IfEditable>
        <div>
          <Segments label="Way" items={ways} value={way} onChange={choose} />
        </div>
      </IfEditable>
      {way === 'cron' ? <CronField {...props} /> : <CalendarFields {...props} />}
    </>
  )
}

function CalendarFields(props: FieldsProps) {
  const { values, onChange, errors } = props
  const unit = textAt(values, 'unit') || 'days'
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Every" error={errors.amount}>
          <Input
            type="number"
            min={1}
            step={1}
            placeholder="1"
            value={textAt(values, 'amount')}
            onText={(text) => onChange(putAt(values, 'amount', text === '' ? undefined : Number(text)))}
          />
        </Field>
        <Field label="Unit" error={errors.unit}>
          <Select
            options={['days', 'weeks', 'months', ...(['days', 'weeks', 'months'].includes(unit) ? [] : [unit])]}
            value={unit}
            onText={(text) => onChange(putAt(values, 'unit', text))}
          />
        </Field>
      </div>
      <Field label="At" hint="09:00 or 5:15 PM" error={errors['timed.atTime']}>
        <Input value={textAt(values, 'timed.atTime')} onText={(text) => onChange(putTimed(values, 'atTime', text))} />
      </Field>
      {(unit === 'weeks' || valueAt(values, 'timed.weekDays') !== undefined) && <WeekDays {...props} />}
      {(unit === 'months' || valueAt(values, 'timed.monthlyType') !== undefined) && <MonthFields {...props} />}
    </>
  )
}

/** `timed` stays even when nothing is left in it: it is what says that the calendar decides. */
function putTimed(values: Values, name: string, value: unknown): Values {
  const next = putAt(values, `timed.${name}`, value)
  return next.timed === undefined ? { ...next, timed: {} } : next
}

function WeekDays({ values, onChange, errors }: FieldsProps) {
  const chosen = listAt(values, 'timed.weekDays')
  const toggle = (day: string, on: boolean) => {
    const next = days.filter((one) => (one === day ? on : chosen.includes(one)))
    onChange(putTimed(values, 'weekDays', next.length > 0 ? next : undefined))
  }
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">On</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {days.map((day) => (
          <Checkbox
            key={day}
            label={day.slice(0, 1).toUpperCase() + day.slice(1, 3)}
            aria-label={day}
            checked={chosen.includes(day)}
            onChange={(event) => toggle(day, event.target.checked)}
          />
        ))}
      </div>
      {errors['timed.weekDays'] && <p className="text-sm text-bad">{errors['timed.weekDays']}</p>}
    </fieldset>
  )
}

const ordinals = [
  { value: '1', label: 'first' },
  { value: '2', label: 'second' },
  { value: '3', label: 'third' },
  { value: '4', label: 'fourth' },
  { value: '5', label: 'fifth' },
  { value: 'last', label: 'last' },
]

function MonthFields({ values, onChange, errors }: FieldsProps) {
  const isOn = textAt(values, 'timed.monthlyType') === 'on'
  const put = (name: string) => (text: string) => onChange(putTimed(values, name, text))
  const days31 = (text: string) => {
    const list = text.split(/[\s,]+/).filter(Boolean)
    onChange(putTimed(values, 'monthDays', list.length > 0 ? list : undefined))
  }
  const fault = Object.entries(errors).find(([path]) => path.startsWith('timed.monthDays'))?.[1]
  return (
    <>
      <Field label="In the month" error={errors['timed.monthlyType']}>
        <Select
          options={[
            { value: 'each', label: 'on these days' },
            { value: 'on', label: 'on the first, second … last' },
          ]}
          value={isOn ? 'on' : 'each'}
          onText={put('monthlyType')}
        />
      </Field>
      {isOn ? (
        <div className="grid grid-cols-2 gap-3">
          <Field label="Which" error={errors['timed.ordinal']}>
            <Select
              options={[{ value: '', label: '–' }, ...ordinals]}
              value={textAt(values, 'timed.ordinal')}
              onText={put('ordinal')}
            />
          </Field>
          <Field label="Day" error={errors['timed.ordinalValue']}>
            <Select
              options={['', 'day', 'weekday', 'weekend', ...days]}
              value={textAt(values, 'timed.ordinalValue')}
              onText={put('ordinalValue')}
            />
          </Field>
        </div>
      ) : (
        <Field label="Days" hint="1, 15, 31. The 31st of a shorter month is its last day." error={fault}>
          <MonthDays chosen={listAt(values, 'timed.monthDays')} onText={days31} />
        </Field>
      )}
    </>
  )
}

/** Not controlled: "1, " is on the way to "1, 15", and would be read as "1". */
function MonthDays({ chosen, onText }: { chosen: readonly string[]; onText(text: string): void }) {
  return <Input defaultValue={chosen.join(', ')} onText={onText} />
}

const listAt = (values: Values, path: string): string[] => {
  const list = valueAt(values, path)
  return Array.isArray(list) ? list.map(String) : []
}
