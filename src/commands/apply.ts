import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Static } from 'typebox'
import { parse as parseYaml } from 'yaml'
import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import {
  type CurrentWorkflow,
  createWorkflow,
  lockCurrentWorkflow,
  replaceWorkflow,
} from '../core/workflows/save-workflow.ts'
import { workflowId, workflowInput } from '../core/workflows/workflow.ts'
import { ApiError } from '../errors.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { findRefusedContent } from '../lib/read-json.ts'
import { fields } from '../lib/schemas.ts'
import { bodyValidator } from '../lib/validate.ts'
import { payloadSchemaFault } from '../render/payload-schema.ts'
import { listEnvironments } from '../store/access/environments.ts'
import type { Db, Env } from '../store/database.ts'
import { applyTranslations, readTranslations } from './apply-translations.ts'
import { prepare, type Say } from './prepare.ts'

const fileInput = fields({ workflowId, ...workflowInput })
type FileInput = Static<typeof fileInput>
const checkInput = bodyValidator(fileInput)

type ReadFile = { file: string; input: FileInput }
type Applied = {
  file: string
  workflowId: string
  outcome: 'created' | 'changed' | 'unchanged'
  changes: string[]
  /** What of its blocks is not sent as it stands there. */
  warnings: string[]
}

// The same limit as for a body of the API.
const maxFileBytes = 1024 * 1024

/** `apply <folder> [--environment <id>]`: every file of the folder is a workflow, beside its translations. All, or none. */
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
      return [...workflows, ...words.map((it) => ({ ...it, workflowId: it.name, changes: [], warnings: [] }))]
    })
    for (const it of applied) {
      const changes = it.changes.length > 0 ? `: ${it.changes.join(', ')}` : ''
      say(`${it.outcome.padEnd(9)}  ${it.workflowId}${changes}  (${it.file})`)
      for (const warning of it.warnings) say(`warning    ${it.workflowId}: ${warning}`)
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
  for (const { file, input } of files) {
    try {
      applied.push({ file, workflowId: input.workflowId, ...(await applyOne(db, env, input, now)) })
    } catch (error) {
      faults.push(...faultsOf(file, error))
    }
  }
  refuse(faults)
  return applied
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`Nothing was applied:\n- ${faults.join('\n- ')}`)
}

async function applyOne(db: Db, env: Env, input: FileInput, now: Date): Promise<Omit<Applied, 'file' | 'workflowId'>> {
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
  return workflow.steps.flatMap(({ stepId, compiled, variants = [] }) =>
    [compiled, ...variants.map((variant) => variant.compiled)].flatMap((made) =>
      (made?.warnings ?? []).map(({ message }) => `step ${stepId}: ${message}`),
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

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b)
}

/** In the order of their workflowIds, so that two runs at once wait for each other instead of deadlocking. */
function readFolder(folder: string, faults: string[]): ReadFile[] {
  const names = readdirSync(folder).filter((name) => /\.(ya?ml|json)$/i.test(name))
  if (names.length === 0) throw new Error(`There is no .yaml, .yml or .json file in ${folder}.`)
  const seen = new Map<string, string>()
  const files = names.sort().flatMap((file) => {
    try {
      const input = readWorkflow(join(folder, file))
      const other = seen.get(input.workflowId)
      if (other !== undefined) throw new Error(`workflowId "${input.workflowId}" is that of ${other} too`)
      seen.set(input.workflowId, file)
      return [{ file, input }]
    } catch (error) {
      faults.push(...faultsOf(file, error))
      return []
    }
  })
  return files.sort((a, b) => (a.input.workflowId < b.input.workflowId ? -1 : 1))
}

/** Validated like a body of POST /v2/workflows. */
function readWorkflow(path: string): FileInput {
  const text = readFileSync(path, 'utf8')
  if (Buffer.byteLength(text) > maxFileBytes) throw new Error('is larger than 1 MB')
  // Converted to JSON and back, which removes what only YAML has (aliases, infinities).
  const value: unknown = JSON.parse(/\.json$/i.test(path) ? text : JSON.stringify(parseYaml(text)) || 'null')
  const refused = findRefusedContent(value)
  if (refused) throw new Error(`${refused.path || 'the file'} ${refused.reason}`)
  checkInput(value)
  const input = value as FileInput
  return { ...input, workflowId: input.workflowId.trim() }
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
