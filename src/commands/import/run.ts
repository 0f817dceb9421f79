import { type Item, ListRefusal, listSteady } from '../from-novu/lists.ts'
import type { Query, Source } from '../from-novu/source.ts'
import type { Output } from '../host.ts'
import type { LeftFile } from '../import-state/left-file.ts'
import type { State } from '../import-state/state.ts'
import { addReason, type Outcome } from './counts.ts'
import { inOrder } from './in-order.ts'
import type { Kind } from './kinds.ts'
import { createProgress, type Screen } from './progress.ts'
import type { createSamples } from './samples.ts'
import type { Target } from './target.ts'

/** `plan`: what would be done. `verify`: both sides are compared. Neither writes anything here. */
export type Mode = 'import' | 'plan' | 'verify'

export type Run = {
  readonly mode: Mode
  readonly source: Source
  readonly target: Target
  readonly state: State
  readonly left: LeftFile
  readonly screen: Screen
  readonly print: Output
  /** Pages that are worked on at a time. */
  readonly lanes: number
  /** Things in a row that could not be read because the source is broken. */
  broken: number
  readonly samples: ReturnType<typeof createSamples>
  wants(kind: string): boolean
  /** Whether the report has a row for this. */
  tells(kind: Kind): boolean
}

/** `isUnread`: nobody knows what it is there. */
export type Left = { field?: string; why: string; isUnread?: boolean }

/** `changes`: fields that are not here as there. `left`: what was not taken over, and why. */
export type Noted = {
  name: string
  /** None: it is about several of them, and only what was left out is told. */
  outcome?: Outcome
  changes?: readonly string[]
  left?: readonly Left[]
}

export function note(
  { mode, state, left }: Run,
  kind: string,
  { name, outcome, changes = [], left: reasons = [] }: Noted,
) {
  const { counts } = state.kind(kind)
  if (outcome) counts[outcome] += 1
  for (const { field, why, isUnread } of reasons) {
    if (isUnread) counts.unread += 1
    const place = field === undefined || field === '' ? '' : `${field.replaceAll(/\.\d+(?=\.|$)/g, '')}: `
    addReason(counts, name, place + why)
    left.add({ kind, name, ...(field !== undefined && { field }), why })
  }
  if (mode !== 'verify' || (outcome !== 'created' && outcome !== 'updated')) return
  const why = outcome === 'created' ? 'is not here' : `differs here: ${changes.join(', ')}`
  left.add({ kind, name, why })
}

/** Whatever was noted until now is true, and is not done again. */
export function commit({ state, left }: Run): void {
  left.flush()
  state.leftBytes = left.bytes
  state.save()
}

/** A whole list, page by page, some pages at a time. Goes on where an earlier run was ended. */
export async function streamKind(
  run: Run,
  list: { kind: string; path: string; query?: Query },
  work: (items: Item[]) => Promise<{ kind: string; noted: Noted[] }[]>,
): Promise<void> {
  const own = run.state.kind(list.kind)
  if (own.done) return
  const progress = createProgress(list.kind, own.counts.there, run.screen)
  try {
    const pages = listSteady(run.source, list.path, own.next, list.query)
    await inOrder(
      pages,
      run.lanes,
      (page) => work(page.items),
      (page, made) => {
        own.counts.there += page.items.length
        for (const { kind, noted } of made) {
          if (kind !== list.kind) run.state.kind(kind).counts.there += noted.length
          for (const it of noted) note(run, kind, it)
        }
        // A place that moves is none to go on at: such a list is noted when it is over.
        if (page.canGoOn) {
          own.next = page.next
          commit(run)
        }
        progress.show(own.counts.there, page.total, page.isCapped)
      },
    )
    finishKind(run, list.kind)
  } catch (error) {
    leaveRefused(run, list.kind, error)
  } finally {
    progress.end()
  }
}

export function finishKind(run: Run, kind: string): void {
  run.state.kind(kind).done = true
  commit(run)
}

/** Its list cannot be read: the others can. A service that has no such list has nothing of it; anything else is a fault. */
export function leaveRefused(run: Run, kind: string, error: unknown): void {
  if (!(error instanceof ListRefusal)) throw error
  const own = run.state.kind(kind)
  own.isLeft = true
  if (!error.isMissing) own.counts.unread += 1
  leaveKind(run, kind, error.message)
}

/** All of it is left out. */
export function leaveKind(run: Run, kind: string, why: string): void {
  addReason(run.state.kind(kind).counts, '*', why)
  run.left.add({ kind, name: '*', why })
  finishKind(run, kind)
}
