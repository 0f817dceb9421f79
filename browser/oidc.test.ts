import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Issuer, startIssuer } from '../test/peers/issuer.ts'
import { connectIssuer, signInThere, visitWith } from './at-issuer.ts'
import { settled } from './faults.ts'
import { addMember, enterAs, goodPassword, heading } from './people.ts'
import { picture } from './picture.ts'
import { useWorld, type Visit } from './world.ts'

/** An issuer of one's own: an owner connects it, others come in by it. */
const world = useWorld()
const at = (path: string) => world.url + path
const owner = 'grace@example.com'
const small = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const
let issuer: Issuer

beforeAll(async () => {
  issuer = await startIssuer({ redirectUris: [at('/sign-in/callback')] })
  await addMember(world, { email: owner, name: 'Grace Hopper', role: 'owner' })
  issuer.accounts.set('ada', { email: 'ada@corp.example', email_verified: true, name: 'Ada', groups: ['writers'] })
  issuer.accounts.set('eve', { email: 'eve@elsewhere.example', email_verified: true, name: 'Eve' })
})
afterAll(() => issuer?.close())

const visit = (options: Parameters<typeof world.visit>[0] = {}): Promise<Visit> => visitWith(issuer, world, options)

async function typeEmail(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.keyboard.press('Enter')
}

test('an owner connects an issuer; somebody of the domain comes in as what their group is', async () => {
  const { page, context } = await visit()
  await enterAs(context, world, owner)
  await page.goto(at('/organization'))
  await heading(page, 'Organization')
  await page.getByText('No connections yet').waitFor()
  await page.getByText(at('/sign-in/callback')).waitFor()
  await picture(page, 'sign-in-connections-none')
  await connectIssuer(page, issuer, 'corp.example')
  await page.getByLabel('Claim with the groups', { exact: true }).fill('groups')
  await page.getByLabel('Scopes', { exact: true }).fill('email profile groups')
  await page.getByRole('button', { name: 'Add a group' }).click()
  await page.getByLabel('Group 1', { exact: true }).fill('writers')
  await page.getByLabel('Role of group 1').selectOption('author')
  await settled(page)
  await picture(page, 'sign-in-connection-new')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('The connection Corp is saved').waitFor()
  await page.getByRole('button', { name: 'Check Corp' }).click()
  await page.getByText('The issuer answers as it should').waitFor()
  await settled(page)
  await picture(page, 'sign-in-connections')

  const there = await visit()
  // Nobody is signed in yet.
  there.allow(/status of 401 .*\/session/)
  await there.page.goto(at('/topics'))
  await heading(there.page, 'Sign in')
  await typeEmail(there.page, 'ada@corp.example')
  await there.page.getByRole('button', { name: 'Continue with Corp' }).waitFor()
  await settled(there.page)
  await picture(there.page, 'sign-in-by-connection')
  await there.page.getByRole('button', { name: 'Continue with Corp' }).click()
  await signInThere(there.page, 'ada')
  // Where they wanted to go.
  await heading(there.page, 'Topics')
  await there.page.getByRole('button', { name: 'Your account: Ada' }).waitFor()
  expect(new URL(there.page.url()).pathname).toMatch(/^\/env\/[^/]+\/topics$/)
  const { data } = await world.api('GET', '/v1/members')
  expect(data).toMatchObject([{ email: owner }, { email: 'ada@corp.example', role: 'author' }])
})

test('whom it may not vouch for is told so, and others sign in by their password', async () => {
  const there = await visit(small)
  there.allow(/status of 403 .*\/session\/connection\/finish/)
  await there.page.goto(at('/sign-in'))
  await typeEmail(there.page, 'somebody@corp.example')
  await picture(there.page, 'sign-in-by-connection-narrow')
  await there.page.getByRole('button', { name: 'Continue with Corp' }).click()
  await signInThere(there.page, 'eve')
  await heading(there.page, 'You are not signed in')
  await there.page.getByText('Corp does not vouch for addresses of elsewhere.example here').waitFor()
  expect(there.page.url()).toBe(at('/sign-in/callback'))
  await settled(there.page)
  await picture(there.page, 'sign-in-refused-narrow')
  await there.page.getByRole('link', { name: 'Back to the sign-in' }).click()
  await heading(there.page, 'Sign in')
  await typeEmail(there.page, owner)
  await there.page.getByLabel('Password', { exact: true }).waitFor()
  await there.page.getByRole('button', { name: 'Another address' }).click()
  await typeEmail(there.page, 'grace@corp.example')
  await there.page.getByRole('button', { name: 'Use a password' }).click()
  await there.page.getByRole('button', { name: 'Another address' }).click()
  await typeEmail(there.page, owner)
  await there.page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await there.page.keyboard.press('Enter')
  await heading(there.page, 'Overview')
})

test('deleted, it signs out whom it let in; an address that was opened twice says what to do', async () => {
  const ada = await visit()
  await ada.page.goto(at('/sign-in'))
  await typeEmail(ada.page, 'ada@corp.example')
  await ada.page.getByRole('button', { name: 'Continue with Corp' }).click()
  await signInThere(ada.page, 'ada')
  await heading(ada.page, 'Overview')
  ada.allow(/status of 401/)
  const grace = await visit(small)
  await enterAs(grace.context, world, owner)
  await grace.page.goto(at('/organization'))
  await grace.page.getByRole('button', { name: 'Edit Corp' }).click()
  await grace.page.getByLabel('Issuer', { exact: true }).waitFor()
  await settled(grace.page)
  await picture(grace.page, 'sign-in-connection-narrow')
  await grace.page.getByRole('button', { name: 'Delete' }).click()
  await grace.page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click()
  await grace.page.getByText('The connection Corp is deleted').waitFor()
  const deletedAt = performance.now()
  await heading(ada.page, 'Sign in')
  expect(performance.now() - deletedAt).toBeLessThan(5_000)
  await ada.page.goto(at('/sign-in/callback?code=a&state=b'))
  await ada.page.getByText('Begin again on the sign-in page').waitFor()
  expect(ada.page.url()).toBe(at('/sign-in/callback'))
})
