import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import type { Workflow } from '../../api/types.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Draft, isSame, type Step, toInput } from './draft.ts'
import { type Faults, noFaults, toFaults } from './faults.ts'

export type Editing = {
  draft: Draft
  base: Draft
  isDirty: boolean
  isSaving: boolean
  faults: Faults
  refusal: ApiFault | null
  change(fields: Partial<Draft>): void
  changeStep(stepId: string, step: Step): void
  discard(): void
  /** True when what is stored is what is shown. */
  save(): Promise<boolean>
  /** Something else than the form has stored this. */
  adopt(saved: Workflow): void
  /** It was turned on or off: only that is taken over, and what is being written stays. */
  switched(saved: Workflow): void
}

/** A workflow being changed: nothing is stored before `save`. */
export function useEditing(read: Workflow): Editing {
  const state = useDraft(read)
  const { draft, base, setDraft, setRefusal, setFaults, adopt } = state
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    if (isSame(draft, base)) return true
    setSaving(true)
    try {
      const saved = await store(draft, base)
      if (saved) adopt(saved)
      if (saved) toast.ok(`Saved as version ${saved.version}`)
      return Boolean(saved)
    } catch (error) {
      const fault = toFault(error)
      setRefusal(fault)
      setFaults(toFaults(fault, draft))
      return false
    } finally {
      setSaving(false)
    }
  }
  const change = (fields: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...fields }))
    setRefusal(null)
  }
  const changeStep = (stepId: string, step: Step) => {
    setDraft((now) => ({ ...now, steps: now.steps.map((one) => (one.stepId === stepId ? step : one)) }))
    setFaults((now) => ({ ...now, steps: { ...now.steps, [stepId]: {} } }))
    setRefusal(null)
  }
  return { ...state, isDirty: !isSame(draft, base), isSaving, change, changeStep, save }
}

/** What is stored, what is being written, and what the last save found wrong with it. */
function useDraft(read: Workflow) {
  const [base, setBase] = useState<Draft>(read)
  const [draft, setDraft] = useState(base)
  const [faults, setFaults] = useState(noFaults)
  const [refusal, setRefusal] = useState<ApiFault | null>(null)
  const queries = useQueryClient()
  const settle = (next: Draft) => {
    setDraft(next)
    setFaults(noFaults)
    setRefusal(null)
  }
  const adopt = (saved: Workflow) => {
    setBase(saved)
    settle(saved)
    void queries.invalidateQueries({ queryKey: ['workflows'] })
    void queries.invalidateQueries({ queryKey: ['workflow-versions', saved._id] })
    // Its templates may ask for other words, and stand in other layouts.
    void queries.invalidateQueries({ queryKey: ['translations', 'missing'] })
    void queries.invalidateQueries({ queryKey: ['layouts'] })
  }
  const switched = ({ active, status }: Workflow) => {
    setBase((now) => ({ ...now, active, status }))
    setDraft((now) => ({ ...now, active, status }))
    void queries.invalidateQueries({ queryKey: ['workflows'] })
  }
  return { base, draft, setDraft, faults, setFaults, refusal, setRefusal, discard: () => settle(base), adopt, switched }
}

/** Nobody's change is overwritten without being asked about. Null: they would rather not. */
async function store(draft: Draft, base: Draft): Promise<Workflow | null> {
  const path = { workflowId: base._id }
  const current = await api.get('/v2/workflows/{workflowId}', { path })
  if (current.version !== base.version) {
    const sure = await confirm({
      title: `Version ${current.version} was saved meanwhile`,
      text: `You began with version ${base.version}. Saving makes yours the newest; the other stays among the versions.`,
      action: 'Save mine',
    })
    if (!sure) return null
  }
  return api.put('/v2/workflows/{workflowId}', { path, body: toInput(draft) })
}
