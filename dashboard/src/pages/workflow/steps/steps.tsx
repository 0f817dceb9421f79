import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useFilters } from '../../../lib/filters.ts'
import { useAtLeast } from '../../../lib/media.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/empty.tsx'
import type { Variable } from '../../../ui/form/completion.ts'
import { IfEditable, ReadOnly } from '../../../ui/form/read-only.tsx'
import { missingQuery, type Resource } from '../../languages/queries.ts'
import { keysOf } from '../../languages/rows.ts'
import { layoutsQuery } from '../../layouts/queries.ts'
import { newStep, type Step } from '../draft.ts'
import { PreviewCard } from '../preview/preview.tsx'
import type { Sample } from '../preview/sample.ts'
import { type Shown, usePreview } from '../preview/use-preview.ts'
import type { Editing } from '../use-editing.ts'
import { AddStep } from './add-step.tsx'
import { lostSteps, moved, renamed } from './change-steps.ts'
import { layoutOf } from './layout-choice.ts'
import { StepList } from './step-list.tsx'
import { StepPane } from './step-pane.tsx'
import { variablesOf } from './variables.ts'

type StepsProps = { editing: Editing; sample: Sample }

/** The steps, and the one being written with its preview. On a phone one after the other. */
export function Steps({ editing, sample }: StepsProps) {
  const [filters, setFilters] = useFilters<'step'>()
  const [adding, setAdding] = useState(false)
  const wide = useAtLeast('lg')
  const { draft } = editing
  const named = draft.steps.find(({ stepId }) => stepId === filters.step)
  const chosen = named ?? (wide ? draft.steps[0] : undefined)
  const key = useStepKey(chosen)
  const choose = (step: string | undefined) => setFilters({ step })
  const add = (step: Step) => {
    editing.change({ steps: [...draft.steps, step] })
    setAdding(false)
    choose(step.stepId)
  }
  const opened = chosen && (
    <OpenStep
      key={key}
      step={chosen}
      editing={editing}
      sample={sample}
      onChoose={choose}
      onBack={wide ? undefined : () => choose(undefined)}
    />
  )
  return (
    <>
      {draft.steps.length === 0 ? (
        <NoSteps onAdd={() => setAdding(true)} />
      ) : !wide && opened ? (
        opened
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <div className="min-w-0 lg:sticky lg:top-16">
            <StepList
              steps={draft.steps}
              chosen={chosen?.stepId}
              onChoose={choose}
              onMove={(from, to) => editing.change({ steps: moved(draft.steps, from, to) })}
              faulty={faultySteps(editing)}
            />
            <IfEditable>
              <Button icon="plus" className="mt-3 w-full" onClick={() => setAdding(true)}>
                Add a step
              </Button>
            </IfEditable>
          </div>
          {opened}
        </div>
      )}
      {adding && <AddStep onClose={() => setAdding(false)} onAdd={(start) => add(newStep(draft, start))} />}
    </>
  )
}

/** The same for one step while it is saved, which gives it an `_id`, and renamed, which gives it another stepId. */
function useStepKey(step: Step | undefined): number {
  const last = useRef({ _id: '', stepId: '', key: 0 })
  if (step && step._id !== last.current._id && step.stepId !== last.current.stepId) last.current.key += 1
  if (step) last.current = { _id: step._id, stepId: step.stepId, key: last.current.key }
  return last.current.key
}

function NoSteps({ onAdd }: { onAdd(): void }) {
  return (
    <Card>
      <Empty
        icon="workflow"
        title="No steps yet"
        action={
          <IfEditable>
            <Button kind="primary" icon="plus" onClick={onAdd}>
              Add a step
            </Button>
          </IfEditable>
        }
      >
        Steps run one after the other when an event of this workflow is triggered. Begin with a message in the app or an
        e-mail.
      </Empty>
    </Card>
  )
}

/** What saving refused, and what cannot be saved as it is now ordered. */
function faultySteps({ draft, faults }: Editing): Set<string> {
  const refused = Object.entries(faults.steps).flatMap(([stepId, found]) =>
    Object.keys(found).length > 0 ? stepId : [],
  )
  return new Set([...refused, ...lostSteps(draft.steps)])
}

type OpenStepProps = StepsProps & {
  step: Step
  onChoose(stepId: string | undefined): void
  onBack?: (() => void) | undefined
}

function OpenStep({ step, editing, sample, onChoose, onBack }: OpenStepProps) {
  const { draft, change } = editing
  const [variant, setVariant] = useState<number | null>(null)
  const earlier = draft.steps.slice(0, draft.steps.indexOf(step))
  const afterDigest = earlier.some(({ type, active }) => type === 'digest' && active)
  const state = usePreview(shownOf(step, variant), sample, { afterDigest, workflowId: draft._id })
  const errors = Object.fromEntries((state.preview?.result.errors ?? []).map(({ field, message }) => [field, message]))
  const translations = useTranslations(draft.workflowId)
  const resources = useResources(draft.workflowId, shownOf(step, variant))
  const rename = (stepId: string) => {
    change({ steps: renamed(draft.steps, step, stepId) })
    onChoose(stepId)
  }
  const duplicate = () => {
    const { type, name, controlValues } = step
    const copy = newStep(draft, { type, name: `${name} copy`, controlValues: structuredClone(controlValues) }, step)
    change({ steps: draft.steps.flatMap((one) => (one === step ? [one, copy] : one)) })
    onChoose(copy.stepId)
  }
  const remove = () => {
    change({ steps: draft.steps.filter((one) => one !== step) })
    onChoose(onBack ? undefined : earlier.at(-1)?.stepId)
  }
  return (
    <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <StepPane
        step={step}
        earlier={earlier}
        onChange={(next) => editing.changeStep(step.stepId, next)}
        onRename={rename}
        onRemove={remove}
        onDuplicate={duplicate}
        onBack={onBack}
        variables={[...variablesOf(draft, sample.payload, afterDigest), ...translations]}
        faults={editing.faults.steps[step.stepId] ?? {}}
        errors={errors}
        variant={variant}
        onVariant={setVariant}
      />
      <div className="min-w-0 xl:sticky xl:top-16">
        <ReadOnly when={false}>
          <PreviewCard
            resources={resources}
            state={state}
            sample={sample}
            afterDigest={afterDigest}
            isVariant={variant !== null}
          />
        </ReadOnly>
      </div>
    </div>
  )
}

/** A variant being written is shown as if it were the step: then its conditions say whether it is for this person. */
function shownOf(step: Step, variant: number | null): Shown {
  const chosen = variant === null ? undefined : step.variants[variant]
  return chosen ? { ...step, controlValues: chosen.controlValues, filters: chosen.filters, variants: [] } : step
}

/** What has words in the step: the workflow, and the layout around an e-mail. */
function useResources(workflowId: string, { type, controlValues }: Shown): Resource[] {
  const { data: layouts = [] } = useQuery({ ...layoutsQuery, enabled: type === 'email' })
  const layout = type === 'email' ? layoutOf(layouts, controlValues) : undefined
  return [
    { resourceType: 'workflow', resourceId: workflowId },
    ...(layout ? [{ resourceType: 'layout', resourceId: layout.layoutId } as const] : []),
  ]
}

/** What the workflow has words for. */
function useTranslations(workflowId: string): Variable[] {
  const { data } = useQuery(missingQuery({ resourceType: 'workflow', resourceId: workflowId }))
  return (data ? keysOf(data) : []).map((key) => ({ name: `t.${key}`, about: 'translation' }))
}
