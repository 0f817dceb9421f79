import { useState } from 'react'
import type { ApiFault } from '../../../api/fault.ts'
import type { ListedEnvironment } from '../../../api/types.ts'
import { Field, Input, Select } from '../../../ui/form/form.tsx'
import { ColorField } from './color-field.tsx'

export type EnvironmentDraft = { name: string; color: string; parentId: string }

export function useEnvironmentDraft(first: EnvironmentDraft) {
  const [draft, setDraft] = useState(first)
  const change = (fields: Partial<EnvironmentDraft>) => setDraft((now) => ({ ...now, ...fields }))
  return { draft, change, isReady: draft.name.trim() !== '' && /^#[0-9a-f]{6}$/i.test(draft.color) }
}

/** Whether one of the fields says what is wrong. */
export function isToldByFields(fault: ApiFault): boolean {
  return ['name', 'color', 'parentId'].some((name) => nameFault(fault, name) !== undefined)
}

function nameFault(fault: ApiFault, name: string): string | undefined {
  return name === 'name' && fault.code === 'environment_name_taken' ? fault.message : fault.of(name)
}

type EnvironmentFieldsProps = {
  draft: EnvironmentDraft
  onChange(fields: Partial<EnvironmentDraft>): void
  fault: ApiFault | null
  /** Those that things may be published from. */
  sources: readonly ListedEnvironment[]
}

export function EnvironmentFields({ draft, onChange, fault, sources }: EnvironmentFieldsProps) {
  const error = (name: string) => (fault ? nameFault(fault, name) : undefined)
  return (
    <>
      <Field label="Name" error={error('name')}>
        <Input
          value={draft.name}
          onText={(name) => onChange({ name })}
          maxLength={60}
          placeholder="Staging"
          autoFocus
          required
        />
      </Field>
      <ColorField value={draft.color} onChange={(color) => onChange({ color })} error={error('color')} />
      {sources.length > 0 && (
        <Field
          label="Published from"
          hint="What is published to it comes from there, unless another one is named."
          error={error('parentId')}
        >
          <Select
            options={[
              ...(draft.parentId ? [] : [{ value: '', label: 'nowhere' }]),
              ...sources.map(({ _id, name }) => ({ value: _id, label: name })),
            ]}
            value={draft.parentId}
            onText={(parentId) => onChange({ parentId })}
          />
        </Field>
      )}
    </>
  )
}
