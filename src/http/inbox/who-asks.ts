import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../context.ts'
import { type InboxClaims, readInboxToken, tokenMs } from '../../core/inbox/inbox-token.ts'
import type { FindVouchers, Vouchers } from '../../core/inbox/vouchers.ts'
import { ApiError } from '../../errors.ts'
import type { Env } from '../../store/database.ts'

/** Whose token it is. */
export type WhoAsks = { env: Env; claims: InboxClaims }
export type IdentifyToken = (token: string) => Promise<WhoAsks>

// The key of a token this young may be younger than what we remember. Of older ones nothing new is to be learned.
const youngMs = 5_000

/** A token stands only as long as the key or secret that vouched for its person. */
export function createIdentifyToken(ctx: Ctx, findVouchers: FindVouchers): IdentifyToken {
  return async (token) => {
    const now = ctx.clock()
    const claims = readInboxToken(ctx.sealer, token, now)
    if (!claims) throw new ApiError('inbox_unauthorized')
    const { environmentId, vouchedBy, expiresAt } = claims
    const stands = (known: Vouchers | null) =>
      vouchedBy === null ? ctx.config.inboxHash === 'optional' : known?.ids.includes(vouchedBy)
    let vouchers = await findVouchers(environmentId)
    if (!stands(vouchers) && expiresAt.getTime() - now.getTime() > tokenMs - youngMs) {
      findVouchers.forget(environmentId)
      vouchers = await findVouchers(environmentId)
    }
    if (!vouchers || !stands(vouchers)) throw new ApiError('inbox_unauthorized')
    return { env: { environmentId, organizationId: vouchers.organizationId, keyId: vouchedBy ?? '' }, claims }
  }
}

export function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string {
  return authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : ''
}
