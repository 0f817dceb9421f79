import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/seal.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { PersonEvent } from '../../providers/inbound.ts'
import { insertConnectAttempt, takeConnectAttempt } from '../../store/channels/connect-attempts.ts'
import type { Env } from '../../store/database.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { lockSubscriber } from '../../store/subscribers.ts'
import { callbackUrl, signingKeyOf } from '../feedback/callback-url.ts'
import { callTools, deadlineIn, openCredentials } from '../integrations/provider-call.ts'
import { attemptMs } from './connect.ts'
import { followMove, linkEndpoint, markChat, type Scope } from './save-endpoint.ts'

type Wanted = { subscriberId: string; contextKeys: readonly string[] }

const callMs = 10_000

/** Outside of a transaction: it may ask the vendor. */
export async function makeLink(
  ctx: Ctx,
  env: Env,
  integration: IntegrationRow,
): Promise<{ url: string; code: string }> {
  const provider = ctx.providers.find(integration.provider_id)
  if (!provider?.linking) throw new ApiError('connect_unsupported')
  const code = newCode(ctx)
  const credentials = openCredentials(ctx, integration, provider)
  const made = await provider.linking.url({
    ...callTools(ctx, env, integration, deadlineIn(callMs)),
    credentials,
    code,
  })
  if ('fault' in made) throw new ApiError('connect_refused', { message: made.fault })
  return { url: made.url, code }
}

/** Who comes with the code is this person: once, for half an hour. */
export async function expectPerson(
  { db, env, now }: Scope,
  integration: IntegrationRow,
  code: string,
  wanted: Wanted,
): Promise<void> {
  const subscriber = await lockSubscriber(db, env, wanted.subscriberId)
  if (!subscriber) throw new ApiError('subscriber_not_found')
  const id = idOf(code)
  if (!id) throw new Error('a code of ours holds its id')
  const expiresAt = new Date(now.getTime() + attemptMs)
  const own = { id, integrationId: integration.id, subscriberId: subscriber.id }
  const attempt = { ...own, wanted, secretHash: sha256(code), expiresAt }
  await insertConnectAttempt(db, env, attempt, now)
}

/** Tells the vendor to call us; its name for the bot. */
export async function listenToBot(ctx: Ctx, env: Env, integration: IntegrationRow) {
  const provider = ctx.providers.find(integration.provider_id)
  if (!provider?.linking || !provider.inbound) throw new ApiError('connect_unsupported')
  const { publicUrl } = ctx.config
  if (publicUrl === undefined) throw new ApiError('public_url_needed')
  const signingKey = signingKeyOf(ctx, integration)
  if (signingKey === null) {
    const message = 'Turn callbacks on first and save a key: configurations.inboundWebhookEnabled and …SigningKey.'
    throw new ApiError('connect_refused', { message })
  }
  const url = await callbackUrl(ctx, publicUrl, integration, provider.inbound, signingKey)
  const listening = await provider.linking.listen({
    ...callTools(ctx, env, integration, deadlineIn(callMs)),
    credentials: openCredentials(ctx, integration, provider),
    callbackUrl: url,
    signingKey,
  })
  if ('fault' in listening) throw new ApiError('connect_refused', { message: listening.fault })
  return { url, name: listening.name }
}

/** What a bot told about people. What it tells twice changes nothing. */
export async function applyBotEvents(
  scope: Scope,
  integration: IntegrationRow,
  events: readonly PersonEvent[],
): Promise<void> {
  for (const event of events) {
    if (event.kind === 'linked') await linkPerson(scope, integration, event)
    else if (event.kind === 'moved') await followMove(scope, integration.id, event)
    else await markChat(scope, integration.id, event)
  }
}

async function linkPerson(
  scope: Scope,
  integration: IntegrationRow,
  { code, endpoint }: Extract<PersonEvent, { kind: 'linked' }>,
): Promise<void> {
  const { db, env, now } = scope
  const id = idOf(code)
  const asked = { integrationId: integration.id, secretHash: sha256(code), now }
  const attempt = id === null ? null : await takeConnectAttempt(db, env, { id, ...asked })
  if (!attempt) return
  // Written by expectPerson.
  const { subscriberId, contextKeys } = attempt.wanted as Wanted
  try {
    await linkEndpoint(scope, { integration, subscriberId, contextKeys, endpoint }, null)
  } catch (error) {
    // He was deleted, or has too many: the vendor cannot mend that by calling again.
    if (!(error instanceof ApiError)) throw error
    scope.ctx.log.info({ code: error.code, integrationId: integration.id }, 'somebody could not be linked to a bot')
  }
}

/** Short, and of characters that every vendor takes in an address: the id of the attempt, and a secret. */
function newCode(ctx: Ctx): string {
  const id = Buffer.from(uuid7(ctx.clock()).replaceAll('-', ''), 'hex')
  return Buffer.concat([id, randomBytes(24)]).toString('base64url')
}

function idOf(code: string): string | null {
  const bytes = Buffer.from(/^[A-Za-z0-9_-]{54}$/.test(code) ? code : '', 'base64url')
  if (bytes.length !== 40) return null
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
