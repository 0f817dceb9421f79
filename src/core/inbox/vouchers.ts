import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { type Remembered, rememberBriefly } from '../../lib/remember-briefly.ts'
import { sha256 } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { listVouchingKeys } from '../../store/access/api-keys.ts'
import { getInboxIdentity } from '../../store/access/environments.ts'
import { envOf } from '../../store/database.ts'

/** Who may vouch for people in an environment: each of its live API keys, and its signing secret. */
export type Vouchers = {
  organizationId: string
  identifier: string
  /** Tokens that name none of these are worth nothing. */
  ids: readonly string[]
  /** Of those whose text we know: they can be asked for a hash. */
  secrets: readonly { id: string; text: string }[]
}

/** By environment id; null: there is no such environment. A revoked key vouches for nobody within 5 s. */
export type FindVouchers = Remembered<Vouchers | null>

export function createVouchers(ctx: Ctx): FindVouchers {
  return rememberBriefly(async (environmentId) => {
    const env = envOf(environmentId)
    return ctx.database.read(env, async (db) => {
      const identity = await getInboxIdentity(db, env)
      if (!identity) return null
      const { organizationId, identifier, signingSecret } = identity
      const keys = await listVouchingKeys(db, env, ctx.clock())
      const texts = keys.flatMap(({ id, sealedText }) =>
        sealedText ? [{ id, text: ctx.sealer.open(secretPlaces.apiKeyText({ environmentId, id }), sealedText) }] : [],
      )
      const secret = signingSecret ? [openSecret(ctx, environmentId, signingSecret)] : []
      const ids = [...keys, ...secret].map(({ id }) => id)
      return { organizationId, identifier, ids, secrets: [...texts, ...secret] }
    })
  })
}

function openSecret(ctx: Ctx, environmentId: string, sealed: string): { id: string; text: string } {
  const text = ctx.sealer.open(secretPlaces.signingSecret({ environmentId }), sealed)
  // A new secret has another id, so tokens that the former one vouched for end.
  return { id: `secret-${sha256(text).toString('hex').slice(0, 16)}`, text }
}

/** Whose HMAC of the message this is; null: nobody's. Every secret is tried, so the time does not tell which one fits. */
export function whoVouches({ secrets }: Vouchers, message: string, hash: string): string | null {
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(hash) ? hash : '', 'hex')
  let found: string | null = null
  for (const { id, text } of secrets) {
    const right = createHmac('sha256', text).update(message).digest()
    if (given.length === right.length && timingSafeEqual(given, right)) found = id
  }
  return found
}

/** The same, asked of all who may vouch in an environment by now. */
export async function askVouchers(
  findVouchers: FindVouchers,
  environmentId: string,
  message: string,
  hash: string,
): Promise<string | null> {
  const whose = (vouchers: Vouchers | null) => (vouchers ? whoVouches(vouchers, message, hash) : null)
  const known = whose(await findVouchers(environmentId))
  if (known) return known
  // The key may be younger than what we remember.
  findVouchers.forget(environmentId)
  return whose(await findVouchers(environmentId))
}
