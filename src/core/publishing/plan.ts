import { ApiError, type FieldErrors, invalidField, validationFailed } from '../../errors.ts'
import type { LayoutHead, Side, WordsHead, WorkflowHead } from '../../store/publishing/heads.ts'
import { mostLayouts } from '../layouts/save-layout.ts'
import { maxLocales } from '../translations/save-translations.ts'
import { type Difference, idOf, keyOf, localeSetting, type ResourceKind } from './differences.ts'

/** Without a kind: whatever has this name, a workflow before a layout before words. */
export type Chosen = { kind?: ResourceKind | undefined; key: string }
type Id = string

export type Plan = {
  planned: readonly Difference[]
  /** What stays although it is gone in the source. */
  kept: readonly { difference: Difference; reason: string }[]
}

type Sides = { source: Side; target: Side; differences: readonly Difference[] }

/** What is to be done, with everything it depends on. `chosen` null: all but what goes only if it is chosen. */
export function makePlan(sides: Sides, chosen: readonly Chosen[] | null): Plan {
  const { differences, source, target } = sides
  const named = chosen === null ? null : readChosen(sides, chosen)
  const wanted = named && withNeeds(createNeeds(sides), named)
  const first = differences.filter((it) => (wanted ? wanted.has(idOf(it)) : !it.onlyIfChosen))
  const removed = new Set(first.flatMap((it) => (it.action === 'deleted' ? [ownerId(it)] : [])))
  // Words do not outlive what they belong to.
  const along = differences.filter(
    (it) => it.kind === 'translation' && !it.source && removed.has(wordsOwnerId(it.target)),
  )
  const all = [...new Set([...first, ...along])]
  const kept = keepUsedLayouts(source, target, all, named)
  const planned = all.filter((it) => !kept.some(({ difference }) => difference === it || belongsTo(it, difference)))
  checkLimits(target, planned)
  return { planned, kept }
}

function ownerId(it: Difference): Id {
  return it.kind === 'workflow' || it.kind === 'layout' ? idOf(it) : ''
}

function wordsOwnerId(head: WordsHead | null): Id {
  return head ? idOf({ kind: head.owner, key: head.ownerIdentifier }) : ''
}

function belongsTo(it: Difference, owner: Difference): boolean {
  return it.kind === 'translation' && wordsOwnerId(it.source ?? it.target) === idOf(owner)
}

/** Throws 422 for what is on neither side. */
function readChosen({ source, target }: Sides, chosen: readonly Chosen[]): Id[] {
  const known = new Set([idOf({ kind: 'setting', key: localeSetting })])
  for (const side of [source, target]) {
    for (const head of [...side.workflows, ...side.layouts, ...side.words]) {
      known.add(idOf({ kind: head.kind, key: keyOf(head) }))
    }
  }
  const faults: FieldErrors = {}
  const kinds = ['workflow', 'layout', 'translation', 'setting'] as const
  const ids = chosen.map(({ kind, key }, index) => {
    const id = (kind ? [kind] : kinds).map((it) => idOf({ kind: it, key })).find((it) => known.has(it))
    if (id === undefined) {
      const messages = [`names no ${kind ?? 'resource'} of either environment`]
      faults[`resources.${index}.resourceId`] = { messages, value: key }
    }
    return id ?? ''
  })
  if (Object.keys(faults).length > 0) throw validationFailed(faults)
  return ids
}

/** A walk that enters each thing once, so nothing depends on itself for ever. */
export function withNeeds(needsOf: (id: Id) => Id[], named: readonly Id[]): Set<Id> {
  const wanted = new Set<Id>()
  const open = [...named]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (wanted.has(id)) continue
    wanted.add(id)
    open.push(...needsOf(id))
  }
  return wanted
}

/** What has to be in the target, too, so that a message looks there as in the source. */
export function createNeeds({ source, target, differences }: Sides): (id: Id) => Id[] {
  const workflows = new Map(source.workflows.map((head) => [idOf({ kind: 'workflow', key: keyOf(head) }), head]))
  const inTarget = new Set(
    [...target.workflows, ...target.layouts].map((it) => idOf({ kind: it.kind, key: keyOf(it) })),
  )
  const words = Map.groupBy(
    differences.flatMap((it) => (it.kind === 'translation' && !it.onlyIfChosen ? it : [])),
    (it) => wordsOwnerId(it.source ?? it.target),
  )
  const owners = new Map(
    source.words.map((head) => [idOf({ kind: 'translation', key: keyOf(head) }), wordsOwnerId(head)]),
  )
  const setting = idOf({ kind: 'setting', key: localeSetting })
  const layoutId = (key: string) => idOf({ kind: 'layout', key })
  return (id) => {
    const workflow = workflows.get(id)
    const own = (words.get(id) ?? []).map(idOf)
    const owner = owners.get(id)
    if (owner !== undefined) return [setting, ...(inTarget.has(owner) ? [] : [owner])]
    if (!workflow) return own
    const frame = workflow.usesDefault ? defaultFor(source, target) : null
    return [...own, ...workflow.layouts.map(layoutId), ...(frame ? [layoutId(frame.identifier)] : [])]
  }
}

/** The layout around a mail that names none. If the source has no such layout, the target's is to be it no longer. */
function defaultFor(source: Side, target: Side): LayoutHead | null {
  const own = source.layouts.find((it) => it.isDefault)
  if (own) return own
  const other = target.layouts.find((it) => it.isDefault)
  return source.layouts.find((it) => it.identifier === other?.identifier) ?? null
}

/** A layout that a workflow of the target will still name cannot go. Throws where somebody chose to remove it. */
function keepUsedLayouts(
  source: Side,
  target: Side,
  planned: readonly Difference[],
  named: readonly Id[] | null,
): { difference: Difference; reason: string }[] {
  const changed = new Map(planned.flatMap((it) => (it.kind === 'workflow' ? [[it.key, it.source]] : [])))
  const after: WorkflowHead[] = [
    ...target.workflows.flatMap((head) => (changed.has(head.identifier) ? (changed.get(head.identifier) ?? []) : head)),
    ...source.workflows.filter((it) => changed.get(it.identifier) === it),
  ]
  return planned.flatMap((difference) => {
    if (difference.kind !== 'layout' || difference.action !== 'deleted') return []
    const users = after.filter((it) => it.layouts.includes(difference.key)).map(({ identifier }) => identifier)
    if (users.length === 0) return []
    const some = [...new Set(users)].slice(0, 10).join(', ')
    if (named?.includes(idOf(difference))) {
      throw new ApiError('layout_in_use', { message: `These workflows name the layout ${difference.key}: ${some}.` })
    }
    return [{ difference, reason: `These workflows of the target name it: ${some}.` }]
  })
}

/** Those that hold for changes by hand. */
export function checkLimits(target: Side, planned: readonly Difference[]): void {
  const change = (it: Difference) => (it.action === 'added' ? 1 : it.action === 'deleted' ? -1 : 0)
  const layouts = planned.reduce((sum, it) => sum + (it.kind === 'layout' ? change(it) : 0), target.layouts.length)
  if (layouts > mostLayouts && layouts > target.layouts.length) throw new ApiError('too_many_layouts')
  const locales = new Map<Id, number>()
  for (const head of target.words) locales.set(wordsOwnerId(head), (locales.get(wordsOwnerId(head)) ?? 0) + 1)
  for (const it of planned) {
    if (it.kind !== 'translation') continue
    const owner = wordsOwnerId(it.source ?? it.target)
    const count = (locales.get(owner) ?? 0) + change(it)
    locales.set(owner, count)
  }
  for (const [owner, count] of locales) {
    if (count > maxLocales)
      throw invalidField('resources', `would give the ${owner} ${count} languages: there are at most ${maxLocales}`)
  }
}
