import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ApiFault, api, part, toFault } from '../../api.ts'
import type { Workflow } from '../../api-types.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Draft, isSame, type Step, toDraft, toInput } from './draft.ts'

/** What the server found wrong, by path: of the workflow, and of each step by its stepId. */
export type Faults = { workflow: Record<string, string>; steps: Record<string, Record<string, string>> }
const noFaults: Faults = { workflow: {}, steps: {} }

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
  const [base, setBase] = useState(() => toDraft(read))
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
    setBase(toDraft(saved))
    settle(toDraft(saved))
    void queries.invalidateQueries({ queryKey: ['workflows'] })
    void queries.invalidateQueries({ queryKey: ['workflow-versions', saved._id] })
  }
  const switched = ({ active, status }: Workflow) => {
    setBase((now) => ({ ...now, active, status }))
    setDraft((now) => ({ ...now, active, status }))
    void queries.invalidateQueries({ queryKey: ['workflows'] })
  }
  return { base, draft, setDraft, faults, setFaults, refusal, setRefusal, discard: () => settle(base), adopt, switched }
}

export const workflowPath = (workflowId: string) => `/v2/workflows/${part(workflowId)}`

/** Nobody's change is overwritten without being asked about. Null: they would rather not. */
async function store(draft: Draft, base: Draft): Promise<Workflow | null> {
  const path = workflowPath(base._id)
  const current = await api.get<Workflow>(path)
  if (current.version !== base.version) {
    const sure = await confirm({
      title: `Version ${current.version} was saved meanwhile`,
      text: `You began with version ${base.version}. Saving makes yours the newest; the other stays among the versions.`,
      action: 'Save mine',
    })
    if (!sure) return null
  }
  return api.put<Workflow>(path, toInput(draft))
}

function toFaults(fault: ApiFault, draft: Draft): Faults {
  const found: Faults = { workflow: {}, steps: {} }
  for (const [path, { messages }] of Object.entries(fault.errors)) {
    const [, index, rest] = /^steps\.(\d+)\.(.*)$/.exec(path) ?? []
    const step = index === undefined ? undefined : draft.steps[Number(index)]
    if (!step) found.workflow[path] = messages.join(' ')
    else found.steps[step.stepId] = { ...found.steps[step.stepId], [rest ?? '']: messages.join(' ') }
  }
  return found
}

/** Ctrl S saves, wherever the focus is. */
export function useSaveKey(save: () => unknown): void {
  const current = useRef(save)
  current.current = save
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      current.current()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
