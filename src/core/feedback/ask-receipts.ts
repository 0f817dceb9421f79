import type { Ctx } from '../../context.ts'
import { chunks } from '../../lib/chunks.ts'
import type { Receipt } from '../../providers/provider.ts'
import type { Env } from '../../store/database.ts'
import {
  type Answered,
  type DueReceipt,
  listRecipients,
  saveAnswers,
  takeSettled,
} from '../../store/feedback/receipts.ts'
import { findIntegration, type IntegrationRow } from '../../store/integrations.ts'
import { targetDigest } from '../delivery/build-message.ts'
import { forgetGoneTokens } from '../delivery/gone-tokens.ts'
import { redact } from '../delivery/redact.ts'
import { callTools, openCredentials, secretsOf } from '../integrations/provider-call.ts'
import { loadChannels } from '../subscribers/channel-credentials.ts'
import { applyCallbacks } from './apply-callbacks.ts'

// How long one call for receipts may take.
const callMs = 10_000

/** Asks a vendor what became of messages of one integration, and records what it says. Those it does not know stay due. */
export async function askReceipts(
  ctx: Ctx,
  env: Env,
  integrationId: string,
  due: readonly DueReceipt[],
): Promise<void> {
  const row = await ctx.database.read(env, (db) => findIntegration(db, env, integrationId))
  const provider = row && ctx.providers.find(row.provider_id)
  // Removed meanwhile: nobody can be asked. Its receipts go with it, or when they are too old.
  if (!row || !provider?.receipts) return
  const credentials = openCredentials(ctx, row, provider)
  const secrets = secretsOf(credentials)
  for (const page of chunks(due, provider.receipts.perCall)) {
    const tools = callTools(ctx, env, row, Date.now() + callMs)
    const tickets = page.map(({ ticket }) => ticket)
    const known = await provider.receipts.fetch({ ...tools, credentials, tickets })
    await recordReceipts(ctx, env, row, page, known ?? new Map(), secrets)
  }
}

async function recordReceipts(
  ctx: Ctx,
  env: Env,
  row: IntegrationRow,
  page: readonly DueReceipt[],
  known: ReadonlyMap<string, Receipt>,
  secrets: readonly string[],
): Promise<void> {
  const now = ctx.clock()
  const answers = page.flatMap(({ ticket, expires_at }): Answered[] => {
    const receipt = known.get(ticket)
    if (!receipt) return expires_at <= now ? [{ ticket, outcome: 'unknown', reason: null }] : []
    if (receipt.kind === 'delivered') return [{ ticket, outcome: 'delivered', reason: null }]
    return [{ ticket, outcome: 'failed', reason: redact(receipt.reason, secrets) }]
  })
  if (answers.length === 0) return
  const messageIds = [...new Set(page.map(({ message_id }) => message_id))]
  await ctx.database.write(env, async (db) => {
    await saveAnswers(db, env, row.id, answers)
    const settled = await takeSettled(db, env, messageIds)
    const callbacks = settled.map(({ message_id: messageId, delivered, failed, reason }) => {
      // It arrived at one of the person's devices: the others do not matter.
      if (delivered) return { kind: 'delivered' as const, messageId }
      if (failed) return { kind: 'bounced' as const, messageId, ...(reason !== null && { reason }) }
      return { kind: 'other' as const, messageId, name: 'no receipt' }
    })
    if (callbacks.length > 0) await applyCallbacks(ctx, db, env, row, callbacks)
  })
  await forgetTokens(ctx, env, row, page, known)
}

/** A receipt names no token, only its digest is kept: it is looked for among those the person has now. */
async function forgetTokens(
  ctx: Ctx,
  env: Env,
  row: IntegrationRow,
  page: readonly DueReceipt[],
  known: ReadonlyMap<string, Receipt>,
): Promise<void> {
  const gone = page.filter(({ ticket }) => {
    const receipt = known.get(ticket)
    return receipt?.kind === 'failed' && receipt.gone
  })
  if (gone.length === 0) return
  const answers = await ctx.database.read(env, async (db) => {
    const recipients = await listRecipients(
      db,
      env,
      gone.map(({ message_id }) => message_id),
    )
    const people = [...new Set([...recipients.values()].map(({ id }) => id))]
    const channels = await loadChannels(ctx, db, env, people)
    return gone.flatMap(({ message_id, target }) => {
      const recipient = recipients.get(message_id)
      const tokens = recipient && channels.get(recipient.id)?.get(row.id)?.deviceTokens
      const matching = (tokens ?? []).filter((token) => targetDigest(token) === target)
      return recipient ? [{ integration: row, subscriberId: recipient.subscriberId, accepted: 0, gone: matching }] : []
    })
  })
  await forgetGoneTokens(ctx, env, answers)
}
