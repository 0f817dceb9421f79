import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import {
  addressOf,
  believing,
  countBy,
  flood,
  percentile,
  signInFrom,
  sitAt,
  timed,
} from '../../../test/people/attackers.ts'
import { makeMember } from '../../../test/people/people.ts'

const h = useHarness(believing)
const [desk, stranger] = ['192.0.2.10', '203.0.113.66']

async function organization(): Promise<Client> {
  const env = await h.environment()
  await giveReach(h, env)
  return env
}

async function atTheirDesk(env: Client) {
  const ada = await makeMember(env)
  await sitAt(h, ada, desk)
  return ada
}

const wrong = (n: number) => `a wrong password, number ${n}`
const rate = { perSecond: 100, seconds: 4 }

/** How long another route takes meanwhile. */
async function othersDuring(env: Client, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    times.push(await timed(() => env.get('/v2/topics')))
    await sleep(10)
  }
  return times
}

/** Compared with before, because machines differ and are busy: one that stands still takes seconds. */
function expectAnswers(before: number[], during: number[]): void {
  expect(percentile(during, 0.5)).toBeLessThan(Math.max(200, 10 * percentile(before, 0.5)))
}

async function quiet(env: Client): Promise<number[]> {
  return othersDuring(env, sleep(300))
}

describe('a hundred wrong passwords a second', () => {
  test('from one address: twenty are judged, the person comes in from their desk, and other routes answer', async () => {
    const env = await organization()
    const ada = await atTheirDesk(env)
    const before = await quiet(env)
    const guesses = flood(rate, (n) => signInFrom(h.send, { email: ada.email, password: wrong(n), address: stranger }))
    const others = othersDuring(env, guesses)
    await sleep(1_500)
    const signIns = await Promise.all([1, 2].map(() => signInFrom(h.send, { email: ada.email, address: desk })))
    expect(signIns.map(({ status }) => status)).toEqual([200, 200])
    const counts = countBy(await guesses)
    expect(counts[401]).toBeLessThanOrEqual(20)
    expect(Object.keys(counts)).not.toContain('200')
    expect(counts[429]).toBeGreaterThan(300)
    expectAnswers(before, await others)
  })

  test('of one account from a hundred addresses: the account counts, and its person comes in from their desk', async () => {
    const env = await organization()
    const ada = await atTheirDesk(env)
    const before = await quiet(env)
    const guesses = flood(rate, (n) =>
      signInFrom(h.send, { email: ada.email, password: wrong(n), address: addressOf(n % 100) }),
    )
    const others = othersDuring(env, guesses)
    await sleep(1_500)
    expect((await signInFrom(h.send, { email: ada.email, address: desk })).status).toBe(200)
    // The right password is not heard from an unknown place meanwhile: a guess may be right, too.
    expect((await signInFrom(h.send, { email: ada.email, address: '192.0.2.200' })).status).toBe(429)
    const counts = countBy(await guesses)
    // Five, and one after each pause; twice that if somebody has come in meanwhile.
    expect(counts[401]).toBeLessThanOrEqual(14)
    expect(Object.keys(counts)).not.toContain('200')
    expectAnswers(before, await others)
  })

  test('of many accounts from many addresses: whoever comes from their desk is let in while it goes on', async () => {
    const env = await organization()
    const ada = await atTheirDesk(env)
    const before = await quiet(env)
    const guesses = flood(rate, (n) =>
      signInFrom(h.send, { email: `guessed-${n}@example.com`, password: wrong(n), address: addressOf(1000 + n) }),
    )
    const others = othersDuring(env, guesses)
    await sleep(1_000)
    const signIns: number[] = []
    for (let n = 0; n < 5; n++) {
      signIns.push((await signInFrom(h.send, { email: ada.email, address: desk })).status)
      await sleep(300)
    }
    expect(signIns).toEqual([200, 200, 200, 200, 200])
    expect(Object.keys(countBy(await guesses))).not.toContain('200')
    expectAnswers(before, await others)
  })
})

describe('one address', () => {
  test('guesses at many accounts no oftener than at one', async () => {
    const env = await organization()
    const ada = await atTheirDesk(env)
    const address = '203.0.113.1'
    const statuses: number[] = []
    for (let n = 0; n < 25; n++)
      statuses.push((await signInFrom(h.send, { email: `one-of-many-${n}@example.com`, address })).status)
    expect(countBy(statuses.map((status) => ({ status }) as never))).toEqual({ 401: 20, 429: 5 })
    expect((await signInFrom(h.send, { email: ada.email, address })).status).toBe(429)
    expect((await signInFrom(h.send, { email: ada.email, address: desk })).status).toBe(200)
  })

  test('with a hundred guesses at once has no more of them judged, not even where the person sits, too', async () => {
    // Of one account, and of a hundred.
    const emailOf = (n: number, round: number, email: string) => (round < 2 ? email : `at-once-${n}@example.com`)
    const ada = await makeMember(await organization())
    const address = '203.0.113.2'
    await sitAt(h, ada, address)
    let judged = 0
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          signInFrom(h.send, { email: emailOf(n, round, ada.email), password: wrong(n), address }),
        ),
      )
      judged += countBy(replies)[401] ?? 0
    }
    expect(judged).toBeLessThanOrEqual(20)
    expect(judged).toBeGreaterThan(0)
  })

  test('of IPv6 is a network: whoever has one has more of its addresses than there are people', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 25; n++) {
      const guess = { email: `guess-${n}@example.com`, address: `2001:db8:1:2:${n.toString(16)}::${n}` }
      statuses.push((await signInFrom(h.send, guess)).status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    const next = { email: 'guess@example.com', address: '2001:db8:1:3::1' }
    expect((await signInFrom(h.send, next)).status).toBe(401)
  })
})
