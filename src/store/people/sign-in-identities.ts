import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { Roles } from './members.ts'
import { rolesByEnvironment } from './members.ts'

/** Who an account at an issuer is here. */
export type KnownMember = Roles & {
  personId: string
  name: string
  email: string
  /** The connection that made them a member. */
  through: string | null
  /** That connection is gone. */
  isThroughGone: boolean
  /** The account at the issuer that they are by the connection asked for. */
  subject: string | null
}

const member = (connectionId: string) => sql`
  select p.id as "personId", p.name, p.email, m.role, ${rolesByEnvironment} as environments, m.through,
    m.through is not null and not exists (select 1 from sign_in_connection c
      where c.organization_id = m.organization_id and c.id = m.through) as "isThroughGone", i.subject
  from member m join person p on p.id = m.person_id
  left join sign_in_identity i on i.organization_id = m.organization_id and i.person_id = m.person_id
    and i.connection_id = ${connectionId}`

type Place = { organizationId: string; connectionId: string }

export async function findMemberBySubject(
  db: Db,
  { organizationId, connectionId }: Place,
  subject: string,
): Promise<KnownMember | null> {
  const { rows } = await sql<KnownMember>`
    ${member(connectionId)} where m.organization_id = ${organizationId} and i.subject = ${subject}`.execute(db)
  return rows[0] ?? null
}

export async function findMemberByEmail(
  db: Db,
  { organizationId, connectionId }: Place,
  email: string,
): Promise<KnownMember | null> {
  const { rows } = await sql<KnownMember>`
    ${member(connectionId)} where m.organization_id = ${organizationId} and p.email = ${email}`.execute(db)
  return rows[0] ?? null
}

export async function linkIdentity(
  db: Db,
  { organizationId, connectionId }: Place,
  { subject, personId }: { subject: string; personId: string },
): Promise<void> {
  await sql`
    insert into sign_in_identity (organization_id, connection_id, subject, person_id)
    values (${organizationId}, ${connectionId}, ${subject}, ${personId})`.execute(db)
}

export async function setThrough(db: Db, { organizationId, connectionId }: Place, personId: string): Promise<void> {
  await sql`
    update member set through = ${connectionId}
    where organization_id = ${organizationId} and person_id = ${personId}`.execute(db)
}
