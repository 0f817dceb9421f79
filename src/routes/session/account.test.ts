import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { type Client, type Json, sender, useHarness } from '../../../test/harness.ts'
import {
  addPerson,
  cookieOf,
  goodPassword,
  makeInvitation,
  makeMember,
  ofDashboard,
  type SignedIn,
} from '../../../test/people/people.ts'
import { appCode, beginTwoFactor, setUpTwoFactor } from '../../../test/people/second-proof.ts'

const h = useHarness()
/** A second node. */
let elsewhere: typeof h.send
beforeAll(async () => {
  elsewhere = sender((await h.node()).url)
})

async function organization(): Promise<Client> {
  const env = await h.environment()
  await giveReach(h, env)
  return env
}

const ask = (who: SignedIn, method: string, path: string, body?: unknown, send = h.send) =>
  send(method, `/session${path}`, { headers: who.headers, ...(body !== undefined && { body }) })
const signIn = (who: { email: string }, more: object = {}, send = h.send) =>
  send('POST', '/session', { body: { email: who.email, password: goodPassword, ...more }, headers: ofDashboard })

/** Another session of the same person. */
async function alsoSignedIn(who: SignedIn, more: object = {}): Promise<SignedIn> {
  const reply = await signIn(who, more)
  expect(reply.status, reply.text).toBe(200)
  return { ...who, headers: { ...ofDashboard, cookie: cookieOf(reply) } }
}

async function within5s(isTrue: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await isTrue()); await sleep(100)) {
    expect(performance.now() - begun).toBeLessThan(5_000)
  }
}

const isOut = async (who: SignedIn, send: typeof h.send) => (await ask(who, 'GET', '', undefined, send)).status === 401

describe('a password', () => {
  const fresh = 'another quiet evening'

  test('changes by the one before; all other sessions end on both nodes within 5 s, and this one goes on', async () => {
    const env = await organization()
    const ada = await makeMember(env)
    const other = await alsoSignedIn(ada)
    expect([await isOut(other, h.send), await isOut(other, elsewhere)]).toEqual([false, false])
    const change = (current: string) => ask(ada, 'PUT', '/account/password', { current, password: fresh })
    expect(await change('not the one before')).toMatchObject({ status: 403, body: { code: 'proof_refused' } })
    expect((await change(goodPassword)).status).toBe(204)
    await within5s(async () => (await isOut(other, h.send)) && (await isOut(other, elsewhere)))
    expect(await isOut(ada, h.send)).toBe(false)
    expect((await signIn(ada)).body.code).toBe('sign_in_refused')
    expect((await signIn(ada, { password: fresh })).status).toBe(200)
    const { data } = (await env.get('/v1/changes?of=organization&action=account.password')).body
    expect(data).toMatchObject([{ actor: { name: ada.name }, subject: { type: 'person', id: ada.personId } }])
  })

  test('is not guessed with a stolen session: after five failures one must wait, whatever comes next', async () => {
    const ada = await makeMember(await organization())
    const change = (current: string) => ask(ada, 'PUT', '/account/password', { current, password: fresh })
    const codes: string[] = []
    for (let n = 0; n < 7; n++) codes.push((await change(`a guess ${n}`)).body.code)
    expect(codes.slice(0, 5)).toEqual(Array(5).fill('proof_refused'))
    expect(codes.at(-1)).toBe('too_many_requests')
    const reply = await change(goodPassword)
    expect(reply).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    // The sign-in counts apart.
    expect((await signIn(ada)).status).toBe(200)
  })

  test('changed twice at once by the same one: one wins', async () => {
    const ada = await makeMember(await organization())
    const change = (n: number) =>
      ask(ada, 'PUT', '/account/password', { current: goodPassword, password: `${fresh} ${n}` })
    const replies = await Promise.all([1, 2].map(change))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, expect.toBeOneOf([403, 429])])
    const winner = replies.findIndex(({ status }) => status === 204) + 1
    expect((await signIn(ada, { password: `${fresh} ${winner}` })).status).toBe(200)
  })

  test('is set by nobody who came without one', async () => {
    const env = await organization()
    const guest = await addPerson(h, env.organizationId, { role: 'viewer' })
    const reply = await ask(guest, 'PUT', '/account/password', { current: 'x', password: fresh })
    expect(reply).toMatchObject({ status: 409, body: { code: 'password_absent' } })
    expect((await ask(guest, 'POST', '/account/two-factor', { password: 'x' })).body.code).toBe('password_absent')
  })
})

describe('a second proof', () => {
  test('counts once a code was sent back; from then on the password alone opens nothing', async () => {
    const env = await organization()
    const ada = await makeMember(env)
    const other = await alsoSignedIn(ada)
    const { secret, uri } = await beginTwoFactor(h.send, ada)
    expect(uri).toContain(`secret=${secret}&`)
    expect((await signIn(ada)).status).toBe(200)
    const confirm = (code: string) => ask(ada, 'POST', '/account/two-factor/confirm', { code })
    expect((await confirm('000000')).body.code).toBe('proof_refused')
    const { recoveryCodes } = (await confirm(appCode(secret))).body
    expect(new Set(recoveryCodes).size).toBe(10)
    await within5s(async () => (await isOut(other, h.send)) && (await isOut(other, elsewhere)))
    expect((await ask(ada, 'GET', '/account')).body).toMatchObject({ twoFactor: true, recoveryCodesLeft: 10 })
    expect((await ask(ada, 'GET', '')).body.person.twoFactor).toBe(true)
    expect(await signIn(ada)).toMatchObject({ status: 401, body: { code: 'second_factor_needed' } })
    // Only after the right password.
    expect((await signIn(ada, { password: 'not the right one' })).body.code).toBe('sign_in_refused')
    expect((await signIn(ada, { code: '000000' })).body.code).toBe('sign_in_refused')
    expect((await signIn(ada, { code: appCode(secret, 1) })).status).toBe(200)
    expect((await ask(ada, 'POST', '/account/two-factor', { password: goodPassword })).body.code).toBe('two_factor_on')
    const { rows } = await sql<{ text: string }>`
      select p::text || coalesce(string_agg(c::text, ''), '') as text from person p
      left join recovery_code c on c.person_id = p.id where p.id = ${ada.personId} group by p.id, p.*`.execute(h.admin)
    for (const shown of [secret, ...recoveryCodes]) expect(rows[0]?.text).not.toContain(shown)
    const record = await env.get('/v1/changes?of=organization&action=account.two-factor-on')
    expect(record.body.data[0].changes).toEqual([{ path: 'twoFactor', before: false, after: true }])
    for (const shown of [secret, ...recoveryCodes]) expect(record.text).not.toContain(shown)
  })

  test('a code is good once: again, twice at once over two nodes, and one older than the last are refused', async () => {
    const ada = await makeMember(await organization())
    const { secret } = await setUpTwoFactor(h.send, ada)
    const both = await Promise.all([h.send, elsewhere].map((send) => signIn(ada, { code: appCode(secret, 1) }, send)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([401, 429])])
    for (const distance of [1, 0, -1])
      expect((await signIn(ada, { code: appCode(secret, distance) })).body.code, `${distance}`).toBe('sign_in_refused')
  })

  test('a recovery code is good once, however it is written, and new ones end the old', async () => {
    const ada = await makeMember(await organization())
    const { secret, recoveryCodes } = await setUpTwoFactor(h.send, ada)
    const [first = '', second = '', third = '', fourth = ''] = recoveryCodes
    expect((await signIn(ada, { code: first })).status).toBe(200)
    expect((await signIn(ada, { code: first })).status).toBe(401)
    const both = await Promise.all(
      [h.send, elsewhere].map((send) => signIn(ada, { code: second.toUpperCase().replaceAll('-', ' ') }, send)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([401, 429])])
    expect((await ask(ada, 'GET', '/account')).body.recoveryCodesLeft).toBe(8)
    const renew = (code: string) => ask(ada, 'POST', '/account/recovery-codes', { password: goodPassword, code })
    expect((await renew('wrong')).body.code).toBe('proof_refused')
    const renewed = await renew(appCode(secret, 1))
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    expect((await signIn(ada, { code: third })).status).toBe(401)
    expect((await signIn(ada, { code: renewed.body.recoveryCodes[0] })).status).toBe(200)
    expect((await signIn(ada, { code: fourth })).status).toBe(401)
  })

  test('of another person opens nothing', async () => {
    const env = await organization()
    const [ada, eve] = [await makeMember(env), await makeMember(env)]
    await setUpTwoFactor(h.send, ada)
    const own = await setUpTwoFactor(h.send, eve)
    for (const code of [own.recoveryCodes[0], appCode(own.secret, 1)])
      expect((await signIn(ada, { code })).status).toBe(401)
  })

  test('is turned off by password and code together', async () => {
    const env = await organization()
    const ada = await makeMember(env)
    const { secret, recoveryCodes } = await setUpTwoFactor(h.send, ada)
    const end = (body: Json) => ask(ada, 'DELETE', '/account/two-factor', body)
    const [code] = recoveryCodes
    expect((await end({ password: 'not the right one', code })).body.code).toBe('proof_refused')
    expect((await end({ password: goodPassword, code: '000000' })).body.code).toBe('proof_refused')
    expect((await end({ password: goodPassword, code: appCode(secret, 1) })).status).toBe(204)
    expect((await signIn(ada)).status).toBe(200)
    expect((await end({ password: goodPassword, code })).body.code).toBe('two_factor_off')
    expect((await ask(ada, 'GET', '/account')).body).toMatchObject({ twoFactor: false, recoveryCodesLeft: 0 })
  })

  test('codes are not guessed, not even from a known place, and the right password alone forgets no failure', async () => {
    const ada = await makeMember(await organization())
    const { secret } = await setUpTwoFactor(h.send, ada)
    // The session that was opened by the invitation makes this address a known place.
    const codes: string[] = []
    for (let n = 0; n < 4; n++) {
      codes.push((await signIn(ada, { code: `00000${n}` })).body.code)
      codes.push((await signIn(ada)).body.code)
    }
    expect(codes.slice(0, 5)).toEqual([1, 2, 3, 4, 5].map((n) => (n % 2 ? 'sign_in_refused' : 'second_factor_needed')))
    expect(codes.at(-1)).toBe('too_many_requests')
    expect((await signIn(ada, { code: appCode(secret, 1) })).body.code).toBe('too_many_requests')
  })

  test('from an unknown place a right password without its code counts as a failure', async () => {
    const ada = await makeMember(await organization())
    const { secret } = await setUpTwoFactor(h.send, ada)
    await sql`update person_session set address = '192.0.2.99' where person_id = ${ada.personId}`.execute(h.admin)
    const codes: string[] = []
    for (let n = 0; n < 7; n++) codes.push((await signIn(ada)).body.code)
    expect(codes.slice(0, 5)).toEqual(Array(5).fill('second_factor_needed'))
    expect(codes.at(-1)).toBe('too_many_requests')
    await sql`update sign_in_failure set blocked_until = now()`.execute(h.admin)
    expect((await signIn(ada, { code: appCode(secret, 1) })).status).toBe(200)
  })
})

describe('sessions', () => {
  test('are listed in all organizations; one is ended, or all others, on both nodes within 5 s', async () => {
    const [env, another] = [await organization(), await organization()]
    const ada = await makeMember(env)
    const { token } = await makeInvitation(another, { email: ada.email })
    const [second, third] = [await alsoSignedIn(ada), await alsoSignedIn(ada)]
    const joined = await h.send('POST', '/session/join', { body: { token }, headers: third.headers })
    const there = { ...ada, headers: { ...ofDashboard, cookie: cookieOf(joined) } }
    const list = async (who: SignedIn) => (await ask(who, 'GET', '/sessions')).body.data
    const data = await list(ada)
    expect(data.map((it: Json) => it.organization.id).sort()).toEqual(
      [env.organizationId, env.organizationId, another.organizationId].sort(),
    )
    expect(data.filter((it: Json) => it.current)).toHaveLength(1)
    expect(data[0]).toMatchObject({ address: expect.stringMatching(/127\.0\.0\.1$/), lastSeenAt: expect.any(String) })
    const ofSecond = (await list(second)).find((it: Json) => it.current)
    expect((await ask(ada, 'DELETE', `/sessions/${ofSecond.id}`)).status).toBe(204)
    await within5s(async () => (await isOut(second, h.send)) && (await isOut(second, elsewhere)))
    expect((await ask(ada, 'DELETE', `/sessions/${ofSecond.id}`)).body.code).toBe('session_not_found')
    expect((await ask(ada, 'DELETE', '/sessions')).body).toEqual({ ended: 1 })
    await within5s(async () => (await isOut(there, h.send)) && (await isOut(there, elsewhere)))
    expect((await list(ada)).map((it: Json) => it.current)).toEqual([true])
  })

  test("of others are neither seen nor ended, and a key's session has no account", async () => {
    const env = await organization()
    const [ada, eve] = [await makeMember(env), await makeMember(env)]
    const [own] = (await ask(ada, 'GET', '/sessions')).body.data
    for (const id of [own.id, 'x']) {
      expect((await ask(eve, 'DELETE', `/sessions/${id}`)).body.code).toBe('session_not_found')
    }
    expect(await isOut(ada, h.send)).toBe(false)
    const byKey = await h.send('POST', '/session', { body: { key: env.key }, headers: ofDashboard })
    const headers = { ...ofDashboard, cookie: cookieOf(byKey) }
    for (const path of ['/session/account', '/session/sessions'])
      expect((await h.send('GET', path, { headers })).body.code).toBe('person_needed')
  })
})

describe('going to another organization', () => {
  test('opens a new session there, and the one before is over', async () => {
    const [env, another] = [await organization(), await organization()]
    const ada = await makeMember(env)
    const { token } = await makeInvitation(another, { email: ada.email, role: 'author' })
    const joined = await h.send('POST', '/session/join', { body: { token }, headers: ada.headers })
    const there = { ...ada, headers: { ...ofDashboard, cookie: cookieOf(joined) } }
    const { organizations } = (await ask(there, 'GET', '/account')).body
    expect(organizations).toMatchObject([
      { id: another.organizationId, role: 'author', current: true },
      { id: env.organizationId, role: 'viewer', current: false },
    ])
    const back = await ask(there, 'POST', '/organization', { organizationId: env.organizationId })
    expect(back.body).toMatchObject({ organization: { id: env.organizationId }, role: 'viewer' })
    expect(cookieOf(back)).not.toBe(cookieOf(joined))
    expect(await isOut(there, h.send)).toBe(true)
    const stranger = (await organization()).organizationId
    const again = { ...ada, headers: { ...ofDashboard, cookie: cookieOf(back) } }
    for (const organizationId of [stranger, 'x'])
      expect((await ask(again, 'POST', '/organization', { organizationId })).body.code).toBe('organization_not_found')
    expect(await isOut(again, h.send)).toBe(false)
  })
})

test('a new name is seen at once, and stands in the record', async () => {
  const env = await organization()
  const ada = await makeMember(env)
  expect((await ask(ada, 'PATCH', '/account', { name: ' Ada Byron ' })).body.name).toBe('Ada Byron')
  expect((await ask(ada, 'GET', '')).body.person.name).toBe('Ada Byron')
  const { data } = (await env.get('/v1/changes?of=organization&action=account.name')).body
  expect(data[0].changes).toEqual([{ path: 'name', before: ada.name, after: 'Ada Byron' }])
})
