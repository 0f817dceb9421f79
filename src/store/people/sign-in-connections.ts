import { sql } from 'kysely'
import type { Role } from '../access/grants.ts'
import type { Db } from '../database.ts'

export type GroupRole = { group: string; role: Role }

/** An issuer that vouches for people of an organization. */
export type SignInConnection = {
  organizationId: string
  id: string
  name: string
  issuer: string
  clientId: string
  /** Sealed. */
  clientSecret: string
  scopes: string[]
  /** Lower-cased, in ASCII. */
  domains: string[]
  trustsEmail: boolean
  groupsClaim: string | null
  groupRoles: GroupRole[]
  defaultRole: Role | null
  joins: boolean
  active: boolean
}

const columns = sql`c.organization_id as "organizationId", c.id, c.name, c.issuer, c.client_id as "clientId",
  c.client_secret as "clientSecret", c.scopes, c.domains, c.trusts_email as "trustsEmail",
  c.groups_claim as "groupsClaim", c.group_roles as "groupRoles", c.default_role as "defaultRole", c.joins, c.active`

/** Oldest first. `id`: this one alone. */
export async function listSignInConnections(
  db: Db,
  organizationId: string,
  id: string | null = null,
): Promise<SignInConnection[]> {
  const { rows } = await sql<SignInConnection>`
    select ${columns} from sign_in_connection c
    where c.organization_id = ${organizationId} and (${id}::uuid is null or c.id = ${id}) order by c.id`.execute(db)
  return rows
}

export async function saveSignInConnection(db: Db, it: SignInConnection): Promise<void> {
  await sql`
    insert into sign_in_connection as c (organization_id, id, name, issuer, client_id, client_secret, scopes, domains,
      trusts_email, groups_claim, group_roles, default_role, joins, active)
    values (${it.organizationId}, ${it.id}, ${it.name}, ${it.issuer}, ${it.clientId}, ${it.clientSecret},
      ${it.scopes}::text[], ${it.domains}::text[], ${it.trustsEmail}, ${it.groupsClaim},
      ${JSON.stringify(it.groupRoles)}::jsonb, ${it.defaultRole}, ${it.joins}, ${it.active})
    on conflict (organization_id, id) do update set name = excluded.name, issuer = excluded.issuer,
      client_id = excluded.client_id, client_secret = excluded.client_secret, scopes = excluded.scopes,
      domains = excluded.domains, trusts_email = excluded.trusts_email, groups_claim = excluded.groups_claim,
      group_roles = excluded.group_roles, default_role = excluded.default_role, joins = excluded.joins,
      active = excluded.active`.execute(db)
}

type Place = { organizationId: string; id: string }

/** Its sessions, and who is who at its issuer, go with it. */
export async function deleteSignInConnection(db: Db, { organizationId, id }: Place): Promise<void> {
  await sql`delete from sign_in_connection where organization_id = ${organizationId} and id = ${id}`.execute(db)
}

/** Another issuer may call somebody else by the same name. Who came in by the one before is signed out. */
export async function forgetIdentities(db: Db, { organizationId, id }: Place): Promise<void> {
  await sql`
    with flows as (delete from sign_in_flow where organization_id = ${organizationId} and connection_id = ${id}),
    sessions as (delete from person_session where organization_id = ${organizationId} and connection_id = ${id})
    delete from sign_in_identity where organization_id = ${organizationId} and connection_id = ${id}`.execute(db)
}

export type OfferedConnection = { organizationId: string; id: string; name: string; issuer: string }

type OfDomain = { domain: string; organizationId?: string | undefined; most: number }

/** Those that vouch for addresses of this domain, in any organization or in one. */
export async function listConnectionsOfDomain(
  db: Db,
  { domain, organizationId, most }: OfDomain,
): Promise<OfferedConnection[]> {
  const { rows } = await sql<OfferedConnection>`
    select c.organization_id as "organizationId", c.id, c.name, c.issuer from sign_in_connection c
    where c.domains @> array[${domain}] and c.active
      and c.organization_id = coalesce(${organizationId ?? null}::uuid, c.organization_id) order by c.id limit ${most}`.execute(
    db,
  )
  return rows
}

/** What a stranger is told: whether anybody signs in as a person here, and whether any of them by a connection. */
export async function findWays(db: Db): Promise<{ people: boolean; connections: boolean }> {
  const { rows } = await sql<{ people: boolean; connections: boolean }>`
    select exists (select 1 from person) or exists (select 1 from invitation) as people,
      exists (select 1 from sign_in_connection where active) as connections`.execute(db)
  return rows[0] ?? { people: false, connections: false }
}

/** Whether it is the only way in of all owners. */
export async function isLastWayIn(db: Db, { organizationId, id }: Place): Promise<boolean> {
  const { rows } = await sql<{ isLast: boolean }>`
    select coalesce(bool_or(m.through = ${id}), false) and not coalesce(bool_or(m.through is distinct from ${id}::uuid
      and (m.through is not null or p.password_hash is not null)), false) as "isLast"
    from member m join person p on p.id = m.person_id
    where m.organization_id = ${organizationId} and m.role = 'owner'`.execute(db)
  return rows[0]?.isLast ?? false
}
