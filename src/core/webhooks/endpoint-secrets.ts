import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import type { Env } from '../../store/database.ts'
import type { EndpointRow } from '../../store/webhooks/endpoints.ts'

/** `until`: of one that another has taken the place of. It still signs until then. */
type Secret = { secret: string; until?: string }

// Standard Webhooks: 24 to 64 bytes.
const secretBytes = 32
// With each rotation within the overlap of the one before there is one more signature.
const mostSecrets = 5

export function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`
}

export function sealSecrets(ctx: Ctx, env: Env, id: string, secrets: readonly Secret[]): string {
  return ctx.sealer.seal(secretPlaces.webhookEndpoint({ ...env, id }), JSON.stringify(secrets))
}

/** What signs now, the newest first. */
export function openSecrets(ctx: Ctx, env: Env, row: Pick<EndpointRow, 'id' | 'secrets'>, now: Date): string[] {
  return read(ctx, env, row, now).map(({ secret }) => secret)
}

/** The same with a new one in front. The one before signs on until `overlap` is over. */
export function rotateSecrets(
  ctx: Ctx,
  env: Env,
  row: Pick<EndpointRow, 'id' | 'secrets'>,
  given: { secret: string; overlapMs: number; now: Date },
): string {
  const until = new Date(given.now.getTime() + given.overlapMs).toISOString()
  const [last, ...older] = read(ctx, env, row, given.now)
  const kept = last && given.overlapMs > 0 ? [{ secret: last.secret, until }] : []
  return sealSecrets(ctx, env, row.id, [{ secret: given.secret }, ...kept, ...older].slice(0, mostSecrets))
}

function read(ctx: Ctx, env: Env, row: Pick<EndpointRow, 'id' | 'secrets'>, now: Date): Secret[] {
  const all: Secret[] = JSON.parse(ctx.sealer.open(secretPlaces.webhookEndpoint({ ...env, id: row.id }), row.secrets))
  return all.filter(({ until }) => until === undefined || new Date(until) > now)
}
