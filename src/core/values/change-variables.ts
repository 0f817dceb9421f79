import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { listOfOrganization, type OrganizationEnvironment } from '../../store/access/environments.ts'
import type { Db, Env } from '../../store/database.ts'
import {
  deleteVariables,
  listVariables,
  lockVariables,
  saveVariables,
  type VariableRow,
} from '../../store/values/variables.ts'
import { may, refuseUnless } from '../access/permissions.ts'
import { pickReachable } from '../access/reach.ts'
import { noteChange } from '../record/note-change.ts'
import { type NewVariable, secretMask, type Variable, type VariablePatch } from './variable-json.ts'

/** The values of variables are each environment's own: nobody sees or changes those of environments out of his reach. */
type Scope = { ctx: Ctx; db: Db; env: Env; now: Date }

const mostInEnvironment = 200

/** By their keys. `search`: a part of the key, in any case. */
export async function listReachableVariables(scope: Scope, search = ''): Promise<Variable[]> {
  const rows = await readRows(scope, await readableEnvironments(scope))
  const wanted = rows.filter(({ key }) => key.toLowerCase().includes(search.toLowerCase()))
  return [...Map.groupBy(wanted, ({ key }) => key).values()].flatMap((ofKey) => toVariable(scope, ofKey) ?? [])
}

export async function getVariable(scope: Scope, key: string): Promise<Variable> {
  const found = toVariable(scope, await readRows(scope, await readableEnvironments(scope), key))
  if (!found) throw new ApiError('variable_not_found')
  return found
}

/** Without values it is known in the environment of the request, and has none. */
export async function createVariable(
  scope: Scope,
  { key, isSecret = false, values = [] }: NewVariable,
): Promise<Variable> {
  const all = await begin(scope)
  const given = openValues(scope, all, values)
  if ((await readRows(scope, readable(scope, all), key)).length > 0) throw new ApiError('variable_exists')
  if (given.size === 0) given.set(scope.env.environmentId, null)
  const rows = [...given].map(([environmentId, value], place) =>
    newRow(scope, { environmentId, key, isSecret, value }, place),
  )
  return save(scope, [], rows)
}

/** What is not given stays, also the values of environments that are not named. */
export async function updateVariable(scope: Scope, key: string, patch: VariablePatch): Promise<Variable> {
  const all = await begin(scope)
  const environments = readable(scope, all)
  const before = await readRows(scope, environments, key)
  const known = toVariable(scope, before)
  if (!known) throw new ApiError('variable_not_found')
  const given = openValues(scope, all, patch.values ?? [])
  const { key: newKey = key, isSecret = known.isSecret } = patch
  if (known.isSecret && !isSecret)
    throw invalidField('isSecret', 'a secret stays one: delete it and make another', false)
  if (newKey !== key && (await readRows(scope, environments, newKey)).length > 0) throw new ApiError('variable_exists')
  // Of those before, some may be open still: they were made where this one could not be seen.
  const changesAll = newKey !== key || before.some((row) => row.isSecret !== isSecret)
  if (changesAll) for (const { environmentId } of before) refuseIn(scope, environmentId)
  const kept = before.flatMap((row) => {
    const isNamed = given.has(row.environmentId)
    const value = isNamed ? sealValue(scope, row, given.get(row.environmentId) ?? null) : row.value
    given.delete(row.environmentId)
    return isNamed || changesAll ? [{ ...row, key: newKey, isSecret, value, updatedAt: scope.now }] : []
  })
  const added = [...given].map(([environmentId, value], place) =>
    newRow(scope, { environmentId, key: newKey, isSecret, value }, place),
  )
  return save(scope, before, [...kept, ...added])
}

export async function deleteVariable(scope: Scope, key: string): Promise<void> {
  const rows = await readRows(scope, readable(scope, await begin(scope)), key)
  if (rows.length === 0) throw new ApiError('variable_not_found')
  for (const { environmentId } of rows) refuseIn(scope, environmentId)
  const environmentIds = rows.map(({ environmentId }) => environmentId)
  await deleteVariables(scope.db, { organizationId: scope.env.organizationId, environmentIds, key })
  for (const row of rows) note(scope, row, null)
}

async function begin({ db, env }: Scope): Promise<OrganizationEnvironment[]> {
  await lockVariables(db, env.organizationId)
  return listOfOrganization(db, env.organizationId)
}

async function readableEnvironments(scope: Scope): Promise<string[]> {
  return readable(scope, await listOfOrganization(scope.db, scope.env.organizationId))
}

function readable({ env }: Scope, all: readonly OrganizationEnvironment[]): string[] {
  const open = all.filter((it) => it.deletedAt === null && !it.isElsewhere)
  return open.flatMap(({ id }) => (may({ ...env, environmentId: id }, 'read') ? id : []))
}

function readRows({ db, env }: Scope, environmentIds: readonly string[], key?: string): Promise<VariableRow[]> {
  const { organizationId } = env
  return listVariables(db, { organizationId, environmentIds, ...(key !== undefined && { key }) })
}

/** By environment, which is named by its id, slug or public identifier. */
function openValues(
  scope: Scope,
  all: readonly OrganizationEnvironment[],
  values: NonNullable<NewVariable['values']>,
): Map<string, string | null> {
  const given = new Map<string, string | null>()
  for (const [place, { _environmentId, value }] of values.entries()) {
    const found = pickReachable(all, scope.env, _environmentId)
    if (!found || found.deletedAt !== null) throw new ApiError('environment_not_found')
    if (found.isElsewhere) throw new ApiError('environment_elsewhere')
    refuseIn(scope, found.id)
    if (value === secretMask) throw invalidField(`values.${place}.value`, 'is what stands in place of a secret', value)
    if (given.has(found.id)) throw invalidField(`values.${place}._environmentId`, 'is named twice', _environmentId)
    given.set(found.id, value)
  }
  return given
}

function refuseIn({ env }: Scope, environmentId: string): void {
  refuseUnless({ ...env, environmentId }, 'credentials')
}

type Given = { environmentId: string; key: string; isSecret: boolean; value: string | null }

/** `place`: in the call, so that each has an id of its own. */
function newRow(scope: Scope, { value, ...it }: Given, place: number): VariableRow {
  const row = { ...it, id: uuid7(scope.now, place), updatedAt: scope.now }
  return { ...row, value: sealValue(scope, row, value) }
}

function sealValue({ ctx }: Scope, row: { environmentId: string; id: string }, value: string | null): string | null {
  return value === null ? null : ctx.sealer.seal(secretPlaces.variable(row), value)
}

async function save(scope: Scope, before: readonly VariableRow[], changed: readonly VariableRow[]): Promise<Variable> {
  const { db, env } = scope
  if (changed.length > 0 && !(await saveVariables(db, env.organizationId, changed, mostInEnvironment))) {
    throw new ApiError('too_many_variables')
  }
  for (const row of changed) note(scope, before.find(({ id }) => id === row.id) ?? null, row)
  const ids = new Set(changed.map(({ id }) => id))
  const saved = toVariable(scope, [...before.filter(({ id }) => !ids.has(id)), ...changed])
  if (!saved) throw new Error('a saved variable is there')
  return saved
}

/** Null: no rows. The order of the rows is that of their environments. */
function toVariable({ ctx, env }: Scope, rows: readonly VariableRow[]): Variable | null {
  const [oldest] = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  if (!oldest) return null
  const isSecret = rows.some((row) => row.isSecret)
  const open = (row: VariableRow) => (isSecret || row.value === null ? row.value : openValue(ctx, row, row.value))
  return {
    id: oldest.id,
    organizationId: env.organizationId,
    key: oldest.key,
    isSecret,
    values: rows
      .toSorted((a, b) => (a.environmentId < b.environmentId ? -1 : 1))
      .map((row) => ({ environmentId: row.environmentId, value: open(row) })),
    updatedAt: new Date(Math.max(...rows.map(({ updatedAt }) => updatedAt.getTime()))),
  }
}

function openValue(ctx: Ctx, row: VariableRow, value: string): string {
  return ctx.sealer.open(secretPlaces.variable(row), value)
}

/** In the record of changes of its environment; of a secret only that it is another one. */
function note({ ctx, db }: Scope, before: VariableRow | null, after: VariableRow | null): void {
  const row = after ?? before
  if (!row) return
  const isSecret = before?.isSecret || after?.isSecret
  const shown = (it: VariableRow, isNew: boolean) => {
    const isOther = isNew && it.value !== before?.value
    const secret = isOther ? `${secretMask} (new)` : secretMask
    const value = it.value === null ? null : isSecret ? secret : openValue(ctx, it, it.value)
    return { key: it.key, isSecret: it.isSecret, value }
  }
  noteChange(
    db,
    { type: 'environment-variable', id: row.key },
    {
      ...(before && { before: shown(before, false) }),
      ...(after && { after: shown(after, true) }),
      place: row.environmentId,
    },
  )
}
