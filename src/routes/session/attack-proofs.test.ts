import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { type Client, sender, useHarness } from '../../../test/harness.ts'
import { addressOf, believing, countBy, roaming, signInFrom, sitAt } from '../../../test/people/attackers.ts'
import { goodPassword, makeInvitation, makeMember, ofDashboard } from '../../../test/people/people.ts'
import { appCode, setUpTwoFactor } from '../../../test/people/second-proof.ts'
import { useEncryptionKey } from '../../store/access/encryption-keys.ts'

const h = useHarness(believing)
let env: Client
let [send, elsewhere]: [typeof h.send, typeof h.send] = [h.send, h.send]
beforeAll(async () => {
  env = await h.environment()
  await giveReach(h, env)
  send = roaming(h.send)
  elsewhere = roaming(sender((await h.node()).url))
})

const desk = '192.0.2.30'
async function withSecondProof() {
  const ada = await makeMember(env)
  const proof = await setUpTwoFactor(h.send, ada)
  await sitAt(h, ada, desk)
  return { ...ada, ...proof }
}

describe('a code of the app', () => {
  test('is taken once, of ten who send it at once to two nodes from the same desk', async () => {
    const { email, secret } = await withSecondProof()
    const code = appCode(secret, 1)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => signInFrom(n % 2 ? h.send : elsewhere, { email, code, address: desk })),
    )
    expect(countBy(replies)[200]).toBe(1)
    expect((await signInFrom(elsewhere, { email, code, address: desk })).status).not.toBe(200)
  })

  test('counts no try while this node lacks the encryption key of the secret', async () => {
    const { email, secret, personId } = await withSecondProof()
    const seal = (from: string, to: string) =>
      sql`
      update person set totp_secret = replace(totp_secret, ${`sealed.${from}.`}, ${`sealed.${to}.`})
      where id = ${personId}`.execute(h.admin)
    // Another process seals with a key that this node has not got. A key that nobody announced would be damage.
    await useEncryptionKey(h.admin, { id: 'missing', checkValue: 'x' })
    await expect.poll(() => h.ctx.sealer.missingKeyIds(), { timeout: 30_000 }).toEqual(['missing'])
    // So many failures that every other one is followed by a pause. The last pause has ended.
    for (let n = 0; n < 6; n++)
      expect((await signInFrom(h.send, { email, code: '000000', address: desk })).status).toBe(401)
    await sql`update sign_in_failure set blocked_until = last_at`.execute(h.admin)
    await seal('t1', 'missing')
    const codes: number[] = []
    for (let n = 0; n < 12; n++) {
      const reply = await signInFrom(h.send, { email, code: appCode(secret, 1), address: desk })
      expect(reply.headers.get('retry-after')).toBe('5')
      codes.push(reply.status)
    }
    expect(codes).toEqual(Array(12).fill(503))
    await seal('missing', 't1')
    expect((await signInFrom(h.send, { email, code: appCode(secret, 1), address: desk })).status).toBe(200)
  })

  test('that signed somebody in proves nothing else: neither another sign-in nor a change of the account', async () => {
    const { email, secret, headers } = await withSecondProof()
    const code = appCode(secret, 1)
    expect((await signInFrom(h.send, { email, code, address: desk })).status).toBe(200)
    const ask = (method: string, path: string) =>
      h.send(method, `/session/account/${path}`, { headers, body: { password: goodPassword, code } })
    expect((await ask('DELETE', 'two-factor')).body.code).toBe('proof_refused')
    expect((await ask('POST', 'recovery-codes')).body.code).toBe('proof_refused')
  })

  test('is not found by a hundred guesses at once of somebody who knows the password, from wherever they come', async () => {
    const { email, secret } = await withSecondProof()
    const codes = Array.from({ length: 100 }, (_, n) => String(n).padStart(6, '0')).filter(
      (code) => ![-1, 0, 1].some((distance) => appCode(secret, distance) === code),
    )
    const guesses = (addressFor: (n: number) => string) =>
      Promise.all(
        codes.map((code, n) => signInFrom(n % 2 ? h.send : elsewhere, { email, code, address: addressFor(n) })),
      )
    const judged = async (addressFor: (n: number) => string) => countBy(await guesses(addressFor))[401] ?? 0
    // From a hundred addresses, from one, and from the desk itself.
    const counts = [
      await judged((n) => addressOf(500 + n)),
      await judged(() => '203.0.113.5'),
      await judged(() => desk),
    ]
    expect(counts.reduce((sum, it) => sum + it, 0)).toBeLessThanOrEqual(18)
  })

  test('of many digits, of other signs or of none is refused and breaks nothing', async () => {
    const { email } = await withSecondProof()
    for (const code of [
      '0'.repeat(100),
      '１２３４５６',
      '12 34 56',
      '-1',
      '1e5',
      ' ',
      '\u0661\u0662\u0663\u0664\u0665\u0666',
    ]) {
      const reply = await signInFrom(h.send, { email, code, address: desk })
      expect([401, 429], code).toContain(reply.status)
    }
  })
})

test('a recovery code is taken once, of ten who send it at once to two nodes', async () => {
  const { email, recoveryCodes } = await withSecondProof()
  const [code = ''] = recoveryCodes
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) => signInFrom(n % 2 ? h.send : elsewhere, { email, code, address: desk })),
  )
  expect(countBy(replies)[200]).toBe(1)
  expect((await signInFrom(h.send, { email, code, address: desk })).status).not.toBe(200)
})

describe('a password', () => {
  const acceptWith = async (password: string) => {
    const { token, body } = await makeInvitation(env)
    const reply = await send('POST', '/session/accept', {
      body: { token, name: 'Ada', password },
      headers: ofDashboard,
    })
    return { reply, email: body.email as string }
  }
  const isRight = async (email: string, password: string) =>
    (await send('POST', '/session', { body: { email, password }, headers: ofDashboard })).status

  test('of any letters of the world opens only as it is, to its last letter', async () => {
    const most = '🌲🦊🌧️🏔️'.repeat(40)
    const passwords = [
      'pass wörd mit Ümläuten',
      '密码密码密码密码密码密码甲乙丙丁',
      [...most].slice(0, 200).join(''),
      'a'.repeat(100) + 'bcd'.repeat(33),
    ]
    for (const password of passwords) {
      const { reply, email } = await acceptWith(password)
      expect(reply.status, password).toBe(200)
      expect(await isRight(email, password)).toBe(200)
      const letters = [...password]
      expect(await isRight(email, `${letters.slice(0, -1).join('')}x`), password).toBe(401)
      expect(await isRight(email, letters.slice(0, -1).join('')), password).toBe(401)
      expect(await isRight(email, `${password}x`), password).toBe(401)
    }
  })

  test('typed with other characters for the same letters is the same', async () => {
    const { email } = await acceptWith('caf\u00e9 in the morning')
    expect(await isRight(email, 'cafe\u0301 in the morning')).toBe(200)
  })

  test('of more than two hundred letters is refused, and so are NUL and half a character, everywhere and without a 5xx', async () => {
    const { token } = await makeInvitation(env)
    const email = (await makeMember(env)).email
    const faulty = [
      'a b c d e f '.repeat(20),
      'xyz '.repeat(250_000),
      `${goodPassword}\u0000`,
      `${goodPassword}\ud83d`,
      '\udc00'.repeat(20),
    ]
    for (const password of faulty) {
      const raw = (body: object) => JSON.stringify(body)
      const accept = await send('POST', '/session/accept', {
        raw: raw({ token, name: 'Ada', password }),
        headers: ofDashboard,
      })
      expect([400, 413, 422], password.slice(0, 40)).toContain(accept.status)
      const signIn = await send('POST', '/session', { raw: raw({ email, password }), headers: ofDashboard })
      expect([400, 401, 413, 422], password.slice(0, 40)).toContain(signIn.status)
    }
    for (const email of [
      '\u0000@example.com',
      `${'a'.repeat(319)}@example.com`,
      '\ud83d@example.com',
      "' or 1=1 --",
      '%',
      '',
    ]) {
      const reply = await send('POST', '/session', {
        raw: JSON.stringify({ email, password: goodPassword }),
        headers: ofDashboard,
      })
      expect([400, 401, 422], email.slice(0, 40)).toContain(reply.status)
      const ask = await send('POST', '/session/reset/ask', { raw: JSON.stringify({ email }), headers: ofDashboard })
      expect([400, 422], email.slice(0, 40)).toContain(ask.status)
    }
  })
})
