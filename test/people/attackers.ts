import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Harness, Reply } from '../harness.ts'
import { goodPassword, ofDashboard, type SignedIn } from './people.ts'

/** The harness believes the machine itself, so that each request can come from an address of its own. */
export const believing = { TRUST_PROXY: '127.0.0.0/8' }

export const from = (address: string) => ({ ...ofDashboard, 'x-forwarded-for': address })

/** A different one for each number. */
export const addressOf = (n: number) => `198.18.${n >> 8}.${n & 255}`

/** Each request comes from another address, so that no limit of one tells anything. */
export function roaming(send: Harness['send']): Harness['send'] {
  let asked = 0
  return (method, path, sent = {}) => {
    const headers = { 'x-forwarded-for': addressOf(asked++), ...sent.headers }
    return send(method, path, { ...sent, headers })
  }
}

type Guess = { email: string; password?: string; code?: string; address: string }

export function signInFrom(send: Harness['send'], { address, ...guess }: Guess): Promise<Reply> {
  return send('POST', '/session', { body: { password: goodPassword, ...guess }, headers: from(address) })
}

/** From now on this address, and no other, is one that the person has signed in from. */
export async function sitAt(h: Harness, { personId }: SignedIn, address: string): Promise<void> {
  await sql`update person_session set address = ${address} where person_id = ${personId}`.execute(h.admin)
}

/** `perSecond` of them for so long, whether or not the ones before were answered. */
export async function flood<T>(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  ask: (n: number) => Promise<T>,
): Promise<T[]> {
  const asked: Promise<T>[] = []
  const begun = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const early = (n * 1000) / perSecond - (performance.now() - begun)
    if (early > 1) await sleep(early)
    asked.push(ask(n))
  }
  return Promise.all(asked)
}

export function countBy(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export async function timed(ask: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await ask()
  return performance.now() - begun
}

export function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/** How often one of `a` took longer than one of `b`: a half where nobody can tell them apart. */
export function longerShare(a: readonly number[], b: readonly number[]): number {
  const wins = a.flatMap((x) => b.map((y) => (x > y ? 1 : x === y ? 0.5 : 0)))
  return wins.reduce<number>((sum, it) => sum + it, 0) / wins.length
}

/** Waits until it is true, for 5 s at most. */
export async function within5s(isTrue: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await isTrue()); await sleep(100)) {
    expect(performance.now() - begun).toBeLessThan(5_000)
  }
}
