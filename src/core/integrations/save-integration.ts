import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { freeSlug } from '../../lib/free-slug.ts'
import { isUuid7, uuid7 } from '../../lib/uuid7.ts'
import type { Channel, Provider } from '../../providers/provider.ts'
import { dropTokens } from '../../store/channels/connections.ts'
import { type Db, type Env, sqlState, uniqueViolation } from '../../store/database.ts'
import {
  clearPrimary,
  findIntegration,
  findIntegrationByIdentifier,
  type IntegrationRow,
  insertIntegration,
  listIntegrations,
  lockIntegrations,
  promoteOldest,
  updateIntegration,
} from '../../store/integrations.ts'
import { findSettings } from '../../store/people/organization-settings.ts'
import { may } from '../access/permissions.ts'
import type { StepFilter } from '../workflows/step-filter.ts'
import { isUsable } from './candidates.ts'
import {
  type Credentials,
  isMask,
  mergeCredentials,
  movedFields,
  openFields,
  refuseCredentials,
  type SentCredentials,
  sealFields,
} from './integration-credentials.ts'
import { noteIntegration } from './note-integration.ts'
import { openCredentials } from './provider-call.ts'

export type IntegrationChange = {
  name?: string | undefined
  identifier?: string | undefined
  active?: boolean | undefined
  check?: boolean | undefined
  credentials?: SentCredentials | undefined
  configurations?: SentCredentials | undefined
  conditions?: StepFilter[] | undefined
}

export type NewIntegration = IntegrationChange & { providerId: string; channel: Channel }

type Scope = { ctx: Ctx; db: Db; env: Env; now: Date }

/** Spec 4.8. The first integration of a provider takes over the placeholder that 4.1 may have made. */
export async function createIntegration(scope: Scope, given: NewIntegration): Promise<IntegrationRow> {
  const { ctx, db, env, now } = scope
  const provider = ctx.providers.find(given.providerId)
  if (provider && provider.channel !== given.channel) {
    throw invalidField('channel', `must be ${provider.channel}: ${provider.id} sends on no other`, given.channel)
  }
  await lockIntegrations(db, env)
  const others = await listIntegrations(db, env)
  const placeholder = others.find((other) => other.placeholder && other.provider_id === given.providerId)
  if (!placeholder) refuseTooMany(others)
  const id = placeholder?.id ?? uuid7(now)
  const name = given.name ?? provider?.displayName ?? given.providerId
  const values = {
    ...changedValues(scope, { id, provider_id: given.providerId, channel: given.channel, active: false }, given),
    name,
    identifier: given.identifier ?? freeIdentifier(name, others, placeholder),
    active: given.active ?? false,
    placeholder: false,
  }
  const row = await refuseTakenIdentifier(
    placeholder
      ? updateIntegration(db, env, id, values)
      : insertIntegration(db, env, { ...values, id, provider_id: given.providerId, channel: given.channel }),
  )
  const saved = await withPrimary(scope, row, { becameActive: row.active })
  noteIntegration(db, placeholder, saved)
  return saved
}

/** Spec 4.7. */
export async function changeIntegration(scope: Scope, id: string, given: IntegrationChange): Promise<IntegrationRow> {
  const { db, env } = scope
  await lockIntegrations(db, env)
  const stored = await getIntegration(db, env, id)
  await refuseOwnMails(db, env, id)
  const values = {
    ...changedValues(scope, stored, given),
    ...(given.name !== undefined && { name: given.name }),
    ...(given.identifier !== undefined && { identifier: given.identifier }),
    ...(given.active !== undefined && { active: given.active }),
    ...(given.active === false && { is_primary: false }),
    placeholder: false,
  }
  const row = await refuseTakenIdentifier(updateIntegration(db, env, id, values))
  if (isMoved(scope.ctx, stored, row)) await dropTokens(db, env, id, 'The integration sends to another server now.')
  const saved = await withPrimary(scope, row, { becameActive: row.active && !stored.active })
  noteIntegration(db, stored, saved)
  return saved
}

/** Spec 4.9: marked as deleted; another one becomes primary. */
export async function deleteIntegration(scope: Scope, id: string): Promise<void> {
  const { ctx, db, env, now } = scope
  await lockIntegrations(db, env)
  const stored = await getIntegration(db, env, id)
  await refuseOwnMails(db, env, id)
  const values = { deleted_at: now, deleted_by: env.keyId, is_primary: false, credentials: {}, configurations: {} }
  await updateIntegration(db, env, id, values)
  await dropTokens(db, env, id, 'The integration was deleted.')
  await promoteOldest(db, env, stored.channel, mailboxes(ctx))
  noteIntegration(db, stored, undefined)
}

/** Links that open accounts go through it: whoever changes it could read them. */
async function refuseOwnMails(db: Db, env: Env, id: string): Promise<void> {
  if (may(env, 'signIn')) return
  const { mail } = await findSettings(db, env.organizationId)
  if (mail?.integrationId !== id) return
  const message = "This integration sends the organization's own mails, invitations and resets: only owners change it."
  throw new ApiError('not_permitted', { message })
}

/** Workspaces gave their tokens for the server that the integration spoke to. */
function isMoved(ctx: Ctx, before: IntegrationRow, after: IntegrationRow): boolean {
  const provider = ctx.providers.find(before.provider_id)
  if (!provider?.oauth) return false
  return movedFields(provider, openCredentials(ctx, before, provider), openCredentials(ctx, after, provider)).length > 0
}

/** An integration for tokens that arrive before one is configured. The caller has locked the integrations. */
export async function createPlaceholder(
  { db, env, now }: Scope,
  provider: Provider,
  others: readonly IntegrationRow[],
) {
  refuseTooMany(others)
  return insertIntegration(db, env, {
    id: uuid7(now),
    provider_id: provider.id,
    channel: provider.channel,
    name: provider.displayName,
    identifier: freeIdentifier(provider.displayName, others),
    active: provider.usesSubscriberWebhook ?? false,
    placeholder: true,
  })
}

export async function getIntegration(db: Db, env: Env, id: string): Promise<IntegrationRow> {
  const row = isUuid7(id) ? await findIntegration(db, env, id) : null
  if (!row) throw new ApiError('integration_not_found')
  return row
}

export async function getIntegrationByIdentifier(db: Db, env: Env, identifier: string): Promise<IntegrationRow> {
  const found = await findIntegrationByIdentifier(db, env, identifier)
  if (!found)
    throw new ApiError('integration_not_found', { message: `No integration has the identifier "${identifier}".` })
  return found
}

// They are listed without pages, and every message chooses among those of its channel.
const mostIntegrations = 500

/** Exact, because the caller has locked the integrations before listing them. */
function refuseTooMany(others: readonly IntegrationRow[]): void {
  if (others.length >= mostIntegrations) throw new ApiError('too_many_integrations')
}

type Before = Pick<IntegrationRow, 'id' | 'provider_id' | 'channel' | 'active'> &
  Partial<Pick<IntegrationRow, 'credentials' | 'configurations'>>

/** Credentials, configurations and conditions after the change, sealed. Throws 422 if they are not valid. */
function changedValues({ ctx, env }: Scope, before: Before, given: IntegrationChange) {
  const place = { environmentId: env.environmentId, id: before.id }
  const merge = (column: 'credentials' | 'configurations') => {
    const stored = openFields(ctx, { ...place, column }, before[column] ?? {})
    const merged = mergeCredentials(stored, given[column] ?? {})
    refuseEmptyMasks(column, merged, given[column] ?? {})
    return { stored, merged }
  }
  const seal = (column: 'credentials' | 'configurations', merged: Credentials) =>
    sealFields(ctx, { ...place, column }, merged, before[column] ?? {})
  const { stored, merged: credentials } = merge('credentials')
  checkCredentials(ctx, before, { stored, credentials }, given)
  return {
    ...(given.credentials && { credentials: seal('credentials', credentials) }),
    ...(given.configurations && { configurations: seal('configurations', merge('configurations').merged) }),
    ...(given.conditions && { conditions: given.conditions }),
  }
}

/** A mask means "keep the stored value", so there must be one. */
function refuseEmptyMasks(column: string, merged: Credentials, sent: SentCredentials): void {
  for (const [name, value] of Object.entries(sent)) {
    if (isMask(value) && merged[name] === undefined) {
      throw invalidField(`${column}.${name}`, 'is a mask, and nothing is stored behind it; send the value itself')
    }
  }
}

type Merged = { stored: Credentials; credentials: Credentials }

function checkCredentials(ctx: Ctx, before: Before, { stored, credentials }: Merged, given: IntegrationChange): void {
  const sent = given.credentials ?? {}
  const active = given.active ?? before.active
  const asked = given.active !== undefined || given.credentials !== undefined || given.check !== undefined
  const complete = given.check === true || (active && asked)
  const provider = ctx.providers.find(before.provider_id)
  if (!provider) {
    if (complete) throw unknownProvider(ctx, before)
    return
  }
  if (given.active && !isUsable(ctx, provider)) {
    throw invalidField('active', `must be false in production: ${provider.id} delivers into the development mailbox`)
  }
  refuseCredentials(ctx, provider, { stored, credentials }, { sent, complete })
}

function unknownProvider(ctx: Ctx, { provider_id, channel }: Before): ApiError {
  const known = ctx.providers.all.filter((provider) => provider.channel === channel).map((provider) => provider.id)
  return invalidField(
    'providerId',
    `is not one this service can send with; for ${channel} it knows: ${known.join(', ')}`,
    provider_id,
  )
}

/**
 * E-mail and SMS have exactly one primary among their active integrations. The first real one takes it from the
 * development mailbox; after that the mailbox has it only where somebody gave it back.
 */
async function withPrimary(
  { ctx, db, env }: Scope,
  row: IntegrationRow,
  { becameActive }: { becameActive: boolean },
): Promise<IntegrationRow> {
  const isReal = ({ provider_id }: IntegrationRow) => !mailboxes(ctx).includes(provider_id)
  if (becameActive && isReal(row)) {
    const rivals = (await listIntegrations(db, env)).filter((it) => it.active && it.channel === row.channel)
    if (rivals.filter(isReal).length === 1) await clearPrimary(db, env, row.channel)
  }
  await promoteOldest(db, env, row.channel, mailboxes(ctx))
  return (await findIntegration(db, env, row.id)) ?? row
}

/** The providers that deliver into the development mailbox. */
function mailboxes(ctx: Ctx): string[] {
  return ctx.providers.all.filter(({ developmentOnly }) => developmentOnly).map(({ id }) => id)
}

function freeIdentifier(name: string, others: readonly IntegrationRow[], self?: IntegrationRow): string {
  const taken = others.filter((other) => other.id !== self?.id).map((other) => other.identifier)
  return freeSlug(name, 'integration', new Set(taken))
}

async function refuseTakenIdentifier<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw sqlState(error) === uniqueViolation ? new ApiError('identifier_taken') : error
  }
}
