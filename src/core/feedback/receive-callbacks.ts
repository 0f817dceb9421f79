import { createHash } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { chunks } from '../../lib/chunks.ts'
import type { RawRequest } from '../../lib/raw-request.ts'
import { type Callback, type Inbound, type InboundCall, type InboundReply, NotNow } from '../../providers/inbound.ts'
import type { Provider } from '../../providers/provider.ts'
import { type Env, sqlState, uniqueViolation } from '../../store/database.ts'
import type { ToldEvent } from '../../store/feedback/callback-arrivals.ts'
import { claimCallbackToken } from '../../store/feedback/callback-tokens.ts'
import { findIntegrationEnvironment } from '../../store/feedback/callbacks.ts'
import { findIntegration, type IntegrationRow } from '../../store/integrations.ts'
import { applyBotEvents } from '../channels/link-people.ts'
import { callTools, deadlineIn, openCredentials } from '../integrations/provider-call.ts'
import { applyCallbacks } from './apply-callbacks.ts'
import { integrationOf, signingKeyOf } from './callback-url.ts'

/** How many events there were, those about messages, and what the vendor wants to read. */
export type Received = { received: number; events: readonly ToldEvent[]; reply: InboundReply | undefined }

/** What the address names. One that we gave out names no environment. */
type Called = { integrationId: string; environmentId?: string }

/** Applies a vendor's report about messages it accepted. */
export async function receiveCallbacks(ctx: Ctx, called: Called, request: RawRequest): Promise<Received> {
  return receive(ctx, await findListener(ctx, called), request)
}

async function receive(ctx: Ctx, listener: Listener, request: RawRequest): Promise<Received> {
  const { env, row, inbound } = listener
  const { body, headers } = request
  if (body.length > inbound.mostBytes) {
    ctx.arrivals.refused(env, row.id, `A call of more than ${inbound.mostBytes} bytes`, ctx.clock())
    throw new ApiError('body_too_large')
  }
  const call = toCall(ctx, listener, request)
  if (!(await judged(() => inbound.verify(call)))) {
    ctx.arrivals.refused(
      env,
      row.id,
      'The call does not prove that it is the vendor: check the signing key',
      ctx.clock(),
    )
    throw new ApiError('signature_refused')
  }
  const greeted = await judged(() => inbound.handshake?.(call))
  if (greeted) {
    ctx.arrivals.told(env, row.id, [{ kind: 'confirmed', messageId: null }], ctx.clock())
    return { received: 0, events: [], reply: greeted }
  }
  const people = inbound.people?.({ body, headers }) ?? []
  if (people.length > 0) {
    const apply = () => ctx.database.write(env, (db) => applyBotEvents({ ctx, db, env, now: ctx.clock() }, row, people))
    // Somebody was given the same place at this moment: the second time it is seen.
    await apply().catch((error: unknown) => (sqlState(error) === uniqueViolation ? apply() : Promise.reject(error)))
  }
  const callbacks = inbound.read({ body, headers })
  const events = inbound.once
    ? await receiveOnce(ctx, env, row, inbound.once({ body, headers }), callbacks)
    : await receiveInPages(ctx, env, row, callbacks)
  if (!events) return { received: 0, events: [], reply: inbound.reply }
  const told = [...people.map(({ kind }) => ({ kind, messageId: null })), ...events]
  ctx.arrivals.told(env, row.id, told.slice(0, mostShown), ctx.clock())
  return { received: told.length, events, reply: inbound.reply }
}

/** A vendor asks by GET whether we listen, or reports by it. */
export async function answerGet(ctx: Ctx, called: Called, request: RawRequest): Promise<Received> {
  const listener = await findListener(ctx, called)
  const { env, row, provider, inbound, signingKey } = listener
  const { url } = request
  if (inbound.byGet) return receive(ctx, listener, { ...request, body: URL.parse(url)?.search.slice(1) ?? '' })
  const reply = inbound.challenge?.({ url, signingKey, credentials: openCredentials(ctx, row, provider) })
  if (!reply) throw new ApiError('webhook_not_found')
  ctx.arrivals.told(env, row.id, [{ kind: 'confirmed', messageId: null }], ctx.clock())
  return { received: 0, events: [], reply }
}

/** What hinders the vendor is no fault of ours, and it is asked to call again. */
async function judged<T>(judge: () => T | Promise<T>): Promise<T> {
  try {
    return await judge()
  } catch (error) {
    if (error instanceof NotNow) throw new ApiError('callback_not_now', { retryAfterSeconds: 30 })
    throw error
  }
}

// What a handshake may take: the vendor waits for our answer.
const handshakeMs = 5_000

function toCall(ctx: Ctx, { env, row, provider, signingKey }: Listener, request: RawRequest): InboundCall {
  const { http, cached, now } = callTools(ctx, env, row, deadlineIn(handshakeMs))
  return { ...request, signingKey, credentials: openCredentials(ctx, row, provider), http, cached, now }
}

// One transaction each: other calls go on between them.
const pageSize = 500
// Of the events of the last call.
const mostShown = 20

/** A page that was applied stays so if a later one fails: the vendor calls again, and what is known changes nothing. */
async function receiveInPages(ctx: Ctx, env: Env, row: IntegrationRow, callbacks: readonly Callback[]) {
  const events: ToldEvent[] = []
  for (const page of chunks(callbacks, pageSize)) {
    const applied = await ctx.database.write(env, (db) => applyCallbacks(ctx, db, env, row, page))
    events.push(...applied.map(toTold))
  }
  return events
}

// Longer than any vendor's token is believed: half a day (Mailgun), and a little more for clocks that differ.
const tokenLifeMs = 13 * 3_600_000

/**
 * A second call with the same token does nothing (null) and is answered 200 too, so that a vendor that missed our reply
 * rests. If the first one failed, its token is free again.
 */
async function receiveOnce(ctx: Ctx, env: Env, row: IntegrationRow, token: string, callbacks: readonly Callback[]) {
  const digest = createHash('sha256').update(token).digest()
  const expiresAt = new Date(ctx.clock().getTime() + tokenLifeMs)
  return ctx.database.write(env, async (db) => {
    if (!(await claimCallbackToken(db, env, { integrationId: row.id, digest, expiresAt }))) return null
    const applied = callbacks.length > 0 ? await applyCallbacks(ctx, db, env, row, callbacks) : []
    return applied.map(toTold)
  })
}

function toTold({ callback, messageId }: { callback: Callback; messageId: string | null }): ToldEvent {
  const { kind, name } = callback
  return { kind, ...(name !== undefined && { name: name.slice(0, 60).toWellFormed().replaceAll('\0', '') }), messageId }
}

type Listener = { env: Env; row: IntegrationRow; provider: Provider; inbound: Inbound; signingKey: string }

/** The same error for every reason why nobody listens. */
async function findListener(ctx: Ctx, called: Called): Promise<Listener> {
  const integrationId = integrationOf(called.integrationId) ?? ''
  const env = integrationId ? await findIntegrationEnvironment(ctx.database.db, integrationId) : null
  const row = env && (await ctx.database.read(env, (db) => findIntegration(db, env, integrationId)))
  const provider = row && ctx.providers.find(row.provider_id)
  const inbound = provider?.inbound
  const signingKey = row && signingKeyOf(ctx, row)
  if (called.environmentId !== undefined && called.environmentId !== env?.environmentId)
    throw new ApiError('webhook_not_found')
  if (!env || !row || !provider || !inbound || !signingKey) throw new ApiError('webhook_not_found')
  return { env, row, provider, inbound, signingKey }
}
