import type { Ctx } from '../../context.ts'
import type { Candidate } from './candidates.ts'
import { openFields } from './integration-credentials.ts'

export type WhenUnknown = 'atLeastOnce' | 'atMostOnce'

/**
 * What to do when it is unknown whether a message was sent: send again (perhaps twice) or not (perhaps never). The
 * integration's setting decides; else the default: no second text message, because it costs money and trust.
 */
export function whenUnknown(ctx: Ctx, { row, provider }: Candidate): WhenUnknown {
  const place = { environmentId: row.environment_id, id: row.id, column: 'configurations' as const }
  const { whenUnknown: chosen } = row.configurations.whenUnknown
    ? openFields(ctx, place, { whenUnknown: row.configurations.whenUnknown })
    : {}
  return readWhenUnknown(chosen) ?? defaultWhenUnknown(provider)
}

export function readWhenUnknown(value: unknown): WhenUnknown | null {
  return value === 'atLeastOnce' || value === 'atMostOnce' ? value : null
}

export function defaultWhenUnknown({ id, channel }: { id: string; channel: string }): WhenUnknown {
  return channel === 'sms' || id === 'whatsapp-business' ? 'atMostOnce' : 'atLeastOnce'
}
