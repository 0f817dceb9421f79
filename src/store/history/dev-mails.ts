import { type Selectable, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import type { Tables } from '../schema.ts'

export type DevMailRow = Selectable<Tables['dev_mail']>

// A mailbox to look into while developing, not an archive.
const mostKept = 500

/** The key is the message's id: delivered twice, it is still one mail. */
export async function insertDevMail(
  db: Db,
  env: Env,
  mail: { id: string; channel: string; to: string; subject?: string; content: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into dev_mail (environment_id, id, channel, recipient, subject, content, created_at)
    values (${env.environmentId}, ${mail.id}, ${mail.channel}, ${mail.to}, ${mail.subject ?? null}, ${mail.content}, ${now})
    on conflict do nothing`.execute(db)
  await sql`
    delete from dev_mail where environment_id = ${env.environmentId} and id < (
      select id from dev_mail where environment_id = ${env.environmentId} order by id desc offset ${mostKept} limit 1)`.execute(
    db,
  )
}

/** Newest first. `withOwn`: also the organization's own mails, whose links open accounts. */
export async function listDevMails(
  db: Db,
  env: Env,
  filter: { to?: string; withOwn: boolean },
  limit: number,
): Promise<DevMailRow[]> {
  const { rows } = await sql<DevMailRow>`
    select * from dev_mail where environment_id = ${env.environmentId}
      ${filter.to === undefined ? sql`` : sql`and recipient = ${filter.to}`}
      ${filter.withOwn ? sql`` : sql`and id not in (select id from own_mail where organization_id = ${env.organizationId})`}
    order by id desc limit ${limit}`.execute(db)
  return rows
}
