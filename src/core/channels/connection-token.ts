import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { cutText } from '../../lib/one-line.ts'
import type { Connection } from '../../providers/connect.ts'
import type { Outcome } from '../../providers/outcome.ts'
import { type ConnectionAuth, claimRenewal, endRenewal, readConnectionAuth } from '../../store/channels/connections.ts'
import { writePatiently } from '../../store/connect/write-patiently.ts'
import type { Env } from '../../store/database.ts'
import { cleanOutcome } from '../delivery/clean-outcome.ts'
import type { Candidate } from '../integrations/candidates.ts'
import { callTools, openCredentials, secretsOf } from '../integrations/provider-call.ts'
import type { ReachedConnection } from './reached.ts'
import { openAuth, sealAuth, toStorableAuth } from './save-connection.ts'

// A token about to expire could expire on its way to the vendor.
const marginMs = 60_000
// Longer than a call may take. Who has not stored a new token by then has died.
const renewalSeconds = 30
const lookAgainMs = 200
const longestWaitMs = 5_000

/** Who asks for a token: for which integration's connection, and until when the vendor may take. */
type Asking = { ctx: Ctx; env: Env; candidate: Candidate; id: string; deadline: number }
type Token = { token: string } | { fault: Outcome }

/** What `send` gets: a token that is good for a while. */
export async function freshConnection(
  ctx: Ctx,
  env: Env,
  candidate: Candidate,
  connection: ReachedConnection,
  deadline: number,
): Promise<Connection | { fault: Outcome }> {
  const { id, workspace } = connection
  if (connection.refused !== null) return { fault: refusedBefore(connection.refused) }
  if (connection.auth === null) return { workspace }
  const asking = { ctx, env, candidate, id, deadline }
  const use = usable(asking, connection)
  // Those of this process who need it at the same time ask together.
  const found =
    use ?? (await ctx.tokens.of(`connection ${id} ${connection.authNumber}`)('next', () => next(asking, connection)))
  return 'fault' in found ? found : { workspace, accessToken: found.token }
}

/** The token as it is, if it can be used; undefined: there is a better one to be had. */
function usable({ ctx, env, candidate, id }: Asking, { auth, expiresAt }: ConnectionAuth): Token | undefined {
  if (auth === null) return { fault: refusedBefore('it was disconnected') }
  const { accessToken, refreshToken } = openAuth(ctx, env, id, auth)
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime() - ctx.clock().getTime()
  if (leftMs > marginMs) return { token: accessToken }
  if (refreshToken !== undefined && candidate.provider.oauth?.refresh) return undefined
  return leftMs > 0 ? { token: accessToken } : { fault: expired }
}

/**
 * A refresh token may be good once: one caller of all nodes renews, and stores what it got before anybody uses it. The
 * others wait until it is there. Nothing is kept in memory (`expiresInMs`): the row is the truth.
 */
async function next(asking: Asking, loaded: ConnectionAuth) {
  const { ctx, env, id } = asking
  const waitUntil = ctx.clock().getTime() + longestWaitMs
  for (let known: ConnectionAuth | null = loaded; known; ) {
    if (known.refused !== null) return { fault: refusedBefore(known.refused) }
    const use = usable(asking, known)
    if (use) return 'fault' in use ? use : { ...use, expiresInMs: 0 }
    const now = ctx.clock()
    const claim = { id, authNumber: known.authNumber }
    const isOurs =
      !known.isRenewed && (await ctx.database.write(env, (db) => claimRenewal(db, env, claim, renewalSeconds)))
    if (isOurs) return renew(asking, known)
    if (now.getTime() > waitUntil) {
      return { fault: { kind: 'retry', reason: 'The access token of the workspace is being renewed' } as const }
    }
    await sleep(lookAgainMs)
    known = await ctx.database.read(env, (db) => readConnectionAuth(db, env, id))
  }
  return { fault: refusedBefore('it was disconnected') }
}

async function renew({ ctx, env, candidate, id, deadline }: Asking, { auth, authNumber }: ConnectionAuth) {
  const { accessToken = '', refreshToken = '' } = auth === null ? {} : openAuth(ctx, env, id, auth)
  const tools = callTools(ctx, env, candidate.row, deadline, () => !ctx.drain.begun)
  const credentials = openCredentials(ctx, candidate.row, candidate.provider)
  const told = (await candidate.provider.oauth?.refresh?.({ ...tools, credentials, refreshToken })) ?? {
    fault: expired,
  }
  const end = (result: Parameters<typeof endRenewal>[3]) =>
    ctx.database.write(env, (db) => endRenewal(db, env, { id, authNumber }, result))
  if ('fault' in told) {
    const fault = cleanOutcome(told.fault, [...secretsOf(credentials), accessToken, refreshToken])
    await end({ refused: refusalIn(fault) })
    return { fault }
  }
  const { expiresAt = null, ...renewed } = toStorableAuth(told)
  let isStored = false
  // The old token is used up, so the new one must not be lost while the database is away or nothing may be sealed.
  await writePatiently(async () => {
    isStored = await end({ auth: sealAuth(ctx, env, id, renewed), expiresAt })
  })
  // What is not stored is not used: the workspace was connected anew, or is gone. The next try sees which.
  if (!isStored) return { fault: { kind: 'retry', reason: 'The workspace was connected anew meanwhile' } as const }
  return { token: told.accessToken, expiresInMs: 0 }
}

/** What the vendor said, if it is meant for good. */
function refusalIn(fault: Outcome): string | null {
  return fault.kind === 'rejected' && fault.because === 'connection' ? fault.reason : null
}

const expired: Outcome = {
  kind: 'rejected',
  reason: 'The access token has expired, and nothing is there to renew it with: connect the workspace again',
  because: 'connection',
}

export function refusedBefore(words: string): Outcome {
  const reason = `The workspace has refused us; connect it again. It said: ${words}`
  return { kind: 'rejected', reason: cutText(reason, 500), because: 'connection' }
}
