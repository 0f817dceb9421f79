import type { Ctx } from '../../context.ts'
import type { Inbound } from '../../providers/inbound.ts'
import type { Provider } from '../../providers/provider.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { openFields } from '../integrations/integration-credentials.ts'

/** The key with which the vendor proves its calls. Null: this integration takes none. */
export function signingKeyOf(ctx: Ctx, row: IntegrationRow): string | null {
  const place = { environmentId: row.environment_id, id: row.id, column: 'configurations' as const }
  const { inboundWebhookEnabled, inboundWebhookSigningKey } = openFields(ctx, place, row.configurations)
  const isOn = inboundWebhookEnabled === true && typeof inboundWebhookSigningKey === 'string'
  return isOn && inboundWebhookSigningKey !== '' ? inboundWebhookSigningKey : null
}

/** Where the vendor calls back. */
export function callbackUrl(base: string, integrationId: string, inbound: Inbound, signingKey: string): string {
  return addressOf(base, integrationId, inbound, encodeURIComponent(signingKey))
}

/** The same for replies, which show no secret: who knows the key puts it in place of the dots. */
export function shownCallbackUrl({ config }: Ctx, integrationId: string, inbound: Inbound): string | null {
  return config.publicUrl === undefined ? null : addressOf(config.publicUrl, integrationId, inbound, '…')
}

function addressOf(base: string, integrationId: string, { keyInUrl }: Inbound, key: string): string {
  return `${base}/v1/webhooks/${integrationId}${keyInUrl ? `?key=${key}` : ''}`
}

/**
 * For vendors that are told with each message, with the key that the address may hold. Undefined: not needed, nobody
 * listens, or we have no public address.
 */
export function callbackUrlFor(
  ctx: Ctx,
  row: IntegrationRow,
  { inbound }: Provider,
): { url: string; signingKey: string } | undefined {
  const { publicUrl } = ctx.config
  if (!inbound?.perMessage || publicUrl === undefined) return undefined
  const signingKey = signingKeyOf(ctx, row)
  return signingKey === null ? undefined : { url: callbackUrl(publicUrl, row.id, inbound, signingKey), signingKey }
}
