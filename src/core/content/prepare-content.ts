import type { Ctx } from '../../context.ts'
import { ApiError, type FieldErrors } from '../../errors.ts'
import { canonicalJson, isPlainObject } from '../../lib/canonical-json.ts'
import { chunksByWeight, createPauses } from '../../lib/chunks.ts'
import type { Env } from '../../store/database.ts'
import { readContents } from '../../store/publishing/contents.ts'
import { type AnyHead, headKey, loadSide, type Manifest, type Side } from '../../store/publishing/heads.ts'
import { layoutFaults } from '../layouts/check-layouts.ts'
import { toLayoutContent } from '../layouts/compile-layout.ts'
import { type LayoutDefinition, toLayoutDefinition } from '../layouts/layout.ts'
import { isSameLayout } from '../layouts/save-layout.ts'
import { layoutWarnings } from '../layouts/whole-page.ts'
import { type Changes, changesOfLayout, changesOfObject, changesOfWorkflow } from '../publishing/changes.ts'
import { type Difference, keyOf } from '../publishing/differences.ts'
import { checkContent } from '../translations/judge-content.ts'
import { findSchemaFaults } from '../workflows/judge-payloads.ts'
import { isSameDefinition } from '../workflows/save-workflow.ts'
import type { WorkflowDefinition } from '../workflows/workflow.ts'
import { toDefinition } from '../workflows/workflow-input.ts'
import { type Entry, readEntry } from './content-input.ts'

/** An entry, and what saving it would do. `difference`: null if it is what is there already. */
export type Item = Changes & {
  entry: Entry
  difference: Difference | null
  warnings: string[]
  /** Of a workflow that is there and is to be switched. */
  switchTo: boolean | null
}

export type Prepared = {
  side: Side
  items: Item[]
  /** Of what differs, by `headKey`. */
  contents: Map<string, string>
  faults: FieldErrors
}

const nothing = { changes: [], isShortened: false, warnings: [], switchTo: null }
/** What a head of the store knows and a file does not. */
const unsaved = { hash: '', updatedAt: null, updatedBy: null }

/** Everything slow: checked, compiled and compared with what the environment holds by this manifest. */
export async function prepareContent(
  ctx: Ctx,
  env: Env,
  values: readonly unknown[],
  manifest: Manifest,
): Promise<Prepared> {
  const prepared: Prepared = {
    side: await ctx.database.read(env, (db) => loadSide(db, env, manifest)),
    items: [],
    contents: new Map(),
    faults: {},
  }
  const pause = createPauses()
  const entries: Entry[] = []
  const seen = new Set<string>()
  for (const [place, value] of values.entries()) {
    const entry = readEntry(value, place)
    if ('faults' in entry) addFaults(prepared, place, entry.faults)
    else if (seen.has(`${entry.kind} ${entry.key}`))
      addFault(prepared, place, `is there twice: ${entry.kind} ${entry.key}`)
    else entries.push(entry)
    if (!('faults' in entry)) seen.add(`${entry.kind} ${entry.key}`)
    await pause()
  }
  const before = await readBefore(ctx, env, prepared.side, entries)
  await prepareLayouts(prepared, entries, before)
  await prepareWorkflows(ctx, env, prepared, entries, before)
  await prepareWords(prepared, entries, before)
  prepared.items.sort((a, b) => a.entry.place - b.entry.place)
  return prepared
}

function addFaults({ faults }: Prepared, place: number, found: FieldErrors): void {
  for (const [path, fault] of Object.entries(found)) {
    faults[['resources', place, ...(path ? [path] : [])].join('.')] = fault
  }
}

function addFault(prepared: Prepared, place: number, message: string): void {
  addFaults(prepared, place, { '': { messages: [message] } })
}

/** Runs it; what the API would answer with 422 becomes faults of this entry. */
async function judged<T>(prepared: Prepared, place: number, work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    const errors = error instanceof ApiError ? error.details.errors : undefined
    if (!errors) throw error
    addFaults(prepared, place, errors)
    return null
  }
}

type Before = ReadonlyMap<string, { head: AnyHead; content: unknown }>

const portionChars = 4 * 1024 * 1024

/** What is there of all that is given, by kind and name. */
async function readBefore(ctx: Ctx, env: Env, side: Side, entries: readonly Entry[]): Promise<Before> {
  const wanted = new Set(entries.map(({ kind, key }) => `${kind} ${key}`))
  const heads = [...side.workflows, ...side.layouts, ...side.words].filter((head) => wanted.has(nameOf(head)))
  const found = new Map<string, { head: AnyHead; content: unknown }>()
  const pause = createPauses()
  for (const portion of chunksByWeight(heads, portionChars, ({ size }) => size)) {
    const contents = await ctx.database.read(env, (db) => readContents(db, env, portion))
    for (const head of portion) {
      found.set(nameOf(head), { head, content: JSON.parse(contents.get(headKey(head)) ?? 'null') })
      await pause()
    }
  }
  return found
}

/** As `Entry` says it: locales as they are stored. */
function nameOf(head: AnyHead): string {
  if (head.kind !== 'translation') return `${head.kind} ${keyOf(head)}`
  return `translation ${head.owner}s/${head.ownerIdentifier}/${head.locale}`
}

async function prepareWorkflows(
  ctx: Ctx,
  env: Env,
  prepared: Prepared,
  entries: readonly Entry[],
  before: Before,
): Promise<void> {
  const own = entries.flatMap((entry) => (entry.kind === 'workflow' ? [entry] : []))
  const schemaFaults = await findSchemaFaults(
    { ctx, env },
    own.map(({ input }) => input.payloadSchema),
  )
  const layouts = new Set([
    ...prepared.side.layouts.map(({ identifier }) => identifier),
    ...entries.flatMap(({ kind, key }) => (kind === 'layout' ? key : [])),
  ])
  const now = ctx.clock()
  for (const [index, entry] of own.entries()) {
    const { key, input, place } = entry
    const found = before.get(`workflow ${key}`)
    const target = found?.head.kind === 'workflow' ? found.head : null
    // Written by us, from a validated definition.
    const previous = found ? (found.content as WorkflowDefinition) : null
    if (previous?.origin === 'external') {
      addFault(prepared, place, `is code of a bridge: ${key} is changed there`)
      continue
    }
    const fault = schemaFaults[index] ?? null
    const definition = await judged(prepared, place, () => toDefinition(input, previous, fault, now))
    if (!definition) continue
    addFaults(prepared, place, layoutFaults(definition, layouts))
    const switchTo = target && input.active !== undefined && input.active !== target.active ? input.active : null
    const warnings = warningsOf(definition)
    if (previous && isSameDefinition(definition, previous)) {
      prepared.items.push({ ...nothing, entry, difference: null, warnings, switchTo })
      continue
    }
    const text = JSON.stringify(definition)
    const { name } = definition
    const kept = { layouts: [], usesDefault: false, stepTypes: [], size: text.length, ...unsaved }
    const source = {
      kind: 'workflow' as const,
      id: key,
      identifier: key,
      name,
      version: 0,
      active: input.active ?? true,
      ...kept,
    }
    prepared.contents.set(headKey(source), text)
    const difference = { kind: 'workflow' as const, key, name, ...actionOf(target), source, target }
    const changes = previous ? changesOfWorkflow(previous, definition) : nothing
    prepared.items.push({ ...changes, entry, difference, warnings, switchTo })
  }
}

function actionOf(target: AnyHead | null): { action: 'added' | 'modified'; onlyIfChosen: false } {
  return { action: target ? 'modified' : 'added', onlyIfChosen: false }
}

function warningsOf({ steps }: WorkflowDefinition): string[] {
  return steps.flatMap((step) =>
    [step, ...(step.variants ?? [])].flatMap(({ compiled, controlValues }) =>
      [...(compiled?.warnings ?? []), ...layoutWarnings(step.type, controlValues, compiled !== undefined)].map(
        ({ message }) => `step ${step.stepId}: ${message}`,
      ),
    ),
  )
}

/** An entry says all of a layout; only whether it is the default stays as it is if it is not said. */
async function prepareLayouts(prepared: Prepared, entries: readonly Entry[], before: Before): Promise<void> {
  const pause = createPauses()
  const defaults: number[] = []
  for (const entry of entries) {
    if (entry.kind !== 'layout') continue
    await pause()
    const { key, place, input } = entry
    const { name, isTranslationEnabled = false, controlValues } = input
    if (input.isDefault) defaults.push(place)
    const content = await judged(prepared, place, () => toLayoutContent(controlValues?.email ?? null))
    if (!content) continue
    const found = before.get(`layout ${key}`)
    const target = found?.head.kind === 'layout' ? found.head : null
    const previous = found ? toLayoutDefinition(found.content) : null
    const definition: LayoutDefinition = { name, isTranslationEnabled, ...content }
    const isDefault = input.isDefault ?? target?.isDefault ?? false
    const warnings = definition.compiled.warnings.map(({ message }) => message)
    if (previous && target && isSameLayout(definition, previous) && isDefault === target.isDefault) {
      prepared.items.push({ ...nothing, entry, difference: null, warnings })
      continue
    }
    const text = JSON.stringify(definition)
    const source = {
      kind: 'layout' as const,
      id: key,
      identifier: key,
      name,
      edition: 0,
      isDefault,
      size: text.length,
      ...unsaved,
    }
    prepared.contents.set(headKey(source), text)
    const difference = { kind: 'layout' as const, key, name, ...actionOf(target), source, target }
    const changes =
      previous && target
        ? changesOfLayout({ ...previous, isDefault: target.isDefault }, { ...definition, isDefault })
        : nothing
    prepared.items.push({ ...changes, entry, difference, warnings, switchTo: null })
  }
  for (const place of defaults.slice(1)) addFault(prepared, place, 'isDefault is said by another layout, too')
}

async function prepareWords(prepared: Prepared, entries: readonly Entry[], before: Before): Promise<void> {
  const pause = createPauses()
  const { side } = prepared
  const owners = new Map([
    ...[...side.workflows, ...side.layouts].map((it) => [`${it.kind} ${it.identifier}`, it.name] as const),
    ...entries.flatMap((it) => (it.kind === 'translation' ? [] : [[`${it.kind} ${it.key}`, it.input.name] as const])),
  ])
  for (const entry of entries) {
    if (entry.kind !== 'translation') continue
    const { key, place, input } = entry
    const { resourceType: owner, resourceId: ownerIdentifier, locale } = input
    const ownerName = owners.get(`${owner} ${ownerIdentifier}`)
    if (ownerName === undefined) addFault(prepared, place, `there is no ${owner} ${ownerIdentifier}`)
    const content = await judged(prepared, place, () => checkContent(input.content, pause))
    if (!content || ownerName === undefined) continue
    const found = before.get(`translation ${key}`)
    const target = found?.head.kind === 'translation' ? found.head : null
    const previous = isPlainObject(found?.content) ? found.content : null
    if (previous && canonicalJson(previous) === canonicalJson(content)) {
      prepared.items.push({ ...nothing, entry, difference: null })
      continue
    }
    const text = JSON.stringify(content)
    const named = { owner, ownerIdentifier, ownerName, locale, edition: 0 }
    const source = {
      kind: 'translation' as const,
      id: `${owner} ${ownerIdentifier}`,
      ...named,
      size: text.length,
      ...unsaved,
    }
    prepared.contents.set(headKey(source), text)
    const difference = { kind: 'translation' as const, key, name: key, ...actionOf(target), source, target }
    const changes = previous ? changesOfObject(previous, content) : nothing
    prepared.items.push({ ...changes, entry, difference, warnings: [], switchTo: null })
  }
}
