import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { Roles } from './members.ts'
import type { MailState } from './own-mails.ts'

export type Invitation = Roles & {
  id: string
  email: string
  invitedBy: string
  expiresAt: Date
  /** Of the mail that went out last; null: none did. */
  mailState: MailState | null
  mailReason: string | null
}

const columns = sql`i.id, i.email, i.role, i.roles as environments, i.invited_by as "invitedBy",
  i.expires_at as "expiresAt", mail.state as "mailState", mail.reason as "mailReason"`
const withMail = sql`invitation i left join lateral (
  select o.state, o.reason from own_mail o
  where o.organization_id = i.organization_id and o.subject_id = i.id order by o.id desc limit 1) mail on true`

/** Those nobody has accepted, also expired ones; oldest first. */
export async function listInvitations(db: Db, organizationId: string, id: string | null = null): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select ${columns} from ${withMail}
    where i.organization_id = ${organizationId} and (${id}::uuid is null or i.id = ${id}) order by i.id`.execute(db)
  return rows
}

export type NewInvitation = Roles & {
  organizationId: string
  id: string
  email: string
  tokenHash: Buffer
  expiresAt: Date
  invitedBy: string
}

/** False: this address is invited already. */
export async function insertInvitation(db: Db, it: NewInvitation): Promise<boolean> {
  const { rows } = await sql`
    insert into invitation (organization_id, id, email, role, roles, token_hash, expires_at, invited_by)
    values (${it.organizationId}, ${it.id}, ${it.email}, ${it.role}, ${JSON.stringify(it.environments)}::jsonb,
      ${it.tokenHash}, ${it.expiresAt}, ${it.invitedBy})
    on conflict (organization_id, email) do nothing returning id`.execute(db)
  return rows.length > 0
}

/** Its id stays, and links from before open nothing. */
export async function renewInvitation(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
  { tokenHash, expiresAt }: { tokenHash: Buffer; expiresAt: Date },
): Promise<void> {
  await sql`
    update invitation set token_hash = ${tokenHash}, expires_at = ${expiresAt}
    where organization_id = ${organizationId} and id = ${id}`.execute(db)
}

export async function deleteInvitation(db: Db, organizationId: string, id: string): Promise<void> {
  await sql`
    with mails as (delete from own_mail where organization_id = ${organizationId} and subject_id = ${id})
    delete from invitation where organization_id = ${organizationId} and id = ${id}`.execute(db)
}

type Address = { organizationId: string; email: string }

/** For somebody whose address was proved in another way than by the link. */
export async function findInvitationOf(db: Db, { organizationId, email }: Address, now: Date): Promise<Roles | null> {
  const { rows } = await sql<Roles>`
    select i.role, i.roles as environments from invitation i
    where i.organization_id = ${organizationId} and i.email = ${email} and i.expires_at > ${now}`.execute(db)
  return rows[0] ?? null
}

export async function deleteInvitationOf(db: Db, { organizationId, email }: Address): Promise<void> {
  await sql`
    with gone as (
      delete from invitation where organization_id = ${organizationId} and email = ${email} returning id)
    delete from own_mail where organization_id = ${organizationId} and subject_id in (select id from gone)`.execute(db)
}

export type OpenInvitation = Roles & { organizationId: string; organizationName: string; id: string; email: string }
type Token = { organizationId: string; id: string; tokenHash: Buffer }

export async function findInvitation(db: Db, token: Token, now: Date): Promise<OpenInvitation | null> {
  const { rows } = await sql<OpenInvitation>`
    select i.organization_id as "organizationId", o.name as "organizationName", i.id, i.email, i.role,
      i.roles as environments
    from invitation i join organization o on o.id = i.organization_id
    where i.organization_id = ${token.organizationId} and i.id = ${token.id} and i.token_hash = ${token.tokenHash}
      and i.expires_at > ${now}`.execute(db)
  return rows[0] ?? null
}

/** True only for the first who accepts it. A mail that still waits would lead nowhere. */
export async function takeInvitation(db: Db, token: Token, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with mails as (
      delete from own_mail where organization_id = ${token.organizationId} and subject_id = ${token.id})
    delete from invitation where organization_id = ${token.organizationId} and id = ${token.id}
      and token_hash = ${token.tokenHash} and expires_at > ${now} returning id`.execute(db)
  return rows.length > 0
}
