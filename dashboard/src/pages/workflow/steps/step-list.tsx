import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useKeys } from '../../../lib/keys.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IfEditable } from '../../../ui/form/read-only.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { Step } from '../draft.ts'
import { stepIcon, summaryOf } from './step-types.ts'

type StepListProps = {
  steps: readonly Step[]
  chosen: string | undefined
  onChoose(stepId: string): void
  onMove(from: number, to: number): void
  /** Steps at which the last save found something. */
  faulty: ReadonlySet<string>
}

/** The steps in their order. A handle moves one: by dragging, or with the arrow keys. */
export function StepList({ steps, chosen, onChoose, onMove, faulty }: StepListProps) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const at = steps.findIndex(({ stepId }) => stepId === chosen)
  const walk = (by: number) => {
    const next = steps[Math.min(steps.length - 1, Math.max(0, at + by))]
    if (next) onChoose(next.stepId)
  }
  useKeys({ j: () => walk(1), k: () => walk(-1) })
  const move = (from: number, to: number) => {
    const step = steps[from]
    if (!step || to < 0 || to >= steps.length || to === from) return
    onMove(from, to)
    setSaid(`${step.name} is now step ${to + 1} of ${steps.length}`)
  }
  return (
    <>
      <ol ref={list} className="flex flex-col">
        {steps.map((step, index) => (
          <li key={step._id} className="relative">
            {index > 0 && <span aria-hidden="true" className="ml-[3.05rem] block h-2 w-px bg-line-strong" />}
            <Row
              step={step}
              isChosen={step.stepId === chosen}
              isDragged={dragged === step._id}
              isFaulty={faulty.has(step.stepId)}
              onChoose={() => onChoose(step.stepId)}
              handle={{
                onStart: () => setDragged(step._id),
                onDrag: (y) => move(index, placeAt(list.current, index, y)),
                onEnd: () => setDragged(null),
                onStep: (by) => move(index, index + by),
              }}
            />
          </li>
        ))}
      </ol>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </>
  )
}

/** The place that a step dragged to this height belongs to: it changes with a neighbour once past that one's middle. */
function placeAt(list: HTMLOListElement | null, from: number, y: number): number {
  const middles = [...(list?.children ?? [])].map((row) => {
    const { top, height } = row.getBoundingClientRect()
    return top + height / 2
  })
  const above = middles.findIndex((middle, index) => index < from && y < middle)
  if (above >= 0) return above
  const below = middles.findLastIndex((middle, index) => index > from && y > middle)
  return below >= 0 ? below : from
}

type Handle = { onStart(): void; onDrag(y: number): void; onEnd(): void; onStep(by: number): void }
type RowProps = {
  step: Step
  isChosen: boolean
  isDragged: boolean
  isFaulty: boolean
  onChoose(): void
  handle: Handle
}

function Row({ step, isChosen, isDragged, isFaulty, onChoose, handle }: RowProps) {
  const tone = isChosen ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:bg-hover'
  return (
    <div
      className={`relative flex items-center rounded-md border transition-colors ${tone} ${isDragged ? 'z-10 shadow-pop' : ''}`}
    >
      <IfEditable>
        <DragHandle name={step.name} {...handle} />
      </IfEditable>
      <button
        type="button"
        aria-current={isChosen ? 'step' : undefined}
        onClick={onChoose}
        className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md py-2 pr-3 text-left first:pl-2"
      >
        <span
          className={`flex size-7 shrink-0 items-center justify-center rounded-md border border-line bg-bg ${step.active ? 'text-ink' : 'text-faint'}`}
        >
          <Icon name={stepIcon(step.type)} size={14} />
        </span>
        <span className="min-w-0 flex-1">
          <span className={`block truncate font-medium ${step.active ? '' : 'text-muted line-through'}`}>
            {step.name}
          </span>
          <span className="block truncate text-xs text-muted">{summaryOf(step)}</span>
        </span>
        {isFaulty && <Badge tone="bad">needs a change</Badge>}
        {!isFaulty && (step.filters.length > 0 || step.when) && (
          <span title="Runs on conditions" className="text-muted">
            <Icon name="filter" size={14} />
            <span className="sr-only">Runs on conditions</span>
          </span>
        )}
      </button>
    </div>
  )
}

function DragHandle({ name, onStart, onDrag, onEnd, onStep }: Handle & { name: string }) {
  const down = (event: PointerEvent<HTMLButtonElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    onStart()
  }
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onDrag(event.clientY)
  }
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!by) return
    event.preventDefault()
    onStep(by)
  }
  return (
    <button
      type="button"
      aria-label={`Move ${name}`}
      title="Drag, or use the arrow keys"
      onPointerDown={down}
      onPointerMove={drag}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
      onKeyDown={keys}
      className="flex h-11 w-7 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-faint hover:text-ink active:cursor-grabbing"
    >
      <Icon name="drag" />
    </button>
  )
}
