import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../context.ts'
import { type InboxClaims, readInboxToken } from '../../core/inbox/inbox-token.ts'
import type { FindVouchers } from '../../core/inbox/vouchers.ts'
import { ApiError } from '../../errors.ts'
import type { Env } from '../../store/database.ts'

/** Whose token it is. */
export type WhoAsks = { env: Env; claims: InboxClaims }
export type IdentifyToken = (token: string) => Promise<WhoAsks>

/** A token stands only as long as the key or secret that vouched for its person. */
export function createIdentifyToken(ctx: Ctx, findVouchers: FindVouchers): IdentifyToken {
  return async (token) => {
    const claims = readInboxToken(ctx.sealer, token, ctx.clock())
    if (!claims) throw new ApiError('inbox_unauthorized')
    const { environmentId, vouchedBy } = claims
    const vouchers = await findVouchers(environmentId)
    const stands =
      vouchedBy === null ? ctx.config.inboxHash === 'optional' : vouchers?.secrets.some(({ id }) => id === vouchedBy)
    if (!vouchers || !stands) throw new ApiError('inbox_unauthorized')
    return { env: { environmentId, organizationId: vouchers.organizationId, keyId: vouchedBy ?? '' }, claims }
  }
}

export function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string {
  return authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : ''
}
