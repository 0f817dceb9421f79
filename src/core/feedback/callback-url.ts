import type { Ctx } from '../../context.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { Inbound } from '../../providers/inbound.ts'
import type { Provider } from '../../providers/provider.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { openFields } from '../integrations/integration-credentials.ts'
import { findLinkCell } from '../operations/link-cell.ts'

/** The key with which the vendor proves its calls. Null: this integration takes none. */
export function signingKeyOf(ctx: Ctx, row: IntegrationRow): string | null {
  const place = { environmentId: row.environment_id, id: row.id, column: 'configurations' as const }
  const { inboundWebhookEnabled, inboundWebhookSigningKey } = openFields(ctx, place, row.configurations)
  const isOn = inboundWebhookEnabled === true && typeof inboundWebhookSigningKey === 'string'
  return isOn && inboundWebhookSigningKey !== '' ? inboundWebhookSigningKey : null
}

type Listening = { id: string; environment_id: string }

/** Where the vendor calls back. */
export async function callbackUrl(
  ctx: Ctx,
  base: string,
  integration: Listening,
  inbound: Inbound,
  signingKey: string,
): Promise<string> {
  return addressOf(ctx, base, integration, inbound, encodeURIComponent(signingKey))
}

/** The same for replies, which show no secret: who knows the key puts it in place of the dots. */
export async function shownCallbackUrl(ctx: Ctx, integration: Listening, inbound: Inbound): Promise<string | null> {
  const { publicUrl } = ctx.config
  return publicUrl === undefined ? null : addressOf(ctx, publicUrl, integration, inbound, '…')
}

async function addressOf(
  ctx: Ctx,
  base: string,
  { id, environment_id }: Listening,
  { keyInUrl }: Inbound,
  key: string,
): Promise<string> {
  const cell = await findLinkCell(ctx, environment_id)
  return `${base}/v1/webhooks/${cell === null ? '' : `${cell}-`}${id}${keyInUrl ? `?key=${key}` : ''}`
}

/** The integration that the last part of such an address names, with its cell or, as before, without; null: none. */
export function integrationOf(named: string): string | null {
  const [, id = named] = /^[a-z0-9]{1,16}-(.{36})$/.exec(named) ?? []
  return isUuid7(id) ? id : null
}

/**
 * For vendors that are told with each message, with the key that the address may hold. Undefined: not needed, nobody
 * listens, or we have no public address.
 */
export async function callbackUrlFor(
  ctx: Ctx,
  row: IntegrationRow,
  { inbound }: Provider,
): Promise<{ url: string; signingKey: string } | undefined> {
  const { publicUrl } = ctx.config
  if (!inbound?.perMessage || publicUrl === undefined) return undefined
  const signingKey = signingKeyOf(ctx, row)
  return signingKey === null
    ? undefined
    : { url: await callbackUrl(ctx, publicUrl, row, inbound, signingKey), signingKey }
}
