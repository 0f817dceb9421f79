import { isPlainObject } from '../../lib/canonical-json.ts'
import { cutText } from '../../lib/one-line.ts'
import type { LayoutDefinition } from '../layouts/layout.ts'
import type { Step, WorkflowDefinition } from '../workflows/workflow.ts'
import { diffLines, type Hunk } from './lines.ts'

/** One thing that a person sees as changed. Long texts come as lines, everything else with its value on both sides. */
export type Change = {
  path: string
  action: 'added' | 'modified' | 'deleted' | 'moved'
  before?: unknown
  after?: unknown
  lines?: Hunk[]
  /** Changed lines that are not shown. */
  moreLines?: number
  /** Of a step; its type only where it came, went or moved. */
  stepId?: string
  stepType?: string
  previousIndex?: number
  newIndex?: number
}
/** `isShortened`: there are more. */
export type Changes = { changes: Change[]; isShortened: boolean }

// More of one resource nobody reads.
const mostChanges = 200

/** Where changes are collected, until there are enough. */
type Sink = { add(change: Change): void; isFull(): boolean }

function collect(compare: (sink: Sink) => void): Changes {
  const found: Changes = { changes: [], isShortened: false }
  compare({
    add(change) {
      if (found.changes.length < mostChanges) found.changes.push(change)
      else found.isShortened = true
    },
    isFull: () => found.isShortened,
  })
  return found
}

export function changesOfWorkflow(before: WorkflowDefinition, after: WorkflowDefinition): Changes {
  const { steps: oldSteps, ...old } = before
  const { steps: newSteps, ...now } = after
  return collect((sink) => {
    compareFields(sink, '', old, now)
    compareSteps(sink, oldSteps, newSteps)
  })
}

export type ShownLayout = Pick<LayoutDefinition, 'name' | 'isTranslationEnabled' | 'controlValues'> & {
  isDefault: boolean
}

export function changesOfLayout(before: ShownLayout, after: ShownLayout): Changes {
  return collect((sink) => compareFields(sink, '', shownLayout(before), shownLayout(after)))
}

function shownLayout({ name, isTranslationEnabled, controlValues, isDefault }: ShownLayout): Record<string, unknown> {
  return { name, isTranslationEnabled, isDefault, controlValues }
}

/** Of words, by their keys; of anything else that is an object. */
export function changesOfObject(before: Record<string, unknown>, after: Record<string, unknown>): Changes {
  return collect((sink) => compareFields(sink, '', before, after))
}

/** Steps are the same by their stepId, wherever they stand. */
function compareSteps(sink: Sink, before: readonly Step[], after: readonly Step[]): void {
  const [was, is] = [before, after].map((steps) => new Map(steps.map((step, index) => [step.stepId, { step, index }])))
  const staying = keptInOrder(after.flatMap(({ stepId }) => was?.get(stepId)?.index ?? []))
  for (const [index, step] of before.entries()) {
    if (is?.has(step.stepId)) continue
    const { type: stepType, stepId } = step
    sink.add({
      path: `steps.${stepId}`,
      action: 'deleted',
      before: brief(shownStep(step)),
      stepId,
      stepType,
      previousIndex: index,
    })
  }
  for (const [index, step] of after.entries()) {
    const { type: stepType, stepId } = step
    const path = `steps.${stepId}`
    const former = was?.get(stepId)
    if (!former) {
      sink.add({ path, action: 'added', after: brief(shownStep(step)), stepId, stepType, newIndex: index })
      continue
    }
    if (!staying.has(former.index)) {
      sink.add({ path, action: 'moved', stepId, stepType, previousIndex: former.index, newIndex: index })
    }
    const within: Sink = { ...sink, add: (change) => sink.add({ ...change, stepId }) }
    compareFields(within, `${path}.`, shownStep(former.step), shownStep(step))
  }
}

/** Of these places, the most that stand in their order already: the others have moved. There are at most fifty. */
function keptInOrder(places: readonly number[]): Set<number> {
  const best: number[][] = []
  for (const [at, place] of places.entries()) {
    const before = best.slice(0, at).filter((list) => (list.at(-1) ?? -1) < place)
    const longest = before.reduce<number[]>((most, list) => (list.length > most.length ? list : most), [])
    best.push([...longest, place])
  }
  return new Set(best.reduce((most, list) => (list.length > most.length ? list : most), []))
}

/** Without what is each environment's own, and what is made of the rest. */
function shownStep({ id: _own, stepId: _name, compiled: _made, variants, ...step }: Step): Record<string, unknown> {
  return {
    ...step,
    ...(variants && { variants: variants.map(({ compiled: _too, ...variant }) => variant) }),
  }
}

function compareFields(
  sink: Sink,
  prefix: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (sink.isFull()) return
    compareValues(sink, prefix + name, own(before, name), own(after, name))
  }
}

/** Names are people's: `constructor` may be one. */
function own(values: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function compareValues(sink: Sink, path: string, before: unknown, after: unknown): void {
  if (before === after) return
  if (isPlainObject(before) && isPlainObject(after)) compareFields(sink, `${path}.`, before, after)
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(sink, path, before, after)
  else if (typeof before === 'string' && typeof after === 'string' && (isLong(before) || isLong(after))) {
    const { hunks: lines, more } = diffLines(before, after)
    sink.add({ path, action: 'modified', lines, ...(more > 0 && { moreLines: more }) })
  } else if (before === undefined) sink.add({ path, action: 'added', after: brief(after) })
  else if (after === undefined) sink.add({ path, action: 'deleted', before: brief(before) })
  else sink.add({ path, action: 'modified', before: brief(before), after: brief(after) })
}

/** Lists of words are shown as a whole, everything else place by place. */
function compareLists(sink: Sink, path: string, before: unknown[], after: unknown[]): void {
  const isPlain = [...before, ...after].every((item) => typeof item !== 'object' || item === null)
  if (!isPlain) {
    compareFields(sink, `${path}.`, { ...before }, { ...after })
    return
  }
  const isSame = before.length === after.length && before.every((item, index) => item === after[index])
  if (!isSame) sink.add({ path, action: 'modified', before: brief(before), after: brief(after) })
}

const longText = 120

/** A document of blocks is JSON, whatever its length. */
function isLong(text: string): boolean {
  return text.length > longText || /[\r\n]|^\{".*\}$/s.test(text)
}

const briefChars = 1_000

/** A value as it can be shown: what is too large, only as the beginning of its text. */
function brief(value: unknown): unknown {
  if (typeof value === 'string') return value.length > briefChars ? `${cutText(value, briefChars)}…` : value
  const text = JSON.stringify(value) ?? ''
  return text.length > briefChars ? `${cutText(text, briefChars)}…` : value
}
