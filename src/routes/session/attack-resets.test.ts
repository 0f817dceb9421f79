import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { type Client, sender, useHarness } from '../../../test/harness.ts'
import { believing, roaming, within5s } from '../../../test/people/attackers.ts'
import { makeMailbox, resetMails, resetToken, tokenIn } from '../../../test/people/mails.ts'
import { cookieOf, goodPassword, makeInvitation, makeMember, ofDashboard } from '../../../test/people/people.ts'
import { setUpTwoFactor } from '../../../test/people/second-proof.ts'

const h = useHarness(believing, { worker: true })
let send: typeof h.send
let env: Client
let elsewhere: typeof h.send
beforeAll(async () => {
  env = await h.environment()
  await giveReach(h, env)
  await makeMailbox(env)
  send = roaming(h.send)
  elsewhere = roaming(sender((await h.node()).url))
})

const fresh = 'a bright morning in the hills'
const reset = (token: string, password = fresh, by = send) =>
  by('POST', '/session/reset', { body: { token, password }, headers: ofDashboard })
const signIn = (email: string, password: string) =>
  send('POST', '/session', { body: { email, password }, headers: ofDashboard })
const refused = { status: 401, body: { code: 'reset_refused' } }

describe('a link to reset a password', () => {
  test('works once, however many use it at once over two nodes, and never again', async () => {
    const ada = await makeMember(env)
    const token = await resetToken(env, send, ada.email)
    const passwords = [1, 2, 3, 4].map((n) => `${fresh} ${n}`)
    const replies = await Promise.all(passwords.map((it, n) => reset(token, it, n % 2 ? send : elsewhere)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await reset(token, 'the password of a thief')).toMatchObject(refused)
    const winner = replies.findIndex(({ status }) => status === 200)
    expect((await signIn(ada.email, passwords[winner] ?? '')).status).toBe(200)
  })

  test('ends every session on both nodes within 5 s, and the password before opens nothing', async () => {
    const ada = await makeMember(env)
    const stolen = cookieOf(await signIn(ada.email, goodPassword))
    const token = await resetToken(env, send, ada.email)
    const reply = await reset(token)
    expect(reply.body.next).toBe('dashboard')
    for (const cookie of [stolen, ada.headers.cookie ?? '']) {
      const isOut = async (by: typeof h.send) => (await by('GET', '/session', { headers: { cookie } })).status === 401
      await within5s(async () => (await isOut(send)) && (await isOut(elsewhere)))
    }
    expect((await signIn(ada.email, goodPassword)).status).toBe(401)
    const { data } = (await env.get('/v1/changes?of=organization&action=account.reset')).body
    expect(data[0]).toMatchObject({ actor: { name: ada.name }, subject: { type: 'person', id: ada.personId } })
  })

  test('opens nothing once another was asked for, the password was changed, or an hour is over', async () => {
    const [asked, changed, old] = [await makeMember(env), await makeMember(env), await makeMember(env)]
    const first = await resetToken(env, send, asked.email)
    const second = await resetToken(env, send, asked.email, 2)
    expect(await reset(first)).toMatchObject(refused)
    const void_ = await resetToken(env, send, changed.email)
    const change = { current: goodPassword, password: 'an evening after the change' }
    const headers = { headers: changed.headers }
    expect((await send('PUT', '/session/account/password', { body: change, ...headers })).status).toBe(204)
    expect(await reset(void_)).toMatchObject(refused)
    const expired = await resetToken(env, send, old.email)
    await sql`update password_reset set expires_at = now() where person_id = ${old.personId}`.execute(h.admin)
    expect(await reset(expired)).toMatchObject(refused)
    expect((await reset(second)).status).toBe(200)
  })

  test('of one account opens no other, and neither an invitation nor a session is one', async () => {
    const [ada, eve] = [await makeMember(env), await makeMember(env)]
    const [ofAda, ofEve] = [await resetToken(env, send, ada.email), await resetToken(env, send, eve.email)]
    const [place, row] = ofAda.split('.')
    const [otherPlace, otherRow, secret] = ofEve.split('.')
    const { token: invitation } = await makeInvitation(env)
    const session = (ada.headers.cookie ?? '').split('=')[1] ?? ''
    const forged = [`${place}.${row}.${secret}`, `${place}.${otherRow}.${secret}`, `${otherPlace}.${row}.${secret}`]
    for (const token of [...forged, invitation, session, session.slice(2), `${ofAda}x`, ofAda.slice(0, -1)])
      expect(await reset(token), token).toMatchObject(refused)
    const asInvitation = { body: { token: ofAda, name: 'Eve', password: goodPassword }, headers: ofDashboard }
    expect((await send('POST', '/session/accept', asInvitation)).body.code).toBe('invitation_refused')
    const asSession = await send('GET', '/session', { headers: { cookie: `tidings_session=${ofAda}` } })
    expect(asSession.status).toBe(401)
    expect((await reset(ofAda)).body.session.person.email).toBe(ada.email)
  })

  test('gives no session to somebody with a second proof: a mailbox is not enough', async () => {
    const ada = await makeMember(env)
    const { recoveryCodes } = await setUpTwoFactor(send, ada)
    const reply = await reset(await resetToken(env, send, ada.email))
    expect(reply.body).toEqual({ next: 'sign-in' })
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect((await signIn(ada.email, fresh)).body.code).toBe('second_factor_needed')
    const body = { email: ada.email, password: fresh, code: recoveryCodes[0] }
    expect((await send('POST', '/session', { body, headers: ofDashboard })).status).toBe(200)
  })

  test('stands behind the # alone, is kept as a hash, and is in no record and no list of what waits', async () => {
    const ada = await makeMember(env)
    const token = await resetToken(env, send, ada.email)
    const [{ content }] = await resetMails(env, ada.email)
    const links = [...content.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => new URL(link))
    expect(links.length).toBeGreaterThan(0)
    for (const { pathname, search, hash } of links)
      expect([pathname, search, hash]).toEqual(['/reset', '', `#token=${token}`])
    const secret = token.split('.')[2] ?? ''
    expect(secret).toHaveLength(43)
    for (const table of ['password_reset', 'own_mail', 'change_record', 'person', 'sign_in_failure']) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} t`.execute(h.admin)
      expect(rows.map(({ row }) => row).join(), table).not.toContain(secret)
    }
  })

  test('leads to us, whatever host the one who asked has named', async () => {
    const hosts = [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'evil.example:80@localhost',
      '10.9.9.9',
    ]
    const ada = await makeMember(env)
    const hostOf = new URL(h.url).host
    const ask = (host: string, more: Record<string, string> = {}) =>
      askRaw(h.url, { host, ...more }, JSON.stringify({ email: ada.email }))
    for (const host of hosts) expect([202, 400], host).toContain(await ask(host))
    const forwarded = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    expect(await ask(hostOf, forwarded)).toBe(202)
    await h.drain()
    const mails = await resetMails(env, ada.email)
    expect(mails.length).toBeGreaterThan(0)
    for (const { content } of mails) {
      expect(content).not.toMatch(/evil|10\.9\.9\.9/)
      expect(content).toContain(`http://${hostOf}/reset#token=`)
    }
    expect(tokenIn(mails[0])).not.toBe('')
  })
})

/** fetch names the host by itself. */
async function askRaw(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const all = { ...ofDashboard, 'content-type': 'application/json', ...headers }
    const sent = request(`${url}/session/reset/ask`, { method: 'POST', headers: all }, (reply) => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('where PUBLIC_URL is set', () => {
  test('every link leads there', async () => {
    const node = await h.node({ PUBLIC_URL: 'https://tidings.example.com' })
    const ada = await makeMember(env)
    await resetToken(env, sender(node.url), ada.email)
    const [{ content }] = await resetMails(env, ada.email)
    expect(content).toContain('https://tidings.example.com/reset#token=')
    expect(content).not.toContain('127.0.0.1')
  })
})

test('asked for again and again it sends no more mails than a person needs', async () => {
  const ada = await makeMember(env)
  const ask = () => send('POST', '/session/reset/ask', { body: { email: ada.email }, headers: ofDashboard })
  const statuses = (await Promise.all(Array.from({ length: 40 }, ask))).map(({ status }) => status)
  expect(new Set(statuses).isSubsetOf(new Set([202, 429]))).toBe(true)
  // The newest opens, once it is there; before and after it none.
  let opened = 0
  const tryAll = async () => {
    for (const mail of await resetMails(env, ada.email)) if ((await reset(tokenIn(mail))).status === 200) opened += 1
    return opened
  }
  await expect.poll(tryAll, { timeout: 20_000 }).toBe(1)
  expect(await tryAll()).toBe(1)
  expect((await resetMails(env, ada.email)).length).toBeLessThanOrEqual(6)
})

// The last one: its node takes mails in hand that others wait for.
test('in production without PUBLIC_URL no mail is made, because nobody says who we are', async () => {
  const production = sender((await h.node({ NODE_ENV: 'production', DATABASE_URL: h.databaseUrl })).url)
  const ada = await makeMember(env)
  const reply = await production('POST', '/session/reset/ask', { body: { email: ada.email }, headers: ofDashboard })
  expect(reply.status).toBe(202)
  // Asked after it, and answered.
  const grace = await makeMember(env)
  await send('POST', '/session/reset/ask', { body: { email: grace.email }, headers: ofDashboard })
  const linksOf = async ({ personId }: { personId: string }) =>
    (await sql`select 1 from password_reset where person_id = ${personId}`.execute(h.admin)).rows.length
  await expect.poll(() => linksOf(grace)).toBe(1)
  expect(await linksOf(ada)).toBe(0)
})
