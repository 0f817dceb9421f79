import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { nullable, oneOf } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import {
  findOrganizationName,
  findSettings,
  type OrganizationSettings,
  passwordRules,
  renameOrganization,
  saveSettings,
} from '../../store/people/organization-settings.ts'
import { refuseUnless } from '../access/permissions.ts'
import { reachable } from '../access/reach.ts'
import { faultOf, findMailWay, type MailWay, type NoWay } from '../own-mails/mail-way.ts'
import { noteChange } from '../record/note-change.ts'

const mail = Type.Object({ environmentId: Type.String(), integrationId: Type.String() })

export const organizationFields = {
  name: Type.String({ minLength: 1, maxLength: 100, format: 'identifier' }),
  mail: nullable({
    ...mail,
    additionalProperties: false,
    description: 'The e-mail integration that sends invitations and resets. From then on only owners change it.',
  }),
  requireTwoFactor: Type.Boolean({
    description: 'Whoever comes by a password and has no second proof is let in only to set one up.',
  }),
  passwords: oneOf(passwordRules, {
    description: 'owners-only: everybody else comes in by a sign-in connection.',
  }),
}

export const organizationSchema = Type.Object(
  {
    id: Type.String(),
    ...organizationFields,
    mailBy: nullable(
      Type.Object(
        { ...mail.properties, name: Type.String(), providerId: Type.String() },
        { description: 'What sends its mails now, chosen or, in development, the mailbox of its first environment.' },
      ),
    ),
    mailFault: Type.Optional(Type.String({ description: 'Why no mail can be made now.' })),
  },
  { title: 'Organization' },
)

/** `way`: what sends its mails, looked up outside the transaction. */
export function toOrganizationJson(
  { organizationId }: Env,
  settled: Settled,
  { way, here }: { way: MailWay | NoWay; here: string | null },
): Static<typeof organizationSchema> {
  const row = 'fault' in way ? null : way.row
  const mailFault = faultOf(way, here)
  return {
    id: organizationId,
    ...settled,
    mailBy: row && {
      ...{ environmentId: row.environment_id, integrationId: row.id, name: row.name, providerId: row.provider_id },
    },
    ...(mailFault !== null && { mailFault }),
  }
}

type Mail = NonNullable<OrganizationSettings['mail']>
type Settled = OrganizationSettings & { name: string }
export type OrganizationChange = { [K in keyof Settled]?: Settled[K] | undefined }

export async function getOrganization(db: Db, { organizationId }: Env): Promise<Settled> {
  return { name: await findOrganizationName(db, organizationId), ...(await findSettings(db, organizationId)) }
}

/** Before the transaction: who may change it, and what will send its mails. */
export async function checkOrganization(ctx: Ctx, env: Env, change: OrganizationChange): Promise<MailWay | NoWay> {
  if (change.mail !== undefined || change.passwords !== undefined) refuseUnless(env, 'signIn')
  if (change.mail) await refuseUnreachable(ctx, env, change.mail)
  const way = await findMailWay(ctx, env.organizationId, change.mail)
  if (change.mail && 'fault' in way) throw invalidField('mail.integrationId', `cannot send: ${way.fault}`)
  return way
}

async function refuseUnreachable(ctx: Ctx, env: Env, { environmentId, integrationId }: Mail): Promise<void> {
  if (!isUuid7(integrationId)) throw invalidField('mail.integrationId', 'is no integration of this environment')
  const found = isUuid7(environmentId) ? await reachable(ctx, env, environmentId).catch(noneOfOurs) : null
  if (!found || found.deletedAt !== null) throw invalidField('mail.environmentId', 'is none of this organization')
}

function noneOfOurs(error: unknown): null {
  if (error instanceof ApiError) return null
  throw error
}

/** What is not given stays. */
export async function changeOrganization(db: Db, env: Env, change: OrganizationChange): Promise<Settled> {
  const { organizationId } = env
  const before = await getOrganization(db, env)
  const after: Settled = {
    name: change.name?.trim() ?? before.name,
    mail: change.mail === undefined ? before.mail : change.mail,
    requireTwoFactor: change.requireTwoFactor ?? before.requireTwoFactor,
    passwords: change.passwords ?? before.passwords,
  }
  if (after.name !== before.name) await renameOrganization(db, organizationId, after.name)
  await saveSettings(db, organizationId, after)
  noteChange(db, { type: 'organization', id: organizationId, name: after.name }, { before, after })
  return after
}
