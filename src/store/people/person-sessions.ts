import { sql } from 'kysely'
import type { Role } from '../access/grants.ts'
import type { Db } from '../database.ts'
import { rolesByEnvironment } from './members.ts'

export type FoundPersonSession = {
  id: string
  tokenHash: Buffer
  expiresAt: Date
  ended: boolean
  /** The oldest one in which they are something. */
  environmentId: string
  organizationId: string
  organizationName: string
  /** The organization asks those who come by a password for a second proof, and the person has none. */
  mustSetUp: boolean
  /** The connection that opened it: it is good for this organization, and for nothing of the person's elsewhere. */
  connectionId: string | null
  person: {
    id: string
    email: string
    name: string
    hasPassword: boolean
    twoFactor: boolean
    role: Role | null
    environments: Record<string, Role | null>
  }
}

/** Where a request came from. */
export type Origin = { address: string; agent: string | undefined }

type NewSession = Origin & {
  organizationId: string
  id: string
  personId: string
  tokenHash: Buffer
  expiresAt: Date
  connectionId: string | null
}

/** Kept this long after its end: from where somebody signed in before is a known place. */
const keptDays = 30

export async function insertPersonSession(db: Db, it: NewSession, now: Date): Promise<void> {
  await sql`
    with purged as (
      delete from person_session
      where person_id = ${it.personId} and expires_at < ${now}::timestamptz - make_interval(days => ${keptDays}))
    insert into person_session (organization_id, id, person_id, token_hash, last_seen_at, expires_at, address, agent,
      connection_id)
    values (${it.organizationId}, ${it.id}, ${it.personId}, ${it.tokenHash}, ${now}, ${it.expiresAt}, ${it.address},
      ${it.agent ?? null}, ${it.connectionId})`.execute(db)
}

/**
 * Null also where the person is nothing in any environment any more, and where they may not come in as they did: by a
 * password where a connection or being an owner is asked for, or by a connection that was switched off.
 */
export async function findPersonSession(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<FoundPersonSession | null> {
  const { rows } = await sql<FoundPersonSession>`
    with found as (
      select s.*, m.role, ${rolesByEnvironment} as environments, coalesce(o.require_two_factor, false) as demands
      from person_session s
      join member m on m.organization_id = s.organization_id and m.person_id = s.person_id
      left join organization_setting o on o.organization_id = s.organization_id
      left join sign_in_connection c on c.organization_id = s.organization_id and c.id = s.connection_id
      where s.organization_id = ${organizationId} and s.id = ${id}
        and case when s.connection_id is null
          then m.through is null and (coalesce(o.passwords, 'allowed') = 'allowed' or m.role = 'owner')
          else c.active end)
    select f.id, f.token_hash as "tokenHash", f.expires_at as "expiresAt", f.ended_at is not null as ended,
      home.id as "environmentId", f.organization_id as "organizationId", o.name as "organizationName",
      f.demands and f.connection_id is null and p.totp_confirmed_at is null as "mustSetUp",
      f.connection_id as "connectionId",
      jsonb_build_object('id', p.id, 'email', p.email, 'name', p.name, 'hasPassword', p.password_hash is not null,
        'twoFactor', p.totp_confirmed_at is not null, 'role', f.role, 'environments', f.environments) as person
    from found f
    join person p on p.id = f.person_id
    join organization o on o.id = f.organization_id
    cross join lateral (
      select e.id from environments_of(f.organization_id) e
      where e.deleted_at is null and not e.is_elsewhere
        and (case when f.environments ? e.id::text then f.environments ->> e.id::text else f.role end) is not null
      order by e.id limit 1) home`.execute(db)
  return rows[0] ?? null
}

/** Written once a minute at most, so that somebody sees which of their sessions are in use. */
export async function notePersonSeen(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
  now: Date,
): Promise<void> {
  await sql`
    update person_session set last_seen_at = ${now}
    where organization_id = ${organizationId} and id = ${id} and last_seen_at < ${now}`.execute(db)
}

export type ShownSession = {
  id: string
  organizationId: string
  organizationName: string
  lastSeenAt: Date
  expiresAt: Date
  address: string | null
  agent: string | null
}

/** The live ones of a person, in all their organizations or in one; the one used last first. */
export async function listPersonSessions(
  db: Db,
  { personId, only = null }: { personId: string; only?: string | null },
  now: Date,
): Promise<ShownSession[]> {
  const { rows } = await sql<ShownSession>`
    select s.id, s.organization_id as "organizationId", o.name as "organizationName", s.last_seen_at as "lastSeenAt",
      s.expires_at as "expiresAt", s.address, s.agent
    from person_session s join organization o on o.id = s.organization_id
    where s.person_id = ${personId} and s.ended_at is null and s.expires_at > ${now}
      and (${only}::uuid is null or s.organization_id = ${only})
    order by s.last_seen_at desc, s.id desc limit 100`.execute(db)
  return rows
}

/** `only`: this one; `but`: all others; `organizationId`: none elsewhere. Answers the ids of those that it ended. */
export async function endPersonSessions(
  db: Db,
  personId: string,
  {
    only = null,
    but = null,
    organizationId = null,
  }: { only?: string | null; but?: string | null; organizationId?: string | null },
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update person_session set ended_at = ${now}
    where person_id = ${personId} and ended_at is null and expires_at > ${now}
      and (${only}::uuid is null or id = ${only}) and (${but}::uuid is null or id <> ${but})
      and (${organizationId}::uuid is null or organization_id = ${organizationId})
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}
