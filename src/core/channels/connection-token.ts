import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import type { Connection } from '../../providers/connect.ts'
import type { Outcome } from '../../providers/outcome.ts'
import { claimRenewal, endRenewal, readConnectionAuth } from '../../store/channels/connections.ts'
import type { Env } from '../../store/database.ts'
import type { Candidate } from '../integrations/candidates.ts'
import { callTools, openCredentials } from '../integrations/provider-call.ts'
import type { ReachedConnection } from './reached.ts'
import { openAuth, sealAuth } from './save-connection.ts'

// A token about to expire could expire on its way to the vendor.
const marginMs = 60_000
// Longer than a call may take. Who has not stored a new token by then has died.
const renewalMs = 30_000
const lookAgainMs = 200
const longestWaitMs = 5_000

const expired: Outcome = {
  kind: 'rejected',
  reason: 'The access token has expired, and nothing is there to renew it with: connect the workspace again',
  because: 'connection',
}

/**
 * What `send` gets: a token that is good for a while. A refresh token may be good once, so one caller of all nodes renews,
 * and stores what it got before anybody uses it; the others wait for that.
 */
export async function freshConnection(
  ctx: Ctx,
  env: Env,
  candidate: Candidate,
  connection: ReachedConnection,
  deadline: number,
): Promise<Connection | { fault: Outcome }> {
  const { id, workspace } = connection
  const waitUntil = ctx.clock().getTime() + longestWaitMs
  for (let known: Pick<ReachedConnection, 'auth' | 'authNumber' | 'expiresAt'> | null = connection; known; ) {
    if (known.auth === null) return { workspace }
    const now = ctx.clock()
    const { accessToken, refreshToken } = openAuth(ctx, env, id, known.auth)
    const leftMs = known.expiresAt === null ? Number.POSITIVE_INFINITY : known.expiresAt.getTime() - now.getTime()
    if (leftMs > marginMs) return { workspace, accessToken }
    const refresh = candidate.provider.oauth?.refresh
    if (refreshToken === undefined || !refresh) return leftMs > 0 ? { workspace, accessToken } : { fault: expired }
    const claim = { id, authNumber: known.authNumber }
    const until = new Date(now.getTime() + renewalMs)
    if (await ctx.database.write(env, (db) => claimRenewal(db, env, claim, { now, until }))) {
      const tools = callTools(ctx, env, candidate.row, deadline)
      const credentials = openCredentials(ctx, candidate.row, candidate.provider)
      const renewed = await refresh({ ...tools, credentials, refreshToken })
      const stored =
        'fault' in renewed ? null : { auth: sealAuth(ctx, env, id, renewed), expiresAt: renewed.expiresAt ?? null }
      await ctx.database.write(env, (db) => endRenewal(db, env, claim, stored))
      return 'fault' in renewed ? renewed : { workspace, accessToken: renewed.accessToken }
    }
    if (now.getTime() > waitUntil) return { fault: { kind: 'retry', reason: 'The access token is being renewed' } }
    await sleep(lookAgainMs)
    known = await ctx.database.read(env, (db) => readConnectionAuth(db, env, id))
  }
  return { fault: { kind: 'rejected', reason: 'The workspace was disconnected' } }
}
