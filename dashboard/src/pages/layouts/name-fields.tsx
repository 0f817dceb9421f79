import { useState } from 'react'
import type { ApiFault } from '../../api/fault.ts'
import { freeSlug } from '../../lib/slug.ts'
import { Field, Input } from '../../ui/form/form.tsx'

/** A name, and the id made of it until another one is typed. */
export function useNames(first: string) {
  const [name, setName] = useState(first)
  const [typedId, setTypedId] = useState<string | null>(null)
  const layoutId = typedId ?? (name.trim() ? freeSlug(name, 'layout', []) : '')
  return {
    name,
    setName,
    layoutId,
    setLayoutId: (text: string) => setTypedId(text || null),
    body: { name: name.trim(), layoutId },
    isReady: name.trim() !== '' && layoutId !== '',
    /** Whether the fields say what is wrong. */
    isToldBy: (fault: ApiFault) => Boolean(idFault(fault) ?? fault.of('name')),
  }
}

function idFault(fault: ApiFault | null): string | undefined {
  return fault?.code === 'layout_exists' ? 'Another layout has this id.' : fault?.of('layoutId')
}

type NameFieldsProps = { names: ReturnType<typeof useNames>; fault: ApiFault | null }

export function NameFields({ names, fault }: NameFieldsProps) {
  return (
    <>
      <Field label="Name" error={fault?.of('name')}>
        <Input value={names.name} onText={names.setName} maxLength={255} autoFocus required />
      </Field>
      <Field label="Layout id" hint="What steps name it by. It never changes." error={idFault(fault)}>
        <Input
          className="font-mono text-sm"
          value={names.layoutId}
          onText={names.setLayoutId}
          maxLength={255}
          placeholder="brand"
          required
        />
      </Field>
    </>
  )
}
