import { sql } from 'kysely'
import type { Role } from '../access/grants.ts'
import type { Db } from '../database.ts'

/** What somebody is: everywhere in the organization, and in environments that are named. Null: nothing. */
export type Roles = { role: Role | null; environments: Readonly<Record<string, Role | null>> }

export type Member = Roles & {
  personId: string
  email: string
  name: string
  twoFactor: boolean
  hasPassword: boolean
  createdAt: Date
  lastSeenAt: Date | null
}

/** By the id of an environment; deleted ones are not named. */
export const rolesByEnvironment = sql`coalesce((
  select jsonb_object_agg(r.in_environment, r.role) from member_role r
  where r.organization_id = m.organization_id and r.person_id = m.person_id), '{}')`

/** Oldest first. `personId`: this one alone. */
export async function listMembers(db: Db, organizationId: string, personId: string | null = null): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select m.person_id as "personId", p.email, p.name, m.role, ${rolesByEnvironment} as environments,
      p.totp_confirmed_at is not null as "twoFactor", p.password_hash is not null as "hasPassword",
      m.created_at as "createdAt",
      (select max(s.last_seen_at) from person_session s
        where s.organization_id = m.organization_id and s.person_id = m.person_id) as "lastSeenAt"
    from member m join person p on p.id = m.person_id
    where m.organization_id = ${organizationId} and (${personId}::uuid is null or m.person_id = ${personId})
    order by m.created_at, m.person_id`.execute(db)
  return rows
}

/** With the invitations. */
export const mostMembers = 1_000

export async function countMembers(db: Db, organizationId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from member where organization_id = ${organizationId}`.execute(db)
  return rows[0]?.n ?? 0
}

/** One transaction at a time changes who is a member, and what. */
export async function lockMembers(db: Db, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`members ${organizationId}`}, 0))`.execute(db)
}

type Place = { organizationId: string; personId: string }

/** False: they are a member already. */
export async function insertMember(
  db: Db,
  { organizationId, personId }: Place,
  roles: Roles & { through?: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into member (organization_id, person_id, role, created_at, through)
    values (${organizationId}, ${personId}, ${roles.role}, ${now}, ${roles.through ?? null})
    on conflict do nothing returning person_id`.execute(db)
  if (rows.length === 0) return false
  await insertRoles(db, { organizationId, personId }, roles)
  return true
}

export async function setRoles(db: Db, place: Place, roles: Roles): Promise<void> {
  const { organizationId, personId } = place
  await sql`
    with gone as (
      delete from member_role where organization_id = ${organizationId} and person_id = ${personId}
        and in_environment <> all (${Object.keys(roles.environments)}::uuid[]))
    update member set role = ${roles.role}
    where organization_id = ${organizationId} and person_id = ${personId}`.execute(db)
  await insertRoles(db, place, roles)
}

/** Environments that are gone meanwhile are left out. */
async function insertRoles(db: Db, { organizationId, personId }: Place, { environments }: Roles): Promise<void> {
  const ids = Object.keys(environments)
  if (ids.length === 0) return
  await sql`
    insert into member_role (organization_id, person_id, in_environment, role)
    select ${organizationId}, ${personId}, e.id, given.role
    from unnest(${ids}::uuid[], ${Object.values(environments)}::text[]) given (id, role)
    join environments_of(${organizationId}) e on e.id = given.id
    on conflict (organization_id, person_id, in_environment) do update set role = excluded.role`.execute(db)
}

/** Ends their sessions too. */
export async function deleteMember(db: Db, { organizationId, personId }: Place): Promise<void> {
  await sql`delete from member where organization_id = ${organizationId} and person_id = ${personId}`.execute(db)
}

export type OwnOrganization = Roles & {
  id: string
  name: string
  /** A connection alone lets them in. */
  through: string | null
  /** Passwords let in nobody but owners. */
  ownersOnly: boolean
}

/** The organizations of a person, the one used last first. */
export async function listOrganizationsOf(db: Db, personId: string): Promise<OwnOrganization[]> {
  const { rows } = await sql<OwnOrganization>`
    select o.id, o.name, m.role, ${rolesByEnvironment} as environments, m.through,
      coalesce(s.passwords = 'owners-only', false) as "ownersOnly"
    from member m join organization o on o.id = m.organization_id
    left join organization_setting s on s.organization_id = o.id
    where m.person_id = ${personId}
    order by (select max(s.last_seen_at) from person_session s
      where s.organization_id = m.organization_id and s.person_id = m.person_id) desc nulls last, m.created_at,
      o.id`.execute(db)
  return rows
}

/**
 * Whose mails may carry what opens this account: the one organization that it opens; of several none may read it, so that
 * of whoever runs the service, the oldest. Null: a password opens nothing of theirs.
 */
export async function findMailingOrganization(db: Db, personId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with own as (select organization_id as id from member where person_id = ${personId} and through is null)
    select case when (select count(*) from own) = 1 then (select id from own)
      else (select id from organization order by id limit 1) end as id
    where exists (select 1 from own)`.execute(db)
  return rows[0]?.id ?? null
}
