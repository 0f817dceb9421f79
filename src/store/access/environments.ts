import { sql } from 'kysely'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'

export type EnvironmentRow = {
  id: string
  organizationId: string
  organizationName: string
  name: string
  /** Public: browsers name their environment by it. */
  identifier: string
}

/** The environment is not known yet, so an SQL function looks among all of them (see the migration). */
export async function findEnvironment(
  db: Db,
  identifier: string,
): Promise<{ environmentId: string; organizationId: string } | null> {
  const { rows } = await sql<{ environmentId: string; organizationId: string }>`
    select environment_id as "environmentId", organization_id as "organizationId"
    from find_environment(${identifier})`.execute(db)
  return rows[0] ?? null
}

export type InboxIdentity = { organizationId: string; name: string; identifier: string; signingSecret: string | null }

/** `signingSecret` is sealed. */
export async function getInboxIdentity(db: Db, env: Pick<Env, 'environmentId'>): Promise<InboxIdentity | null> {
  const { rows } = await sql<InboxIdentity>`
    select organization_id as "organizationId", name, identifier, signing_secret as "signingSecret"
    from environment where id = ${env.environmentId}`.execute(db)
  return rows[0] ?? null
}

export async function setSigningSecret(db: Db, env: Env, sealed: string): Promise<void> {
  await db.updateTable('environment').set({ signing_secret: sealed }).where('id', '=', env.environmentId).execute()
}

/** Oldest first. */
export async function listEnvironments(db: Db): Promise<EnvironmentRow[]> {
  const { rows } = await sql<EnvironmentRow>`
    select e.id, e.organization_id as "organizationId", o.name as "organizationName", e.name, e.identifier
    from environment e join organization o on o.id = e.organization_id order by e.id`.execute(db)
  return rows
}

export async function insertOrganization(db: Db, name: string, now: Date): Promise<string> {
  const id = uuid7(now)
  await db.insertInto('organization').values({ id, name }).execute()
  return id
}

export async function insertEnvironment(db: Db, organizationId: string, name: string, now: Date): Promise<string> {
  const id = uuid7(now)
  await db.insertInto('environment').values({ id, organization_id: organizationId, name }).execute()
  return id
}
