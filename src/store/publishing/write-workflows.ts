import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { tellOfWorkflows } from '../webhooks/tell.ts'

/*
 * Many workflows at once. Whoever calls holds the environment against changes by hand; only the switch of a workflow may
 * be turned meanwhile, and stays as it is.
 */

export type NewWorkflow = { id: string; identifier: string; name: string; active: boolean }

/** Their first versions are inserted by `insertVersions`. */
export async function insertWorkflows(db: Db, env: Env, rows: readonly NewWorkflow[], now: Date): Promise<void> {
  await sql`
    insert into workflow (environment_id, id, identifier, name, active, version, created_by, updated_at)
    select ${env.environmentId}, id, identifier, name, active, 1, ${env.keyId}, ${now}
    from unnest(${rows.map((it) => it.id)}::uuid[], ${rows.map((it) => it.identifier)}::text[],
      ${rows.map((it) => it.name)}::text[], ${rows.map((it) => it.active)}::boolean[])
      as given (id, identifier, name, active)`.execute(db)
}

/** `active`: null leaves it. Deleted ones are there again. */
export type WorkflowUpdate = { id: string; name: string; version: number; active: boolean | null }

export async function updateWorkflows(db: Db, env: Env, rows: readonly WorkflowUpdate[], now: Date): Promise<void> {
  await lockWorkflows(
    db,
    env,
    rows.map((it) => it.id),
  )
  await sql`
    update workflow w set name = g.name, version = g.version, active = coalesce(g.active, w.active), updated_at = ${now},
      deleted_at = null, deleted_by = null
    from unnest(${rows.map((it) => it.id)}::uuid[], ${rows.map((it) => it.name)}::text[],
      ${rows.map((it) => it.version)}::int[], ${rows.map((it) => it.active)}::boolean[]) as g (id, name, version, active)
    where w.environment_id = ${env.environmentId} and w.id = g.id`.execute(db)
}

/** `isTold`: endpoints hear of it anyway. */
export async function switchWorkflows(
  db: Db,
  env: Env,
  rows: readonly { id: string; active: boolean; isTold: boolean }[],
  now: Date,
): Promise<void> {
  await sql`
    update workflow w set active = g.active, updated_at = ${now}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ active }) => active)}::boolean[]) as g (id, active)
    where w.environment_id = ${env.environmentId} and w.id = g.id`.execute(db)
  const changes = rows.flatMap(({ id, isTold }) => (isTold ? [] : [{ id, type: 'workflow.updated' as const }]))
  await tellOfWorkflows(db, env, changes, now)
}

export async function deleteWorkflows(db: Db, env: Env, ids: readonly string[], now: Date): Promise<void> {
  await lockWorkflows(db, env, ids)
  await sql`
    update workflow w set deleted_at = ${now}, deleted_by = ${env.keyId}, active = false
    from unnest(${ids}::uuid[]) as g (id)
    where w.environment_id = ${env.environmentId} and w.id = g.id`.execute(db)
}

/** In an order, so that two who lock several wait for each other. */
async function lockWorkflows(db: Db, env: Env, ids: readonly string[]): Promise<void> {
  await sql`
    select 1 from unnest(${ids}::uuid[]) as g (id)
    join workflow w on w.environment_id = ${env.environmentId} and w.id = g.id
    order by w.id for no key update of w`.execute(db)
}

/** The id of each step by its stepId, of the versions that workflows have now. */
export async function findStepIds(
  db: Db,
  env: Env,
  ids: readonly string[],
): Promise<Map<string, ReadonlyMap<string, string>>> {
  const { rows } = await sql<{ id: string; steps: [string, string][] }>`
    select w.id, coalesce((select jsonb_agg(jsonb_build_array(s -> 'stepId', s -> 'id'))
      from jsonb_array_elements(v.definition -> 'steps') as s), '[]') as steps
    from unnest(${ids}::uuid[]) as g (id)
    join workflow w on w.environment_id = ${env.environmentId} and w.id = g.id
    join workflow_version v on v.environment_id = w.environment_id and v.workflow_id = w.id and v.version = w.version`.execute(
    db,
  )
  return new Map(rows.map(({ id, steps }) => [id, new Map(steps)]))
}
