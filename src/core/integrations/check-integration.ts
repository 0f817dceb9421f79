import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { oneOf } from '../../lib/schemas.ts'
import type { CheckResult } from '../../providers/outcome.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Env } from '../../store/database.ts'
import { redact } from '../delivery/redact.ts'
import {
  type Credentials,
  mergeCredentials,
  openFields,
  refuseCredentials,
  type SentCredentials,
} from './integration-credentials.ts'
import { callTools, secretsOf, withDeclaredDefaults } from './provider-call.ts'
import { getIntegration } from './save-integration.ts'

// A provider that is down must not prevent saving correct credentials.
const checkWithinMs = 5_000

type Given = { credentials?: SentCredentials | undefined }

export const checkedSchema = Type.Object(
  {
    outcome: oneOf(['accepted', 'not_reached', 'not_checked']),
    reason: Type.Optional(Type.String({ description: 'Why it is not known whether the provider would accept them.' })),
  },
  { title: 'IntegrationCheck', description: 'With `check`: what came of it. Refused credentials are not saved.' },
)
export type Checked = Static<typeof checkedSchema>

/** Spec 4.8 with `check`. An unknown provider is refused when it is saved. */
export async function checkNewIntegration(
  ctx: Ctx,
  env: Env,
  given: Given & { providerId: string },
): Promise<Checked | null> {
  const provider = ctx.providers.find(given.providerId)
  return provider ? checkConnection(ctx, env, provider, {}, given) : null
}

/** Spec 4.7 with `check`: checks what would be stored after the change. */
export async function checkChangedIntegration(ctx: Ctx, env: Env, id: string, given: Given): Promise<Checked | null> {
  const row = await ctx.database.read(env, (db) => getIntegration(db, env, id))
  const provider = ctx.providers.find(row.provider_id)
  if (!provider) return null
  const place = { environmentId: row.environment_id, id: row.id, column: 'credentials' as const }
  return checkConnection(ctx, env, provider, openFields(ctx, place, row.credentials), given)
}

/** Makes the provider's harmless call. Throws if it refuses; if it cannot be reached, nothing is known, so no error. */
async function checkConnection(
  ctx: Ctx,
  env: Env,
  provider: Provider,
  stored: Credentials,
  given: Given,
): Promise<Checked> {
  const sent = given.credentials ?? {}
  const credentials = mergeCredentials(stored, sent)
  // Before the call, not only before the save: a check at a new place takes the secrets there.
  refuseCredentials(ctx, provider, { stored, credentials }, { sent, complete: true })
  if (!provider.check) {
    const reason = `${provider.displayName} has no call that only checks; a test message tells`
    return { outcome: 'not_checked', reason }
  }
  const result = await withinTime(callCheck(ctx, env, { ...provider, check: provider.check }, credentials))
  if (result.kind === 'ok') return { outcome: 'accepted' }
  const reason = redact(result.reason, secretsOf(credentials))
  if (result.kind === 'unreachable') return { outcome: 'not_reached', reason }
  throw new ApiError('integration_check_failed', { message: `${provider.displayName}: ${reason}` })
}

type Checkable = Provider & Required<Pick<Provider, 'check'>>

async function callCheck(ctx: Ctx, env: Env, provider: Checkable, credentials: Credentials): Promise<CheckResult> {
  // Its own token owner: a cached token would prove nothing about these credentials.
  const owner = { id: `check-${randomUUID()}`, credentials: {} }
  const tools = callTools(ctx, env, owner, Date.now() + checkWithinMs)
  return provider.check({ ...tools, credentials: withDeclaredDefaults(provider, credentials) })
}

/** A provider may need several calls, each with its own limit; this bounds them together. */
async function withinTime(check: Promise<CheckResult>): Promise<CheckResult> {
  const { promise, resolve } = Promise.withResolvers<CheckResult>()
  const timer = setTimeout(resolve, checkWithinMs, { kind: 'unreachable', reason: 'no answer in time' })
  try {
    return await Promise.race([check, promise])
  } finally {
    clearTimeout(timer)
    // Nobody waits for the result any more.
    check.catch(() => {})
  }
}
