import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { unique } from '../../../test/fixture-makers.ts'
import { type Client, type Reply, useHarness } from '../../../test/harness.ts'
import { addressOf, believing, from, longerShare, signInFrom, timed } from '../../../test/people/attackers.ts'
import { makeMailbox } from '../../../test/people/mails.ts'
import { addPerson, goodPassword, ofDashboard } from '../../../test/people/people.ts'

// Whoever may not ask for an account gets one answer, whether or not there is one.
const h = useHarness(believing)
let env: Client
let hash: string
beforeAll(async () => {
  env = await h.environment()
  await giveReach(h, env)
  await makeMailbox(env)
  hash = await h.ctx.passwords.hash(goodPassword)
})

let asked = 0
/** Every request comes from elsewhere: no limit tells anything. */
const elsewhere = () => addressOf(asked++)

async function withPassword() {
  const person = await addPerson(h, env.organizationId, { role: 'viewer' })
  await sql`update person set password_hash = ${hash} where id = ${person.personId}`.execute(h.admin)
  return person
}
const withoutPassword = () => addPerson(h, env.organizationId, { role: 'viewer' })
async function withSecondProof() {
  const person = await withPassword()
  await sql`update person set totp_secret = 'x', totp_confirmed_at = now() where id = ${person.personId}`.execute(
    h.admin,
  )
  return person
}
const nobody = async () => ({ email: `${unique('person')}@example.com` })
const kinds = { withPassword, withoutPassword, withSecondProof }

/** All of an answer that is not of this one request. */
function shown({ status, headers, body }: Reply) {
  const { timestamp: _when, requestId: _which, ...rest } = body ?? {}
  const varies = ['date', 'x-request-id']
  return { status, body: rest, headers: Object.fromEntries([...headers].filter(([name]) => !varies.includes(name))) }
}

const wrong = { password: 'not the right password' }
const guess = ({ email }: { email: string }) => signInFrom(h.send, { email, ...wrong, address: elsewhere() })
const askReset = ({ email }: { email: string }) =>
  h.send('POST', '/session/reset/ask', { body: { email }, headers: from(elsewhere()) })

describe('what is answered', () => {
  test.each(Object.entries(kinds))('at the sign-in is the same for nobody and for somebody %s', async (_name, make) => {
    const known = await make()
    expect(shown(await guess(known))).toEqual(shown(await guess(await nobody())))
    // A code beside a wrong password says nothing about a second proof either.
    const withCode = (email: string) => signInFrom(h.send, { email, ...wrong, code: '123456', address: elsewhere() })
    expect(shown(await withCode(known.email))).toEqual(shown(await withCode((await nobody()).email)))
    expect(shown(await guess(known)).headers).not.toHaveProperty('set-cookie')
  })

  test.each(Object.entries(kinds))(
    'to who forgot a password is the same for nobody and somebody %s',
    async (_name, make) => {
      const reply = await askReset(await make())
      expect([reply.status, shown(reply)]).toEqual([202, shown(await askReset(await nobody()))])
    },
  )

  test.each([
    ['at the sign-in', guess, 12],
    ['to who forgot a password', askReset, 12],
  ] as const)('%s is the same however often it is asked', async (_name, ask, times) => {
    const [known, unknown] = [await withPassword(), await nobody()]
    for (let n = 0; n < times; n++) {
      const [a, b] = [shown(await ask(known)), shown(await ask(unknown))]
      for (const it of [a, b]) delete it.headers['retry-after']
      expect(a, `${n}`).toEqual(b)
    }
  })

  test('where somebody signs in from day to day, their colleague learns nothing of them by guessing', async () => {
    const [known, unknown] = [await withPassword(), await nobody()]
    const address = '192.0.2.41'
    await sql`update person_session set address = ${address} where person_id = ${known.personId}`.execute(h.admin)
    const statuses = async (email: string) => {
      const all: number[] = []
      for (let n = 0; n < 9; n++) all.push((await signInFrom(h.send, { email, ...wrong, address })).status)
      return all
    }
    expect(await statuses(known.email)).toEqual(await statuses(unknown.email))
  })

  test('to who knows a password of nobody in an organization is that of a wrong one', async () => {
    const [known, there] = [await withPassword(), await h.environment()]
    const at = (organizationId: string, password: string) =>
      h.send('POST', '/session', {
        body: { email: known.email, password, organizationId },
        headers: from(elsewhere()),
      })
    const refused = shown(await at(there.organizationId, wrong.password))
    expect(shown(await at(there.organizationId, goodPassword))).toEqual(refused)
    expect(shown(await at('00000000-0000-7000-8000-000000000000', goodPassword))).toEqual(refused)
  })

  test('to a token of ours for a row that is not there is that of a forged one', async () => {
    const hex = () => '0'.repeat(32)
    const secret = 'A'.repeat(43)
    for (const [path, more] of [
      ['/session/invitation', {}],
      ['/session/accept', { name: 'Eve', password: goodPassword }],
      ['/session/reset', { password: goodPassword }],
    ] as const) {
      const ask = (token: string) =>
        h.send('POST', path, { body: { token, ...more }, headers: { ...ofDashboard, ...from(elsewhere()) } })
      const { organizationId } = env
      const ours = await ask(`${organizationId.replaceAll('-', '')}.${hex()}.${secret}`)
      expect(ours.status).toBe(401)
      expect(shown(await ask(`${hex()}.${hex()}.${secret}`)), path).toEqual(shown(ours))
      expect(shown(await ask('x')), path).toEqual(shown(ours))
    }
  })
})

// Of two that take equally long, one does in half of all pairs: with 40 each, 0.07 more or less is chance.
const [rounds, atLeast, atMost] = [40, 0.25, 0.75]

describe('how long an answer takes', () => {
  test.each([
    ['at the sign-in, somebody and nobody', guess, withPassword],
    ['at the sign-in, somebody without a password and nobody', guess, withoutPassword],
    ['at the sign-in, somebody with a second proof and nobody', guess, withSecondProof],
    ['to who forgot a password, somebody and nobody', askReset, withPassword],
  ] as const)('tells nobody apart: %s', async (_name, ask, make) => {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let n = 0; n < rounds; n++) {
      const [known, unknown] = [await make(), await nobody()]
      // Which of them is first changes, so that nothing else does it.
      const order = n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
      for (const which of order) times[which].push(await timed(() => ask(which === 'known' ? known : unknown)))
    }
    const share = longerShare(times.known, times.unknown)
    expect(share).toBeGreaterThan(atLeast)
    expect(share).toBeLessThan(atMost)
  })
})
