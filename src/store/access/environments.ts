import { sql } from 'kysely'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db } from '../database.ts'

export type EnvironmentRow = { id: string; organizationId: string; organizationName: string; name: string }

/** Oldest first. */
export async function listEnvironments(db: Db): Promise<EnvironmentRow[]> {
  const { rows } = await sql<EnvironmentRow>`
    select e.id, e.organization_id as "organizationId", o.name as "organizationName", e.name
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
