import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { type ConnectionRow, findConnection } from '../../store/channels/connections.ts'
import { type EndpointRow, findEndpoint } from '../../store/channels/endpoints.ts'
import type { Db, Env } from '../../store/database.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { askVouchers, type FindVouchers } from '../inbox/vouchers.ts'
import { openCredentials } from '../integrations/provider-call.ts'
import { fitsContext, readContextKeys } from './endpoint-input.ts'

/** Who looks, by the caller's own identifier, and in which contexts. */
export type Viewer = { subscriberId: string; contextKeys: readonly string[] }

/** The person of a browser's session. */
export type Person = { subscriber: SubscriberRow; contextKeys: readonly string[]; isVouchedFor: boolean }

type Owned = Pick<ConnectionRow, 'subscriberId' | 'shared' | 'contextKeys'>

export function isOwn(row: Pick<Owned, 'subscriberId'>, { subscriberId }: Pick<Viewer, 'subscriberId'>): boolean {
  return row.subscriberId === subscriberId
}

/** One's own, and what is shared in contexts that one is in. */
export function isVisible(row: Owned, viewer: Viewer): boolean {
  return isOwn(row, viewer) || (row.shared && fitsContext(row.contextKeys, viewer.contextKeys))
}

export function toViewer({ subscriber, contextKeys }: Pick<Person, 'subscriber' | 'contextKeys'>): Viewer {
  return { subscriberId: subscriber.subscriber_id, contextKeys }
}

export async function getVisibleConnection(
  db: Db,
  env: Env,
  person: Person,
  identifier: string,
): Promise<ConnectionRow> {
  const row = await findConnection(db, env, identifier)
  if (!row || !isVisible(row, toViewer(person))) throw new ApiError('connection_not_found')
  return row
}

export async function getOwnConnection(db: Db, env: Env, person: Person, identifier: string): Promise<ConnectionRow> {
  const row = await getVisibleConnection(db, env, person, identifier)
  if (!isOwn(row, toViewer(person))) throw new ApiError('connection_not_found')
  return row
}

export async function getOwnEndpoint(db: Db, env: Env, person: Person, identifier: string): Promise<EndpointRow> {
  const row = await findEndpoint(db, env, identifier)
  if (!row || !isOwn(row, toViewer(person))) throw new ApiError('endpoint_not_found')
  return row
}

/** Published clients name the person once more. */
export function refuseOthersName({ subscriber }: Pick<Person, 'subscriber'>, named: string | undefined): void {
  if (named !== undefined && named.trim() !== subscriber.subscriber_id) throw new ApiError('subscriber_mismatch')
}

/** An integration may demand that a hash stands behind everybody who connects or links. */
export function refuseUnvouched(ctx: Ctx, integration: IntegrationRow, { isVouchedFor }: Person): void {
  const provider = ctx.providers.find(integration.provider_id)
  if (isVouchedFor || !provider) return
  if (openCredentials(ctx, integration, provider).hmac === true) throw new ApiError('vouching_needed')
}

/** `areProven`: the customer's own server says that these are the person's contexts, all of them. */
export type ChosenContexts = { keys: readonly string[]; areProven: boolean }

type GivenContexts = { context?: unknown; contextHash?: string | undefined }

/** The session's contexts, some of them, or others with a hash. Outside of a transaction: it may ask for the keys. */
export async function chooseContexts(
  { ctx, env, findVouchers }: { ctx: Ctx; env: Env; findVouchers: FindVouchers },
  { contextKeys, isVouchedFor }: Person,
  { context, contextHash }: GivenContexts,
): Promise<ChosenContexts> {
  const keys = context === undefined ? contextKeys : readContextKeys(context)
  if (context !== undefined && contextHash !== undefined) {
    const vouchedBy = await askVouchers(findVouchers, env.environmentId, canonicalJson(context), contextHash)
    if (!vouchedBy) throw new ApiError('context_hash_refused')
    return { keys, areProven: isVouchedFor }
  }
  if (!fitsContext(keys, contextKeys)) throw new ApiError('context_hash_refused')
  // Where hashes may be left out, anybody opens a session in any context. Fewer contexts are more people.
  const areAll = keys.length === contextKeys.length
  return { keys, areProven: isVouchedFor && areAll && ctx.config.inboxHash === 'required' }
}
