import type { WorkflowStep } from '../../../api/types.ts'
import { type Draft, isObject } from '../draft.ts'

export type Line = { kind: 'same' | 'added' | 'removed'; text: string }
export type FieldChange = { path: string; lines: Line[] }
export type PlaceChange = { place: string; kind: 'changed' | 'added' | 'removed'; fields: FieldChange[] }

const ofWorkflow = [
  'name',
  'description',
  'tags',
  'severity',
  'critical',
  'validatePayload',
  'payloadSchema',
  'ttl',
  'preferences',
] as const
const ofStep = [
  'name',
  'type',
  'active',
  'shouldStopOnFail',
  'when',
  'filters',
  'controlValues',
  'variants',
  'replyCallback',
] as const

/** What became of one version in another, by place and field. */
export function diffWorkflows(before: Draft, after: Draft): PlaceChange[] {
  const general = diffFields(pick(before, ofWorkflow), pick(after, ofWorkflow))
  const order = orderChange(before.steps, after.steps)
  const whole = [...general, ...(order ? [order] : [])]
  const steps = [...after.steps, ...before.steps.filter((step) => !findStep(after, step))].flatMap((step) =>
    diffStep(findStep(before, step), findStep(after, step)),
  )
  return [...(whole.length > 0 ? [{ place: 'Workflow', kind: 'changed' as const, fields: whole }] : []), ...steps]
}

const findStep = ({ steps }: Draft, { stepId }: WorkflowStep) => steps.find((step) => step.stepId === stepId)

/** A step that is new or gone is told without what every step has. */
const usual = { active: true, shouldStopOnFail: false }

function diffStep(before: WorkflowStep | undefined, after: WorkflowStep | undefined): PlaceChange[] {
  const fields = diffFields(before ? pick(before, ofStep) : usual, after ? pick(after, ofStep) : usual)
  const step = after ?? before
  if (fields.length === 0 || !step) return []
  return [{ place: `Step ${step.stepId}`, kind: !before ? 'added' : !after ? 'removed' : 'changed', fields }]
}

/** Only among the steps that both have: one that is new or gone is said by itself. */
function orderChange(before: readonly WorkflowStep[], after: readonly WorkflowStep[]): FieldChange | null {
  const shared = (these: readonly WorkflowStep[], those: readonly WorkflowStep[]) =>
    these.flatMap(({ stepId }) => (those.some((one) => one.stepId === stepId) ? stepId : []))
  const [was, is] = [shared(before, after).join('\n'), shared(after, before).join('\n')]
  return was === is ? null : { path: 'order of steps', lines: diffLines(was, is) }
}

function pick<T extends object, Key extends keyof T>(from: T, keys: readonly Key[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, from[key]]))
}

function diffFields(before: Record<string, unknown>, after: Record<string, unknown>): FieldChange[] {
  const [was, is] = [leavesOf(before), leavesOf(after)]
  return [...new Set([...is.keys(), ...was.keys()])].flatMap((path) => {
    const [old, now] = [was.get(path), is.get(path)]
    return old === now ? [] : [{ path, lines: diffLines(old, now) }]
  })
}

/** Every value that holds no others, as text, by its path. A schema is one text: its lines are what people compare. */
function leavesOf(value: unknown, path = '', into = new Map<string, string>()): Map<string, string> {
  const inner = isObject(value) && path !== 'payloadSchema' ? Object.entries(value) : null
  const items = Array.isArray(value) && value.some(isObject) ? [...value.entries()] : null
  if (inner ?? items) {
    for (const [key, one] of inner ?? items ?? []) leavesOf(one, path ? `${path}.${key}` : String(key), into)
    return into
  }
  if (value === undefined || value === null || value === '') return into
  if (Array.isArray(value) && value.length === 0) return into
  into.set(path, toText(value))
  return into
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.join(', ')
  return JSON.stringify(value, null, 2)
}

// Beyond this many comparisons the whole is shown as replaced: nobody reads such a difference line by line.
const most = 4_000_000

/** The lines of two texts, those in common once. */
export function diffLines(before: string | undefined, after: string | undefined): Line[] {
  const [was, is] = [before?.split('\n') ?? [], after?.split('\n') ?? []]
  const removed = was.map((text): Line => ({ kind: 'removed', text }))
  const added = is.map((text): Line => ({ kind: 'added', text }))
  if (was.length * is.length > most || was.length === 0 || is.length === 0) return [...removed, ...added]
  return walk(was, is, commonLengths(was, is))
}

/** `lengths[i][j]`: how many lines the rests from i and from j have in common, in their order. */
function commonLengths(was: readonly string[], is: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: was.length + 1 }, () => new Uint32Array(is.length + 1))
  for (let i = was.length - 1; i >= 0; i--) {
    const [row, below] = [lengths[i], lengths[i + 1]]
    if (!row || !below) continue
    for (let j = is.length - 1; j >= 0; j--) {
      row[j] = was[i] === is[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return lengths
}

function walk(was: readonly string[], is: readonly string[], lengths: readonly Uint32Array[]): Line[] {
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < was.length || j < is.length) {
    const [old, now] = [was[i], is[j]]
    if (old !== undefined && old === now) {
      lines.push({ kind: 'same', text: old })
      i++
      j++
    } else if (now === undefined || (old !== undefined && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      lines.push({ kind: 'removed', text: old ?? '' })
      i++
    } else {
      lines.push({ kind: 'added', text: now })
      j++
    }
  }
  return lines
}
