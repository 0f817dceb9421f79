import { expect } from 'vitest'
import { totpCode, totpStep } from '../../src/core/people/totp.ts'
import type { Harness, Json } from '../harness.ts'
import { goodPassword, type SignedIn } from './people.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** What an app shows: now, or some half minutes away. */
export function appCode(secret: string, distance = 0): string {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return totpCode(Buffer.from(bytes), totpStep(new Date()) + distance)
}

export type SecondProof = { secret: string; recoveryCodes: string[] }

/** A second proof is set up, with the code of now: that of the next half minute can still be shown. */
export async function setUpTwoFactor(send: Harness['send'], who: SignedIn): Promise<SecondProof> {
  const { secret } = await beginTwoFactor(send, who)
  const body = { code: appCode(secret) }
  const reply = await send('POST', '/session/account/two-factor/confirm', { body, headers: who.headers })
  expect(reply.status, reply.text).toBe(200)
  return { secret, recoveryCodes: reply.body.recoveryCodes }
}

export async function beginTwoFactor(send: Harness['send'], { headers }: SignedIn): Promise<Json> {
  const reply = await send('POST', '/session/account/two-factor', { body: { password: goodPassword }, headers })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
