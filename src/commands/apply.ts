import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Static } from 'typebox'
import { parse as parseYaml } from 'yaml'
import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import { layoutWarnings } from '../core/layouts/whole-page.ts'
import {
  type CurrentWorkflow,
  createWorkflow,
  lockCurrentWorkflow,
  replaceWorkflow,
} from '../core/workflows/save-workflow.ts'
import { workflowId, workflowInput } from '../core/workflows/workflow.ts'
import { ApiError } from '../errors.ts'
import { isPlainObject } from '../lib/canonical-json.ts'
import { findRefusedContent } from '../lib/read-json.ts'
import { fields } from '../lib/schemas.ts'
import { bodyValidator } from '../lib/validate.ts'
import { payloadSchemaFault } from '../render/payload-schema.ts'
import { listEnvironments } from '../store/access/environments.ts'
import type { Db, Env } from '../store/database.ts'
import { applyLayout, isSame, type LayoutFile, type Outcome, readLayout } from './apply-layout.ts'
import { applyTranslations, readTranslations } from './apply-translations.ts'
import { prepare, type Say } from './prepare.ts'

const fileInput = fields({ workflowId, ...workflowInput })
type FileInput = Static<typeof fileInput>
const checkInput = bodyValidator(fileInput)

type ReadFile = { file: string } & ({ workflow: FileInput } | { layout: LayoutFile })
type Applied = { file: string; name: string } & Outcome

// The same limit as for a body of the API.
const maxFileBytes = 1024 * 1024

/**
 * `apply <folder> [--environment <id>]`: every file of the folder, and of `layouts` in it, is a workflow or a layout; their
 * translations are beside them. All of it, or nothing.
 */
export async function applyCommand(config: Config, args: string[], say: Say): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { environment: { type: 'string' } },
    allowPositionals: true,
  })
  const [folder] = positionals
  if (!folder || positionals.length > 1) throw new Error('Say: apply <folder> [--environment <id>]')
  const faults: string[] = []
  const files = readFolder(folder, faults)
  const translations = readTranslations(folder, faults)
  const { ctx, close } = await prepare(config, () => {})
  try {
    const env = await pickEnvironment(ctx, values.environment)
    const applied = await ctx.database.write(env, async (db) => {
      const workflows = await applyAll(db, env, files, faults, ctx.clock())
      const faultsOfWords: string[] = []
      const words = await applyTranslations(db, env, translations, faultsOfWords, ctx.clock())
      refuse(faultsOfWords)
      return [...workflows, ...words.map((it) => ({ ...it, changes: [], warnings: [] }))]
    })
    for (const it of applied) {
      const changes = it.changes.length > 0 ? `: ${it.changes.join(', ')}` : ''
      say(`${it.outcome.padEnd(9)}  ${it.name}${changes}  (${it.file})`)
      for (const warning of it.warnings) say(`warning    ${it.name}: ${warning}`)
    }
    const count = (outcome: Applied['outcome']) => applied.filter((it) => it.outcome === outcome).length
    say(`${count('created')} created, ${count('changed')} changed, ${count('unchanged')} unchanged.`)
  } finally {
    await close()
  }
}

/** Throws when any file has a fault, also one of reading: then nothing is applied. */
async function applyAll(
  db: Db,
  env: Env,
  files: readonly ReadFile[],
  readFaults: readonly string[],
  now: Date,
): Promise<Applied[]> {
  const faults = [...readFaults]
  const applied: Applied[] = []
  for (const it of files) {
    const { file } = it
    try {
      const isLayout = 'layout' in it
      const outcome = await (isLayout ? applyLayout(db, env, it.layout, now) : applyOne(db, env, it.workflow, now))
      applied.push({ file, name: nameOf(it), ...outcome })
    } catch (error) {
      faults.push(...faultsOf(file, error))
    }
  }
  refuse(faults)
  return applied
}

function nameOf(file: ReadFile): string {
  return 'layout' in file ? `layout ${file.layout.layoutId}` : file.workflow.workflowId
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`Nothing was applied:\n- ${faults.join('\n- ')}`)
}

async function applyOne(db: Db, env: Env, input: FileInput, now: Date): Promise<Outcome> {
  // Here, not in a thread: the file is the operator's own.
  const judged = { input, schemaFault: input.payloadSchema ? payloadSchemaFault(input.payloadSchema) : null }
  for (;;) {
    const before = await lockCurrentWorkflow(db, env, input.workflowId)
    if (before?.workflow.identifier === input.workflowId) {
      const after = await replaceWorkflow(db, env, before, judged, now)
      const changes = after === before ? [] : changesBetween(before, after)
      return { outcome: after === before ? 'unchanged' : 'changed', changes, warnings: warningsOf(after) }
    }
    // Null: somebody else made it just now.
    const made = await createWorkflow(db, env, input.workflowId, judged, now)
    if (made) return { outcome: 'created', changes: [], warnings: warningsOf(made) }
  }
}

function warningsOf({ workflow }: CurrentWorkflow): string[] {
  return workflow.steps.flatMap((step) =>
    [step, ...(step.variants ?? [])].flatMap(({ compiled, controlValues }) =>
      [...(compiled?.warnings ?? []), ...layoutWarnings(step.type, controlValues, compiled !== undefined)].map(
        ({ message }) => `step ${step.stepId}: ${message}`,
      ),
    ),
  )
}

function changesBetween(before: CurrentWorkflow, after: CurrentWorkflow): string[] {
  const { steps: oldSteps, version: _old, ...old } = { ...before.workflow, active: before.active }
  const { steps: newSteps, version: _new, ...new_ } = { ...after.workflow, active: after.active }
  const [was, is] = [old, new_].map((it) => new Map<string, unknown>(Object.entries(it)))
  // Of both: a field that is no longer given has changed too.
  const names = new Set([...(is?.keys() ?? []), ...(was?.keys() ?? [])])
  const fieldsChanged = [...names].filter((name) => !isSame(is?.get(name), was?.get(name)))
  const [oldById, newById] = [oldSteps, newSteps].map((steps) => new Map(steps.map((step) => [step.stepId, step])))
  const added = newSteps.filter((step) => !oldById?.has(step.stepId)).map((step) => `+ step ${step.stepId}`)
  const removed = oldSteps.filter((step) => !newById?.has(step.stepId)).map((step) => `- step ${step.stepId}`)
  const changed = newSteps.flatMap((step) => {
    const former = oldById?.get(step.stepId)
    return former && !isSame(former, step) ? `step ${step.stepId}` : []
  })
  const changes = [...fieldsChanged, ...changed, ...added, ...removed]
  return changes.length > 0 ? changes : ['order of the steps']
}

/**
 * Layouts first, because workflows name them; each in the order of their ids, so that two runs at once wait for each other
 * instead of deadlocking.
 */
function readFolder(folder: string, faults: string[]): ReadFile[] {
  const inside = join(folder, 'layouts')
  const names = [
    ...filesIn(folder),
    ...(existsSync(inside) ? filesIn(inside).map((name) => join('layouts', name)) : []),
  ]
  if (names.length === 0) throw new Error(`There is no .yaml, .yml or .json file in ${folder}.`)
  const seen = new Map<string, string>()
  const files = names.sort().flatMap((file) => {
    try {
      const read: ReadFile = { file, ...readOne(join(folder, file)) }
      const said = 'layout' in read ? `layoutId "${read.layout.layoutId}"` : `workflowId "${read.workflow.workflowId}"`
      refuseTwice(seen, said, file)
      if ('layout' in read && read.layout.isDefault) refuseTwice(seen, 'isDefault', file)
      return [read]
    } catch (error) {
      faults.push(...faultsOf(file, error))
      return []
    }
  })
  const rank = (it: ReadFile) => ('layout' in it ? `0 ${it.layout.layoutId}` : `1 ${it.workflow.workflowId}`)
  return files.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /\.(ya?ml|json)$/i.test(name))
}

function refuseTwice(seen: Map<string, string>, said: string, file: string): void {
  const other = seen.get(said)
  if (other !== undefined) throw new Error(`${said} is that of ${other} too`)
  seen.set(said, file)
}

/** Validated like a body of POST /v2/workflows or /v2/layouts; a layout is what has a layoutId. */
function readOne(path: string): { workflow: FileInput } | { layout: LayoutFile } {
  const text = readFileSync(path, 'utf8')
  if (Buffer.byteLength(text) > maxFileBytes) throw new Error('is larger than 1 MB')
  // Converted to JSON and back, which removes what only YAML has (aliases, infinities).
  const value: unknown = JSON.parse(/\.json$/i.test(path) ? text : JSON.stringify(parseYaml(text)) || 'null')
  const refused = findRefusedContent(value)
  if (refused) throw new Error(`${refused.path || 'the file'} ${refused.reason}`)
  if (isPlainObject(value) && 'layoutId' in value) return { layout: readLayout(value) }
  checkInput(value)
  const input = value as FileInput
  return { workflow: { ...input, workflowId: input.workflowId.trim() } }
}

function faultsOf(file: string, error: unknown): string[] {
  const errors = error instanceof ApiError ? error.details.errors : undefined
  if (errors) {
    return Object.entries(errors).flatMap(([field, { messages }]) => messages.map((it) => `${file}: ${field} ${it}`))
  }
  // A fault of the database is not one of the file.
  if (!(error instanceof Error) || 'severity' in error) throw error
  // The YAML reader adds lines that show the place.
  return [`${file}: ${error.message.split('\n', 1)[0]?.replace(/:$/, '')}`]
}

async function pickEnvironment(ctx: Ctx, id: string | undefined): Promise<Env> {
  const environments = await listEnvironments(ctx.database.db)
  const found = id === undefined ? environments[0] : environments.find((it) => it.id === id)
  if (!found) throw new Error(`There is no environment ${id}; npm start -- environments list shows them.`)
  // No key makes these workflows, so the environment's id stands for the key.
  return { environmentId: found.id, organizationId: found.organizationId, keyId: found.id }
}
