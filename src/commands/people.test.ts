import { expect, test } from 'vitest'
import { giveReach } from '../../test/contract/reach.ts'
import { testConfig, useHarness } from '../../test/harness.ts'
import { within5s } from '../../test/people/attackers.ts'
import { goodPassword, makeMember, ofDashboard } from '../../test/people/people.ts'
import { setUpTwoFactor } from '../../test/people/second-proof.ts'
import { runProgram } from './cli/run-program.ts'

const h = useHarness()

async function people(...args: string[]): Promise<string> {
  const said: string[] = []
  const settings = { DATABASE_URL: h.databaseUrl, PUBLIC_URL: 'https://tidings.example.com' }
  await runProgram(['people', ...args], { settings: () => testConfig(settings), print: (line) => said.push(line) })
  return said.join('\n')
}

async function owner() {
  const env = await h.environment()
  await giveReach(h, env)
  return { env, ...(await makeMember(env, { role: 'owner' })) }
}

const fresh = 'a bright morning in the hills'
const tokenIn = (said: string) => /https:\/\/tidings\.example\.com\/reset#token=([\w.-]+)/.exec(said)?.[1] ?? ''
const reset = (token: string) =>
  h.send('POST', '/session/reset', { body: { token, password: fresh }, headers: ofDashboard })
const signIn = (email: string, password: string) =>
  h.send('POST', '/session', { body: { email, password }, headers: ofDashboard })

test('list: who is here, as what, and how they prove it', async () => {
  const { email, name } = await owner()
  expect(await people('list', email)).toBe(`${email}  ${name}  owner of "test"  (password)`)
  expect(await people('list')).toContain(email)
  expect(await people('list', 'nobody at all')).toBe('No account matches "nobody at all".')
})

test('link: an owner who lost the password gets back in; once, and what was open is over', async () => {
  const ada = await owner()
  const said = await people('link', ` ${ada.email.toUpperCase()} `)
  const token = tokenIn(said)
  // The link changes nothing until it is used.
  expect((await signIn(ada.email, goodPassword)).status).toBe(200)
  expect((await reset(token)).body).toMatchObject({ next: 'dashboard', session: { role: 'owner' } })
  expect((await reset(token)).body.code).toBe('reset_refused')
  expect((await signIn(ada.email, goodPassword)).status).toBe(401)
  await within5s(async () => (await h.send('GET', '/session', { headers: ada.headers })).status === 401)
  const record = await ada.env.get('/v1/changes?of=organization&action=people.link')
  expect(record.body.data).toMatchObject([
    { actor: { type: 'command', name: 'npm start -- people link' }, subject: { type: 'person', id: ada.personId } },
  ])
  expect(record.text).not.toContain(token.split('.')[2])
})

test('link: a second one ends the first', async () => {
  const { email } = await owner()
  const [first, second] = [tokenIn(await people('link', email)), tokenIn(await people('link', email))]
  expect((await reset(first)).body.code).toBe('reset_refused')
  expect((await reset(second)).status).toBe(200)
})

test('link: a lost phone is forgotten only if that is said', async () => {
  const ada = await owner()
  const { recoveryCodes } = await setUpTwoFactor(h.send, ada)
  const kept = await people('link', ada.email)
  expect(kept).toContain('add --without-second-proof')
  expect((await reset(tokenIn(kept))).body).toEqual({ next: 'sign-in' })
  expect((await signIn(ada.email, fresh)).body.code).toBe('second_factor_needed')
  const said = await people('link', ada.email, '--without-second-proof')
  expect(said).toContain('The second proof is off')
  expect((await reset(tokenIn(said))).body).toMatchObject({ next: 'dashboard', session: { role: 'owner' } })
  const code = { email: ada.email, password: fresh, code: recoveryCodes[0] }
  const signedIn = await h.send('POST', '/session', { body: code, headers: ofDashboard })
  expect(signedIn.body.person.twoFactor).toBe(false)
  const { data } = (await ada.env.get('/v1/changes?of=organization&action=people.link')).body
  expect(data[0].changes).toEqual([{ path: 'twoFactor', before: true, after: false }])
})

test('says what to do where there is nobody, and what can be said', async () => {
  await expect(people('link', 'nobody@example.com')).rejects.toThrow(/people list/)
  await expect(people('link')).rejects.toThrow("Missing required argument 'e-mail'")
  await expect(people('forget')).rejects.toThrow("Unknown command 'forget'")
})
