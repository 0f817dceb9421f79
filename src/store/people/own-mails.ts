import { sql } from 'kysely'
import type { Db } from '../database.ts'

export const mailStates = ['waiting', 'sent', 'failed'] as const
export type MailState = (typeof mailStates)[number]
export const mailKinds = ['invitation', 'password-reset'] as const
export type MailKind = (typeof mailKinds)[number]

type MailId = { organizationId: string; id: string }
export type NewMail = MailId & { kind: MailKind; subjectId: string; recipient: string; letter: string }

/** In the place of those about the same thing: their links open nothing any more. `letter` is sealed. */
export async function insertOwnMail(db: Db, it: NewMail, now: Date): Promise<void> {
  await deleteOwnMails(db, it)
  await sql`
    insert into own_mail (organization_id, id, kind, subject_id, recipient, link, state, next_at)
    values (${it.organizationId}, ${it.id}, ${it.kind}, ${it.subjectId}, ${it.recipient}, ${it.letter}, 'waiting',
      ${now})`.execute(db)
}

export async function deleteOwnMails(
  db: Db,
  { organizationId, subjectId }: { organizationId: string; subjectId: string },
): Promise<void> {
  await sql`
    delete from own_mail where organization_id = ${organizationId} and subject_id = ${subjectId}`.execute(db)
}

export type DueMail = MailId & { recipient: string; letter: string; tries: number }

type Claim = { now: Date; again: Date; limit: number; ofOne: number; except: readonly string[] }

/**
 * Those whose time has come, each with one try more: that is committed before anything is sent. Until `again` nobody else
 * takes them. `ofOne`: so many of one organization; `except`: none of these.
 */
export async function claimDueMails(db: Db, { now, again, limit, ofOne, except }: Claim): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    with turns as (
      select organization_id, id, row_number() over (partition by organization_id order by next_at, id) as place
      from own_mail where state = 'waiting' and next_at <= ${now} and organization_id <> all (${except}::uuid[])),
    due as (
      select o.organization_id, o.id from own_mail o
      join turns t on t.organization_id = o.organization_id and t.id = o.id and t.place <= ${ofOne}
      where o.state = 'waiting' and o.next_at <= ${now}
      order by t.place limit ${limit} for update of o skip locked)
    update own_mail o set tries = o.tries + 1, next_at = ${again} from due
    where o.organization_id = due.organization_id and o.id = due.id
    returning o.organization_id as "organizationId", o.id, o.recipient, o.link as letter, o.tries`.execute(db)
  return rows
}

/** It is over: the letter goes, because it opens a door. Only by whoever made its last try. */
export async function endOwnMail(
  db: Db,
  { organizationId, id, tries }: MailId & { tries: number },
  { state, reason }: { state: 'sent' | 'failed'; reason: string | null },
): Promise<void> {
  await sql`
    update own_mail set state = ${state}, reason = ${reason}, link = null
    where organization_id = ${organizationId} and id = ${id} and tries = ${tries} and state = 'waiting'`.execute(db)
}

export async function retryOwnMail(
  db: Db,
  { organizationId, id, tries }: MailId & { tries: number },
  { reason, nextAt }: { reason: string; nextAt: Date },
): Promise<void> {
  await sql`
    update own_mail set reason = ${reason}, next_at = ${nextAt}
    where organization_id = ${organizationId} and id = ${id} and tries = ${tries} and state = 'waiting'`.execute(db)
}

/** Takes back a try that was counted and not made. */
export async function returnOwnMail(db: Db, { organizationId, id, tries }: MailId & { tries: number }, nextAt: Date) {
  await sql`
    update own_mail set tries = tries - 1, next_at = ${nextAt}
    where organization_id = ${organizationId} and id = ${id} and tries = ${tries} and state = 'waiting'`.execute(db)
}

/** What was sent or given up before that; returns how many. */
export async function purgeOwnMails(db: Db, before: Date, batch: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from own_mail where ctid = any (array(
      select ctid from own_mail where id < uuid_at(${before}) and state <> 'waiting' limit ${batch}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
