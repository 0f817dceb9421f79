import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import type { Layout } from '../../api/types.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { isSame, type LayoutDraft, toDraft, toInput } from './draft.ts'

export type LayoutEditing = {
  /** As it is stored. */
  base: Layout
  draft: LayoutDraft
  isDirty: boolean
  isSaving: boolean
  refusal: ApiFault | null
  change(fields: Partial<LayoutDraft>): void
  discard(): void
  save(): Promise<void>
  /** At once, and nothing else is taken over: what is being written stays. */
  setDefault(isDefault: boolean): Promise<void>
}

/** A layout being changed: nothing is stored before `save`. */
export function useLayoutEditing(read: Layout): LayoutEditing {
  const [base, setBase] = useState(read)
  const [draft, setDraft] = useState(() => toDraft(read))
  const [refusal, setRefusal] = useState<ApiFault | null>(null)
  const [isSaving, setSaving] = useState(false)
  const queries = useQueryClient()
  const settle = (stored: Layout) => {
    setBase(stored)
    void queries.invalidateQueries({ queryKey: ['layouts'] })
    void queries.invalidateQueries({ queryKey: ['step-preview'] })
    // Its templates may ask for other words.
    void queries.invalidateQueries({ queryKey: ['translations', 'missing'] })
  }
  const isDirty = !isSame(draft, toDraft(base))
  const save = async () => {
    if (!isDirty || isSaving) return
    setSaving(true)
    try {
      const saved = await store(draft, base)
      if (saved) {
        settle(saved)
        setDraft(toDraft(saved))
        setRefusal(null)
        toast.ok(`${saved.name} is saved`)
      }
    } catch (error) {
      setRefusal(toFault(error))
    }
    setSaving(false)
  }
  const setDefault = async (isDefault: boolean) => {
    const path = { layoutId: base._id }
    const { name, edition } = await api.put('/v2/layouts/{layoutId}', { path, body: { name: base.name, isDefault } })
    settle({ ...base, name, edition, isDefault })
  }
  const change = (fields: Partial<LayoutDraft>) => {
    setDraft((now) => ({ ...now, ...fields }))
    setRefusal(null)
  }
  const discard = () => {
    setDraft(toDraft(base))
    setRefusal(null)
  }
  return { base, draft, isDirty, isSaving, refusal, change, discard, save, setDefault }
}

/** Nobody's change is overwritten without being asked about. Null: they would rather not. */
async function store(draft: LayoutDraft, base: Layout): Promise<Layout | null> {
  const path = { layoutId: base._id }
  const current = await api.get('/v2/layouts/{layoutId}', { path })
  if (!isSame(toDraft(current), toDraft(base))) {
    const sure = await confirm({
      title: 'It was changed meanwhile',
      text: 'Somebody saved this layout after you opened it. Saving yours replaces what they wrote.',
      action: 'Save mine',
    })
    if (!sure) return null
  }
  return api.put('/v2/layouts/{layoutId}', { path, body: toInput(draft) })
}
