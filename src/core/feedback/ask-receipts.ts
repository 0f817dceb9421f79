import type { Ctx } from '../../context.ts'
import { chunks } from '../../lib/chunks.ts'
import type { Callback } from '../../providers/inbound.ts'
import type { Receipt } from '../../providers/provider.ts'
import type { Env } from '../../store/database.ts'
import {
  type Answered,
  type DueReceipt,
  listRecipients,
  lockReceipts,
  type SettledMessage,
  saveAnswers,
  takeSettled,
} from '../../store/feedback/receipts.ts'
import { findIntegration, type IntegrationRow } from '../../store/integrations.ts'
import { targetDigest } from '../delivery/build-message.ts'
import { redact } from '../delivery/redact.ts'
import { callTools, deadlineIn, openCredentials, secretsOf } from '../integrations/provider-call.ts'
import { loadChannels } from '../subscribers/channel-credentials.ts'
import { applyCallbacks } from './apply-callbacks.ts'
import { forgetGoneTokens } from './gone-tokens.ts'

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
    const tools = callTools(ctx, env, row, deadlineIn(callMs))
    const tickets = page.map(({ ticket }) => ticket)
    const known = await provider.receipts.ask({ ...tools, credentials, tickets })
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
  const messageIds = [...new Set(page.map(({ message_id }) => message_id))]
  await ctx.database.write(env, async (db) => {
    const open = await lockReceipts(db, env, messageIds)
    // While it is still sent to other devices, nothing is settled: it is asked for again.
    const answers = page
      .filter(({ message_id }) => !open.has(message_id))
      .flatMap((due) => toAnswer(due, known.get(due.ticket), secrets, ctx.clock()))
    if (answers.length === 0) return
    await saveAnswers(db, env, row.id, answers)
    const settled = await takeSettled(db, env, messageIds)
    if (settled.length > 0) await applyCallbacks(ctx, db, env, row, settled.map(toCallback))
  })
  await learnOfTokens(ctx, env, row, page, known)
}

/** Nothing, as long as the vendor may still know. */
function toAnswer(
  { ticket, expires_at }: DueReceipt,
  receipt: Receipt | undefined,
  secrets: readonly string[],
  now: Date,
): Answered[] {
  if (!receipt) return expires_at <= now ? [{ ticket, outcome: 'unknown', reason: null }] : []
  if (receipt.kind === 'delivered') return [{ ticket, outcome: 'delivered', reason: null }]
  return [{ ticket, outcome: 'failed', reason: redact(receipt.reason, secrets) }]
}

function toCallback({ message_id: messageId, delivered, failed, reason }: SettledMessage): Callback {
  // It arrived at one of the person's devices: the others do not matter.
  if (delivered) return { kind: 'delivered', messageId }
  if (failed) return { kind: 'bounced', messageId, ...(reason !== null && { reason }) }
  return { kind: 'other', messageId, name: 'no receipt' }
}

/** A receipt names no token, only its digest is kept: it is looked for among those the person has now. */
async function learnOfTokens(
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
  const accepted = page.filter(({ ticket }) => known.get(ticket)?.kind === 'delivered').length
  const taken = { integration: row, subscriberId: '', accepted, gone: [] }
  const answers = await ctx.database.read(env, async (db) => {
    const recipients = await listRecipients(
      db,
      env,
      gone.map(({ message_id }) => message_id),
    )
    const people = [...new Set([...recipients.values()].map(({ id }) => id))]
    const channels = await loadChannels(ctx, db, env, people, { toSend: false })
    return gone.flatMap(({ message_id, target }) => {
      const recipient = recipients.get(message_id)
      const tokens = recipient && channels.get(recipient.id)?.get(row.id)?.deviceTokens
      const matching = (tokens ?? []).filter((token) => targetDigest(token) === target)
      return recipient ? [{ integration: row, subscriberId: recipient.subscriberId, accepted: 0, gone: matching }] : []
    })
  })
  await forgetGoneTokens(ctx, env, [taken, ...answers])
}
