import type { Ctx } from '../../context.ts'
import type { Sealer } from '../../lib/seal.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Env } from '../../store/database.ts'
import { findLinkCell } from '../operations/link-cell.ts'

/** What the link carries, sealed: it cannot be forged or read. */
export type Unsubscribe = { environmentId: string; subscriberId: string; workflowId: string }

const place = ['unsubscribe']

/**
 * RFC 8058: a mail client may unsubscribe with one POST and no page. Only if we can be reached from outside
 * (PUBLIC_URL).
 */
export async function unsubscribeHeaders(
  ctx: Ctx,
  env: Env,
  row: { id: string; subscriber_id: string; workflow_id: string },
): Promise<Record<string, string>> {
  if (!ctx.config.publicUrl) return {}
  const link = { environmentId: env.environmentId, subscriberId: row.subscriber_id, workflowId: row.workflow_id }
  const cell = await findLinkCell(ctx, env.environmentId)
  const token = (cell === null ? '' : `${cell}.`) + unsubscribeToken(ctx.sealer, link, uuid7Time(row.id))
  return {
    'List-Unsubscribe': `<${ctx.config.publicUrl}/v1/unsubscribe/${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/** The same at every try of a message: a vendor compares what comes under one idempotency key. `at`: the message's time. */
export function unsubscribeToken(sealer: Sealer, link: Unsubscribe, at: Date): string {
  return sealer.sealAlike(place, JSON.stringify(link), at)
}

/** With its cell or, as before, without. Null for a token we did not make. */
export function readUnsubscribe(ctx: Ctx, text: string): Unsubscribe | null {
  const token = text.replace(/^[a-z0-9]{1,16}\.(?=sealed(\.[\w-]+){2}$)/, '')
  const link = ctx.sealer.openSent(place, token)
  // We sealed this text, so its shape is known.
  return link === null ? null : (JSON.parse(link) as Unsubscribe)
}
