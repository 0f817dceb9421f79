import { useState } from 'react'
import type { StepFilter } from '../../../api/types.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox, Field, Input, Select } from '../../../ui/form/form.tsx'
import { IfEditable } from '../../../ui/form/read-only.tsx'

type Part = StepFilter['children'][number]

const operators: readonly { value: Part['operator']; label: string }[] = [
  { value: 'EQUAL', label: 'is' },
  { value: 'NOT_EQUAL', label: 'is not' },
  { value: 'LARGER', label: 'is larger than' },
  { value: 'LARGER_EQUAL', label: 'is at least' },
  { value: 'SMALLER', label: 'is smaller than' },
  { value: 'SMALLER_EQUAL', label: 'is at most' },
  { value: 'BETWEEN', label: 'is between' },
  { value: 'NOT_BETWEEN', label: 'is not between' },
  { value: 'LIKE', label: 'contains' },
  { value: 'NOT_LIKE', label: 'does not contain' },
  { value: 'IN', label: 'is one of' },
  { value: 'NOT_IN', label: 'is none of' },
  { value: 'ANY_IN', label: 'has any of' },
  { value: 'ALL_IN', label: 'has all of' },
]
const types: readonly { value: StepFilter['type']; label: string }[] = [
  { value: 'GROUP', label: 'text or number' },
  { value: 'TEXT', label: 'text' },
  { value: 'NUMBER', label: 'number' },
  { value: 'DATE', label: 'time' },
  { value: 'BOOLEAN', label: 'true or false' },
  { value: 'LIST', label: 'list' },
  { value: 'MULTI_LIST', label: 'list of several' },
  { value: 'STATEMENT', label: 'statement' },
]
const blank: Part = { on: 'payload', field: '', operator: 'EQUAL', value: '' }
const blankGroup: StepFilter = { isNegated: false, type: 'GROUP', value: 'AND', children: [blank] }

type ConditionsProps = { filters: readonly StepFilter[]; onChange(filters: StepFilter[]): void; none: string }

/** Filters: it runs when any group passes. */
export function Conditions({ filters, onChange, none }: ConditionsProps) {
  const set = (at: number, filter: StepFilter) => onChange(filters.map((one, index) => (index === at ? filter : one)))
  const drop = (at: number) => onChange(filters.filter((_, index) => index !== at))
  return (
    <div className="flex flex-col gap-3">
      {filters.length === 0 && <p className="text-muted">{none}</p>}
      {filters.map((filter, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no name of their own, and are never reordered
        <div key={index}>
          {index > 0 && <p className="mb-3 text-sm font-medium text-muted">or</p>}
          <Group
            filter={filter}
            number={index + 1}
            onChange={(next) => set(index, next)}
            onRemove={() => drop(index)}
          />
        </div>
      ))}
      <div>
        <IfEditable>
          <Button size="sm" icon="plus" onClick={() => onChange([...filters, blankGroup])}>
            {filters.length === 0 ? 'Add a condition' : 'Or another group'}
          </Button>
        </IfEditable>
      </div>
    </div>
  )
}

type GroupProps = { filter: StepFilter; number: number; onChange(filter: StepFilter): void; onRemove(): void }

function Group({ filter, number, onChange, onRemove }: GroupProps) {
  const { children } = filter
  const setPart = (at: number, part: Part) =>
    onChange({ ...filter, children: children.map((one, index) => (index === at ? part : one)) })
  const dropPart = (at: number) => {
    const rest = children.filter((_, index) => index !== at)
    if (rest.length > 0) onChange({ ...filter, children: rest })
    else onRemove()
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-3">
      <legend className="sr-only">Conditions {number}</legend>
      <GroupHead filter={filter} onChange={onChange} onRemove={onRemove} />
      {children.map((part, index) => (
        <PartRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name of their own, and are never reordered
          key={index}
          part={part}
          onChange={(next) => setPart(index, next)}
          onRemove={() => dropPart(index)}
        />
      ))}
      <div>
        <IfEditable>
          <Button
            size="sm"
            kind="quiet"
            icon="plus"
            onClick={() =>
              onChange({ ...filter, children: [...children, { ...blank, on: children.at(-1)?.on ?? 'payload' }] })
            }
          >
            Add
          </Button>
        </IfEditable>
      </div>
    </fieldset>
  )
}

function GroupHead({ filter, onChange, onRemove }: Omit<GroupProps, 'number'>) {
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <Field label="Must hold" className="w-24">
        <Select
          options={[
            { value: 'AND', label: 'all' },
            { value: 'OR', label: 'any' },
          ]}
          value={filter.value}
          onText={(value) => onChange({ ...filter, value: value === 'OR' ? 'OR' : 'AND' })}
        />
      </Field>
      <Field label="Compared as" className="w-36">
        <Select
          options={types}
          value={filter.type}
          onText={(value) => onChange({ ...filter, type: types.find((one) => one.value === value)?.value ?? 'GROUP' })}
        />
      </Field>
      <Checkbox
        className="h-8"
        label="Negated"
        checked={filter.isNegated}
        onChange={(event) => onChange({ ...filter, isNegated: event.target.checked })}
      />
      <IfEditable>
        <IconButton icon="trash" label="Remove these conditions" onClick={onRemove} className="ml-auto" />
      </IfEditable>
    </div>
  )
}

const lists = ['IN', 'NOT_IN', 'ANY_IN', 'ALL_IN']

function PartRow({ part, onChange, onRemove }: { part: Part; onChange(part: Part): void; onRemove(): void }) {
  const isBetween = part.operator.endsWith('BETWEEN')
  const [left, setLeft] = useState(false)
  const isEmpty = part.field.trim() === ''
  return (
    <div className="grid grid-cols-[8.75rem_minmax(0,1fr)_2rem] items-end gap-2">
      <Field label="Of" hideLabel>
        <Select
          options={['payload', 'subscriber']}
          value={part.on}
          onText={(on) => onChange({ ...part, on: on === 'subscriber' ? 'subscriber' : 'payload' })}
        />
      </Field>
      <Field label="Field" hideLabel error={left && isEmpty ? 'Name a field, or remove this condition.' : undefined}>
        <Input
          onBlur={() => setLeft(true)}
          className="font-mono text-sm"
          placeholder={part.on === 'payload' ? 'order.total' : 'data.plan'}
          value={part.field}
          onText={(field) => onChange({ ...part, field })}
        />
      </Field>
      <IfEditable>
        <IconButton icon="close" label="Remove this condition" onClick={onRemove} />
      </IfEditable>
      <Field label="Comparison" hideLabel>
        <Select
          options={operators}
          value={part.operator}
          onText={(value) =>
            onChange({ ...part, operator: operators.find((one) => one.value === value)?.value ?? 'EQUAL' })
          }
        />
      </Field>
      <Field label="Value" hideLabel>
        <Input
          placeholder={isBetween ? '10, 20' : lists.includes(part.operator) ? 'one, two' : 'value'}
          value={part.value}
          onText={(value) => onChange({ ...part, value })}
        />
      </Field>
    </div>
  )
}
