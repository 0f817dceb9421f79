import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { sha256 } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { findTotpSecret, takeRecoveryCode, takeTotpStep } from '../../store/people/second-proofs.ts'
import { forgetFailures, takeAttempt } from '../../store/people/sign-in-failures.ts'
import { checkAttempt, refuseBlocked } from './blocked.ts'
import { base32, findTotpStep } from './totp.ts'

export type NewTotp = { bytes: Buffer; sealed: string }

/** As long as RFC 4226 asks for. */
export function newTotpSecret({ sealer }: Ctx, personId: string): NewTotp {
  const bytes = randomBytes(20)
  return { bytes, sealed: sealer.seal(secretPlaces.totpSecret({ personId }), bytes.toString('hex')) }
}

export function openTotpSecret({ sealer }: Ctx, personId: string, sealed: string): Buffer {
  return Buffer.from(sealer.open(secretPlaces.totpSecret({ personId }), sealed), 'hex')
}

/**
 * Uses the code, one of the app or a recovery code. Each try is counted before it is judged, wherever it comes from:
 * whoever gets this far knows the password.
 */
export async function proveSecond(ctx: Ctx, personId: string, given: string): Promise<boolean> {
  const { db } = ctx.database
  const [count, now] = [sha256(`second proof ${personId}`), ctx.clock()]
  refuseBlocked(await takeAttempt(db, count, now), now)
  const isRight = await checkAttempt(db, { count, takenAt: now }, () => takeCode(ctx, personId, given, now))
  if (isRight) await forgetFailures(db, count)
  return isRight
}

async function takeCode(ctx: Ctx, personId: string, given: string, now: Date): Promise<boolean> {
  const { db } = ctx.database
  const code = given.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(code)) return takeRecoveryCode(db, personId, hashOf(personId, code))
  const found = await findTotpSecret(db, personId)
  if (!found?.confirmedAt) return false
  const step = findTotpStep(openTotpSecret(ctx, personId, found.secret), code, now)
  return step !== null && takeTotpStep(db, personId, { confirmedAt: found.confirmedAt, step })
}

const codeCount = 10

/** Known only now: their hashes are stored. Eighty bits, so that no hash is worth guessing. */
export function newRecoveryCodes(personId: string): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: codeCount }, () => base32(randomBytes(10)).toLowerCase())
  return {
    codes: codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-')),
    hashes: codes.map((code) => hashOf(personId, code)),
  }
}

function hashOf(personId: string, code: string): Buffer {
  return sha256('recovery code', personId, code.toLowerCase())
}
