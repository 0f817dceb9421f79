import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

/** The value of a variable in one environment. */
export type VariableRow = {
  environmentId: string
  id: string
  key: string
  isSecret: boolean
  /** Sealed. Null: it has none there. */
  value: string | null
  updatedAt: Date
}

export type OwnVariable = Pick<VariableRow, 'environmentId' | 'id' | 'key' | 'isSecret'> & { value: string }

/** Those that have a value in this environment. */
export async function listOwnVariables(db: Db, env: Pick<Env, 'environmentId'>): Promise<OwnVariable[]> {
  const { rows } = await sql<OwnVariable>`
    select environment_id as "environmentId", id, key, is_secret as "isSecret", value from environment_variable
    where environment_id = ${env.environmentId} and value is not null`.execute(db)
  return rows
}

/** In these environments of an organization, also within a transaction of one of them (migration 0049). */
export async function listVariables(
  db: Db,
  { organizationId, environmentIds, key }: { organizationId: string; environmentIds: readonly string[]; key?: string },
): Promise<VariableRow[]> {
  const { rows } = await sql<VariableRow>`
    select v.environment_id as "environmentId", v.id, v.key, v.is_secret as "isSecret", v.value,
      v.updated_at as "updatedAt"
    from environment_variables_of(${organizationId}, ${environmentIds}::uuid[], ${key ?? null}) v`.execute(db)
  return rows
}

/** One transaction at a time changes the variables of an organization. */
export async function lockVariables(db: Db, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`variables ${organizationId}`}, 0))`.execute(db)
}

/** False: one of the environments has more than `most` then. */
export async function saveVariables(
  db: Db,
  organizationId: string,
  rows: readonly VariableRow[],
  most: number,
): Promise<boolean> {
  const { rows: answers } = await sql<{ fits: boolean }>`
    select save_environment_variables(${organizationId}, ${JSON.stringify(rows)}::jsonb, ${most}) as fits`.execute(db)
  return answers[0]?.fits ?? false
}

export async function deleteVariables(
  db: Db,
  { organizationId, environmentIds, key }: { organizationId: string; environmentIds: readonly string[]; key: string },
): Promise<void> {
  await sql`select delete_environment_variables(${organizationId}, ${environmentIds}::uuid[], ${key})`.execute(db)
}

// In JSON, where a new line is a backslash and an n, and other such characters are `\u` and four digits.
const before = String.raw`(?:^|[^\w.]|\\[bfnrt]|\\u[0-9a-f]{4})`
const blanks = String.raw`(?:\s|\\[bfnrt]|\\u00[01][0-9a-f])*`

export type VariableUser = { name: string; workflowId: string }

/** The workflows that ask for it, as `env.KEY` or `env["KEY"]`, in a template or a condition. */
export async function listVariableUsers(db: Db, env: Env, key: string): Promise<VariableUser[]> {
  // A key has only letters, digits and underscores.
  const asks = String.raw`${before}env${blanks}(\.${blanks}${key}(?!\w)|\[${blanks}\\*["']${key}\\*["'])`
  const { rows } = await sql<VariableUser>`
    select w.name, w.identifier as "workflowId" from workflow w
    join workflow_version v on v.environment_id = w.environment_id and v.workflow_id = w.id and v.version = w.version
    where w.environment_id = ${env.environmentId} and w.deleted_at is null
      and strpos(v.definition::text, ${key}) > 0 and v.definition::text ~ ${asks}
    order by w.identifier`.execute(db)
  return rows
}

export type VariableUse = { workflowId: string; key: string }

/** Which workflows ask for which of the variables that have a value here. */
export async function listVariableUses(db: Db, env: Env): Promise<VariableUse[]> {
  const asks = String.raw`${before}env${blanks}(?:\.${blanks}|\[${blanks}\\*["'])([A-Za-z]\w*)`
  const { rows } = await sql<VariableUse>`
    with texts as materialized (
      select w.identifier, v.definition::text as text from workflow w
      join workflow_version v on v.environment_id = w.environment_id and v.workflow_id = w.id and v.version = w.version
      where w.environment_id = ${env.environmentId} and w.deleted_at is null and exists (
        select 1 from environment_variable where environment_id = ${env.environmentId} and value is not null))
    select distinct t.identifier as "workflowId", m.found[1] as key
    from texts t cross join lateral regexp_matches(t.text, ${asks}, 'g') as m (found)
    join environment_variable v
      on v.environment_id = ${env.environmentId} and v.key = m.found[1] and v.value is not null
    where strpos(t.text, 'env') > 0
    order by 1, 2`.execute(db)
  return rows
}
