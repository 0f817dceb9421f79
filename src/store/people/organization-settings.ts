import { sql } from 'kysely'
import type { Db } from '../database.ts'

export const passwordRules = ['allowed', 'owners-only'] as const

export type OrganizationSettings = {
  /** What sends its mails: an integration in one of its environments. */
  mail: { environmentId: string; integrationId: string } | null
  /** Whoever has no second proof is let in only to set one up. */
  requireTwoFactor: boolean
  passwords: (typeof passwordRules)[number]
}

type Row = Omit<OrganizationSettings, 'mail'> & { mailEnvironment: string | null; mailIntegration: string | null }

export async function findSettings(db: Db, organizationId: string): Promise<OrganizationSettings> {
  const { rows } = await sql<Row>`
    select mail_environment as "mailEnvironment", mail_integration as "mailIntegration",
      require_two_factor as "requireTwoFactor", passwords
    from organization_setting where organization_id = ${organizationId}`.execute(db)
  const [found] = rows
  if (!found) return { mail: null, requireTwoFactor: false, passwords: 'allowed' }
  const { mailEnvironment, mailIntegration, ...others } = found
  const isChosen = mailEnvironment !== null && mailIntegration !== null
  return { ...others, mail: isChosen ? { environmentId: mailEnvironment, integrationId: mailIntegration } : null }
}

export async function saveSettings(db: Db, organizationId: string, it: OrganizationSettings): Promise<void> {
  await sql`
    insert into organization_setting (organization_id, mail_environment, mail_integration, require_two_factor, passwords)
    values (${organizationId}, ${it.mail?.environmentId ?? null}, ${it.mail?.integrationId ?? null},
      ${it.requireTwoFactor}, ${it.passwords})
    on conflict (organization_id) do update set mail_environment = excluded.mail_environment,
      mail_integration = excluded.mail_integration, require_two_factor = excluded.require_two_factor,
      passwords = excluded.passwords`.execute(db)
}

/** Also within a transaction of one environment. */
export async function findOrganizationName(db: Db, organizationId: string): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`select organization_name(${organizationId}) as name`.execute(db)
  return rows[0]?.name ?? ''
}

export async function renameOrganization(db: Db, organizationId: string, name: string): Promise<void> {
  await sql`select rename_organization(${organizationId}, ${name})`.execute(db)
}
