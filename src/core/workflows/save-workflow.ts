import { canonicalJson } from '../../lib/canonical-json.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import { type CurrentVersion, listActiveWorkflows } from '../../store/preferences.ts'
import {
  findWorkflow,
  findWorkflowVersions,
  insertVersions,
  insertWorkflow,
  lockWorkflow,
  updateWorkflow,
} from '../../store/workflows.ts'
import { checkLayouts } from '../layouts/check-layouts.ts'
import { noteChange } from '../record/note-change.ts'
import {
  getWorkflows,
  toWorkflow,
  type Workflow,
  type WorkflowDefinition,
  type WorkflowInput,
  type WorkflowVersions,
} from './workflow.ts'
import { changeDefinition, toDefinition, type WorkflowChange } from './workflow-input.ts'

/** The newest version of a workflow, and what is not versioned. */
export type CurrentWorkflow = { workflow: Workflow; active: boolean; updatedAt: Date }

/** What was sent, and what is wrong with its payload schema (findSchemaFault), if anything is. */
type JudgedInput = { input: WorkflowInput; schemaFault: string | null }

/** By workflowId or `_id`. */
export async function findCurrentWorkflow(
  db: Db,
  env: Env,
  ref: string,
): Promise<(CurrentWorkflow & { edition: number | null }) | null> {
  const row = await findWorkflow(db, env, ref)
  return row && { ...toCurrent(row, await getWorkflows(db, env, [row])), edition: row.edition }
}

/** The same, locked until the transaction ends. */
export async function lockCurrentWorkflow(db: Db, env: Env, ref: string): Promise<CurrentWorkflow | null> {
  const row = await lockWorkflow(db, env, ref)
  return row && toCurrent(row, await getWorkflows(db, env, [row]))
}

/** The same of one that this transaction may have written: nothing of it is remembered, because it may still fail. */
export async function findUnsettledWorkflow(db: Db, env: Env, ref: string): Promise<CurrentWorkflow | null> {
  const row = await findWorkflow(db, env, ref)
  const [version] = row ? await findWorkflowVersions(db, env, [{ workflowId: row.id, version: row.version }]) : []
  return row && version ? { workflow: toWorkflow(version), active: row.active, updatedAt: row.updated_at } : null
}

export function toCurrent(row: CurrentVersion, versions: WorkflowVersions): CurrentWorkflow {
  const workflow = versions.of(row)
  if (!workflow) throw new Error(`workflow ${row.id} has no version ${row.version}`)
  return { workflow, active: row.active, updatedAt: row.updated_at }
}

/** Every active workflow, the oldest first. */
export async function loadCurrentWorkflows(db: Db, env: Env): Promise<CurrentWorkflow[]> {
  const rows = await listActiveWorkflows(db, env)
  const versions = await getWorkflows(db, env, rows)
  return rows.map((row) => toCurrent(row, versions))
}

/** Null if the identifier is taken. Active by default. */
export async function createWorkflow(
  db: Db,
  env: Env,
  identifier: string,
  { input, schemaFault }: JudgedInput,
  now: Date,
): Promise<CurrentWorkflow | null> {
  const definition = await toDefinition(input, null, schemaFault, now)
  await checkLayouts(db, env, definition)
  const active = input.active ?? true
  const id = uuid7(now)
  const made = await insertWorkflow(db, env, { id, identifier, name: definition.name, active, definition, now })
  if (!made) return null
  noteChange(db, { type: 'workflow', id, name: identifier }, { after: { active, ...asSent(definition) } })
  return { workflow: { ...definition, id, identifier, version: 1, createdBy: env.keyId }, active, updatedAt: now }
}

/** Replaces everything except the identifier; `active` stays if it is not given. */
export async function replaceWorkflow(
  db: Db,
  env: Env,
  current: CurrentWorkflow,
  { input, schemaFault }: JudgedInput,
  now: Date,
): Promise<CurrentWorkflow> {
  const definition = await toDefinition(input, current.workflow, schemaFault, now)
  await checkLayouts(db, env, definition)
  return save(db, env, current, { definition, active: input.active ?? current.active }, now)
}

export function changeWorkflow(
  db: Db,
  env: Env,
  current: CurrentWorkflow,
  { input: change, schemaFault }: { input: WorkflowChange & { active?: boolean }; schemaFault: string | null },
  now: Date,
): Promise<CurrentWorkflow> {
  const definition = changeDefinition(definitionOf(current.workflow), change, schemaFault)
  return save(db, env, current, { definition, active: change.active ?? current.active }, now)
}

/**
 * Writes a version only if something in it changed. Returns what was written without reading it back: getWorkflows
 * caches what it reads, and this transaction may still fail.
 */
async function save(
  db: Db,
  env: Env,
  current: CurrentWorkflow,
  { definition, active }: { definition: WorkflowDefinition; active: boolean },
  now: Date,
): Promise<CurrentWorkflow> {
  const { id, identifier, createdBy } = current.workflow
  const isNew = !isSameDefinition(definition, definitionOf(current.workflow))
  if (!isNew && active === current.active) return current
  const version = current.workflow.version + (isNew ? 1 : 0)
  if (isNew) await insertVersions(db, env, [{ id, version, definition: JSON.stringify(definition) }], now)
  await updateWorkflow(db, env, { id, name: definition.name, active, version, now })
  const before = { active: current.active, ...asSent(definitionOf(current.workflow)) }
  noteChange(db, { type: 'workflow', id, name: identifier }, { before, after: { active, ...asSent(definition) } })
  return { workflow: { ...definition, id, identifier, version, createdBy }, active, updatedAt: now }
}

export function isSameDefinition(a: WorkflowDefinition, b: WorkflowDefinition): boolean {
  return canonicalJson(asSent(a)) === canonicalJson(asSent(b))
}

/** Without what we add: saving the same again must not change how an old version renders. */
function asSent(definition: WorkflowDefinition): WorkflowDefinition {
  const steps = definition.steps.map(({ compiled: _made, variants, ...step }) => ({
    ...step,
    ...(variants && { variants: variants.map(({ compiled: _made, ...variant }) => variant) }),
  }))
  return { ...definition, steps, escapesHtml: true }
}

export function definitionOf({ id, identifier, version, createdBy, ...definition }: Workflow): WorkflowDefinition {
  return definition
}
