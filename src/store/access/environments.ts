import { sql } from 'kysely'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import type { Slowed } from '../sends/slowed.ts'

/** Where things are made, or where they are published to. */
export const environmentTypes = ['dev', 'prod'] as const
export type EnvironmentType = (typeof environmentTypes)[number]

type Own = {
  id: string
  organizationId: string
  name: string
  /** Public: browsers name their environment by it. */
  identifier: string
  /** Part of its address in the dashboard. */
  slug: string
  color: string
  type: EnvironmentType
  /** What is published to it comes from there, unless another one is named. */
  parentId: string | null
  /** Workflows, layouts and translations change only by publishing. */
  protected: boolean
  deletedAt: Date | null
  /** Until then a deleted one can be restored. */
  purgedAfter: Date | null
  /** Its work waits behind that of others. */
  slowed: Slowed | null
}
export type EnvironmentRow = Own & { organizationName: string }
/** `isElsewhere`: it lives in another cell. */
export type OrganizationEnvironment = Own & { isElsewhere: boolean }

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

export type InboxIdentity = {
  organizationId: string
  name: string
  identifier: string
  signingSecret: string | null
  slowed: Slowed | null
}

/** `signingSecret` is sealed. */
export async function getInboxIdentity(db: Db, env: Pick<Env, 'environmentId'>): Promise<InboxIdentity | null> {
  const { rows } = await sql<InboxIdentity>`
    select organization_id as "organizationId", name, identifier, signing_secret as "signingSecret",
      case when (slowed ->> 'until')::timestamptz > now() then slowed end as slowed
    from environment where id = ${env.environmentId}`.execute(db)
  return rows[0] ?? null
}

export async function setSigningSecret(db: Db, env: Env, sealed: string): Promise<void> {
  await db.updateTable('environment').set({ signing_secret: sealed }).where('id', '=', env.environmentId).execute()
}

const own = sql`e.id, e.organization_id as "organizationId", e.name, e.identifier, e.slug, e.color, e.type,
  e.parent_id as "parentId", e.protected, e.deleted_at as "deletedAt", e.purged_after as "purgedAfter",
  case when (e.slowed ->> 'until')::timestamptz > now() then e.slowed end as slowed`

/** Of all organizations, oldest first, without the deleted ones. */
export async function listEnvironments(db: Db): Promise<EnvironmentRow[]> {
  return (await listAllEnvironments(db)).filter((it) => it.deletedAt === null)
}

export async function listAllEnvironments(db: Db): Promise<EnvironmentRow[]> {
  const { rows } = await sql<EnvironmentRow>`
    select ${own}, o.name as "organizationName"
    from environment e join organization o on o.id = e.organization_id order by e.id`.execute(db)
  return rows
}

/** Oldest first; deleted ones too. Also within a transaction of one of them (see migration 0042). */
export async function listOfOrganization(db: Db, organizationId: string): Promise<OrganizationEnvironment[]> {
  const { rows } = await sql<OrganizationEnvironment>`
    select ${own}, e.is_elsewhere as "isElsewhere" from environments_of(${organizationId}) e`.execute(db)
  return rows
}

export type NewEnvironment = {
  name: string
  slug: string
  color: string
  type: EnvironmentType
  parentId: string | null
}

export async function lockEnvironments(db: Db, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`environments ${organizationId}`}, 0))`.execute(db)
}

/** False: the slug is taken. */
export async function addEnvironment(db: Db, organizationId: string, id: string, it: NewEnvironment): Promise<boolean> {
  return isDone(
    db,
    sql`add_environment(${organizationId}, ${id}, ${it.name}, ${it.slug}, ${it.color}, ${it.type}, ${it.parentId})`,
  )
}

export type EnvironmentChange = {
  name?: string | undefined
  color?: string | undefined
  parentId?: string | undefined
  protected?: boolean | undefined
}

/** False: there is none in this organization. */
export async function changeEnvironment(
  db: Db,
  { id, organizationId }: Pick<Own, 'id' | 'organizationId'>,
  to: EnvironmentChange,
): Promise<boolean> {
  return isDone(
    db,
    sql`change_environment(${organizationId}, ${id}, ${to.name ?? null}, ${to.color ?? null}, ${to.parentId ?? null},
      ${to.protected ?? null})`,
  )
}

/** False: it is deleted already, or on its way to another cell. Throws 55P03 when writers do not end. */
export async function deleteEnvironment(
  db: Db,
  { id, organizationId }: Pick<Own, 'id' | 'organizationId'>,
  graceDays: number,
): Promise<boolean> {
  return isDone(db, sql`delete_environment(${organizationId}, ${id}, make_interval(days => ${graceDays}))`)
}

/** False: it is not deleted, or for too long. */
export async function restoreEnvironment(
  db: Db,
  { id, organizationId }: Pick<Own, 'id' | 'organizationId'>,
): Promise<boolean> {
  return isDone(db, sql`restore_environment(${organizationId}, ${id})`)
}

async function isDone(db: Db, call: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select ${call} as done`.execute(db)
  return rows[0]?.done ?? false
}

/** Those whose time to be restored is over. */
export async function listToPurge(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from environment where purged_after <= clock_timestamp() order by purged_after limit 10`.execute(db)
  return rows.map(({ id }) => id)
}

/** Its own row, after all that referred to it. */
export async function dropEnvironment(db: Db, id: string): Promise<void> {
  await sql`delete from environment where id = ${id} and purged_after <= clock_timestamp()`.execute(db)
}

export async function isProtected(db: Db, env: Pick<Env, 'environmentId'>): Promise<boolean> {
  const { rows } = await sql<{ protected: boolean }>`
    select protected from environment where id = ${env.environmentId} for share`.execute(db)
  return rows[0]?.protected ?? false
}

export async function insertOrganization(db: Db, name: string, now: Date): Promise<string> {
  const id = uuid7(now)
  await db.insertInto('organization').values({ id, name }).execute()
  return id
}

/** The first of an organization. */
export async function insertEnvironment(
  db: Db,
  organizationId: string,
  name: string,
  now: Date,
  more: Partial<Omit<NewEnvironment, 'name'>> = {},
): Promise<string> {
  const id = uuid7(now)
  const { parentId, ...columns } = more
  await db
    .insertInto('environment')
    .values({ id, organization_id: organizationId, name, ...columns, ...(parentId && { parent_id: parentId }) })
    .execute()
  return id
}
