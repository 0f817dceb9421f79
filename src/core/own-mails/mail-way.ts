import type { Ctx } from '../../context.ts'
import { EnvironmentHeld } from '../../errors.ts'
import type { Provider } from '../../providers/provider.ts'
import { listOfOrganization } from '../../store/access/environments.ts'
import { envOf } from '../../store/database.ts'
import { findIntegration, type IntegrationRow, listIntegrations } from '../../store/integrations.ts'
import { findSettings, type OrganizationSettings } from '../../store/people/organization-settings.ts'
import { isUsable } from '../integrations/candidates.ts'

export type MailWay = { row: IntegrationRow; provider: Provider }
/** In words, for people. */
export type NoWay = { fault: string }

const noneChosen =
  'The organization has chosen no integration for its own mails: an owner chooses one (PATCH /v1/organization).'
const isHeld = 'The environment of the integration is being moved, or was deleted.'

/** What sends the mails of an organization: what it chose, or is about to choose; in development else the mailbox of its first environment. */
export async function findMailWay(
  ctx: Ctx,
  organizationId: string,
  chosen?: OrganizationSettings['mail'],
): Promise<MailWay | NoWay> {
  const mail = chosen === undefined ? (await findSettings(ctx.database.db, organizationId)).mail : chosen
  if (!mail && ctx.config.production) return { fault: noneChosen }
  try {
    const row = mail ? await findChosen(ctx, mail) : await findMailbox(ctx, organizationId)
    if (!row) return { fault: mail ? 'The integration that was chosen for our mails is deleted.' : noneChosen }
    return usable(ctx, row)
  } catch (error) {
    if (error instanceof EnvironmentHeld) return { fault: isHeld }
    throw error
  }
}

function usable(ctx: Ctx, row: IntegrationRow): MailWay | NoWay {
  const provider = ctx.providers.find(row.provider_id)
  if (!provider?.send || provider.channel !== 'email') return { fault: 'This integration sends no e-mails.' }
  if (!isUsable(ctx, provider)) return { fault: 'The development mailbox sends nothing in production.' }
  if (!row.active) return { fault: `The integration "${row.name}" is switched off.` }
  return { row, provider }
}

function findChosen(ctx: Ctx, { environmentId, integrationId }: NonNullable<OrganizationSettings['mail']>) {
  const env = envOf(environmentId)
  return ctx.database.read(env, (db) => findIntegration(db, env, integrationId))
}

async function findMailbox(ctx: Ctx, organizationId: string): Promise<IntegrationRow | null> {
  const all = await listOfOrganization(ctx.database.db, organizationId)
  const first = all.find((it) => it.deletedAt === null && !it.isElsewhere)
  if (!first) return null
  const env = envOf(first.id)
  const rows = await ctx.database.read(env, (db) => listIntegrations(db, env))
  return rows.find((row) => row.active && row.provider_id === 'platform-email') ?? null
}

/** Why no mail is made; null: one can be. */
export function faultOf(way: MailWay | NoWay | undefined, here: string | null): string | null {
  if (!way || 'fault' in way) return way?.fault ?? noneChosen
  return here === null ? 'PUBLIC_URL is not set: a mail must say where people reach us.' : null
}
