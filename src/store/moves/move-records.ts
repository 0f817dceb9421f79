import { sql } from 'kysely'
import type { Db } from '../database.ts'

export type MoveStep = 'copying' | 'departed' | 'finished' | 'compared' | 'forgotten'

/** Stands in the cell that is left. */
export type MoveRecord = {
  environmentId: string
  fromCell: string
  toCell: string
  step: MoveStep
  startedAt: Date
  departedAt: Date | null
  subscriptionOid: string | null
  targetSystem: string | null
  report: Record<string, unknown>
}

const columns = sql`environment_id as "environmentId", from_cell as "fromCell", to_cell as "toCell", step,
  started_at as "startedAt", departed_at as "departedAt", subscription_oid::text as "subscriptionOid",
  target_system as "targetSystem", report`

export async function findMove(db: Db, environmentId: string): Promise<MoveRecord | null> {
  const { rows } = await sql<MoveRecord>`
    select ${columns} from environment_move where environment_id = ${environmentId}`.execute(db)
  return rows[0] ?? null
}

export async function listMoves(db: Db): Promise<MoveRecord[]> {
  const { rows } = await sql<MoveRecord>`select ${columns} from environment_move order by started_at`.execute(db)
  return rows
}

/** Rows that were left behind longer ago than this, by the database's clock. */
export async function isGraceOver(db: Db, environmentId: string, graceDays: number): Promise<boolean> {
  const { rows } = await sql<{ over: boolean }>`
    select departed_at <= clock_timestamp() - ${graceDays} * interval '1 day' as over from environment_move
    where environment_id = ${environmentId}`.execute(db)
  return rows[0]?.over ?? false
}

/** Takes the place of an earlier move from here that is over. */
export async function beginMove(
  db: Db,
  it: Pick<MoveRecord, 'environmentId' | 'fromCell' | 'toCell' | 'targetSystem'>,
): Promise<void> {
  await sql`
    insert into environment_move (environment_id, from_cell, to_cell, step, target_system)
    values (${it.environmentId}, ${it.fromCell}, ${it.toCell}, 'copying', ${it.targetSystem})
    on conflict (environment_id) do update set from_cell = excluded.from_cell, to_cell = excluded.to_cell,
      step = excluded.step, target_system = excluded.target_system, subscription_oid = null, started_at = now(),
      departed_at = null, changed_at = now(), report = '{}'
    where environment_move.step in ('finished', 'compared', 'forgotten')`.execute(db)
}

export async function noteSubscription(db: Db, environmentId: string, oid: string): Promise<void> {
  await sql`update environment_move set subscription_oid = ${oid}::bigint, changed_at = now()
    where environment_id = ${environmentId}`.execute(db)
}

/** `report` is added to what is there. */
export async function noteStep(
  db: Db,
  environmentId: string,
  step: MoveStep,
  report: Record<string, unknown> = {},
): Promise<void> {
  await sql`
    update environment_move set step = ${step}, changed_at = now(), report = report || ${JSON.stringify(report)}::jsonb,
      departed_at = case when ${step} = 'departed' then clock_timestamp() else departed_at end
    where environment_id = ${environmentId}`.execute(db)
}

export async function removeMove(db: Db, environmentId: string): Promise<void> {
  await sql`delete from environment_move where environment_id = ${environmentId}`.execute(db)
}

/** In the control database. An older word than the one that is there changes nothing. */
export async function placeEnvironment(
  db: Db,
  it: { environmentId: string; cell: string; generation: number },
): Promise<void> {
  await sql`
    insert into placement as p (environment_id, cell, generation) values (${it.environmentId}, ${it.cell}, ${it.generation})
    on conflict (environment_id) do update set cell = excluded.cell, generation = excluded.generation, changed_at = now()
    where p.generation < excluded.generation`.execute(db)
}
