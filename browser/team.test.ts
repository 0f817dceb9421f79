import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Issuer, startIssuer } from '../test/peers/issuer.ts'
import { connectIssuer, signInThere, visitWith } from './at-issuer.ts'
import { faultsOf, settled } from './faults.ts'
import { heading } from './people.ts'
import { picture } from './picture.ts'
import { useWorld, type Visit } from './world.ts'

/** The way of a team: from a first start at which nobody has an account to the record of what each of them did. */
const world = useWorld()
const at = (path: string) => world.url + path
const ada = { email: 'ada@corp.example', name: 'Ada Lovelace' }
const grace = { email: 'grace@corp.example', name: 'Grace Hopper' }
let issuer: Issuer
let owner: Visit
let author: Visit
let admin: Visit

beforeAll(async () => {
  issuer = await startIssuer({ redirectUris: [at('/sign-in/callback')] })
  issuer.accounts.set('ada', { ...ada, email_verified: true })
  issuer.accounts.set('grace', { ...grace, email_verified: true })
})
afterAll(() => issuer?.close())

const visit = () => visitWith(issuer, world, { kept: true })
const row = (page: Page, name: RegExp) => page.getByRole('row', { name })

let pictures = 0
async function look(page: Page, name: string): Promise<void> {
  await settled(page)
  expect(await faultsOf(page, name)).toEqual([])
  await picture(page, `team-${String(++pictures).padStart(2, '0')}-${name}`)
}

test('whoever starts it is in by the printed link, protects Production and connects the issuer', async () => {
  owner = await visit()
  const { page } = owner
  await page.goto(world.link)
  await heading(page, 'Overview')
  await look(page, 'first-start')
  await page.goto(at('/env/development/environments'))
  await page.getByRole('region', { name: 'Production' }).getByRole('switch', { name: 'Protected: Production' }).click()
  await page.getByRole('button', { name: 'Protect it' }).click()
  await page.getByText('Production is protected').waitFor()
  await page.goto(at('/env/development/organization'))
  await connectIssuer(page, issuer, 'corp.example')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('The connection Corp is saved').waitFor()
  await look(page, 'issuer')
})

test('invites two people, and each reads it in their mail', async () => {
  const { page } = owner
  await page.goto(at('/env/development/members'))
  await inviteAs(page, ada.email, 'Author everywhere', 'Viewer in Production')
  await inviteAs(page, grace.email, 'Admin everywhere')
  await look(page, 'members')
  await page.goto(at(`/env/development/mailbox?to=${encodeURIComponent(ada.email)}`))
  await page.getByText('You are invited to My organization').first().click()
  await page.frameLocator('iframe').getByRole('link', { name: 'Accept the invitation' }).waitFor()
  await look(page, 'invitation')
})

test('each follows the link of their mail, and comes in by the issuer', async () => {
  author = await join(ada, 'ada')
  await look(author.page, 'author-is-in')
  admin = await join(grace, 'grace')
  const { data } = await world.api('GET', '/v1/members')
  expect(data.map(({ email, role }: { email: string; role: string }) => [email, role]).toSorted()).toEqual([
    [ada.email, 'author'],
    [grace.email, 'admin'],
  ])
  expect((await world.api('GET', '/v1/members/invitations')).data).toEqual([])
})

test('the author edits in Development, and cannot in Production', async () => {
  const { page } = author
  await page.goto(at('/env/development/workflows/hello?tab=settings'))
  await page.getByRole('textbox', { name: /^Name/ }).fill('Hello, team')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await world.api('GET', '/v2/workflows/hello')).name).toBe('Hello, team')
  await page.goto(at('/env/production/workflows'))
  await heading(page, 'Workflows')
  await page.getByText('Production is protected.').waitFor()
  expect(await page.getByRole('button', { name: 'New workflow' }).count()).toBe(0)
  await look(page, 'author-in-production')
  await page.goto(at('/env/development/publish'))
  await page.getByText('You can look, and not publish.').waitFor()
  await look(page, 'author-publish')
})

test('the admin sees what differs, publishes it, and puts it back', async () => {
  const { page } = admin
  await page.goto(at('/env/development/publish'))
  await page.getByRole('button', { name: /^Hello, team/ }).waitFor()
  await look(page, 'difference')
  await page.getByRole('button', { name: 'Publish to Production' }).click()
  await page.getByLabel('Note').fill('Words for the team')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Published to Production' }).getByText('Hello, team').waitFor()
  await look(page, 'published')
  expect((await inProduction('/v2/workflows/hello')).name).toBe('Hello, team')
  await page.goto(at('/env/development/publish?view=history'))
  await page.getByRole('button', { name: /Words for the team/ }).click()
  await page.getByRole('button', { name: 'Put back what was before' }).click()
  await page.getByRole('button', { name: 'Put it back' }).click()
  await page.getByRole('dialog', { name: 'Production is put back' }).waitFor()
  await expect.poll(() => world.api('GET', '/v2/workflows', undefined, 'production')).toMatchObject({ totalCount: 0 })
  await page.goto(at('/env/development/publish?view=history'))
  await page.getByText('Words for the team').waitFor()
  await look(page, 'put-back')
})

test('the record names all of it', async () => {
  const { page } = admin
  await page.goto(at('/env/production/record'))
  await row(page, /Grace Hopper published from Development/).waitFor()
  await row(page, /Grace Hopper put back an earlier state/).waitFor()
  await look(page, 'record-production')
  await page.getByRole('combobox', { name: 'Where' }).selectOption('Development')
  await row(page, /Ada Lovelace changed workflow hello/).waitFor()
  await page.getByRole('combobox', { name: 'Where' }).selectOption('The whole organization')
  await row(page, /Ada Lovelace .*Corp|Ada Lovelace joined/)
    .first()
    .waitFor()
  await look(page, 'record')
})

const inProduction = (path: string) => world.api('GET', path, undefined, 'production')

async function inviteAs(page: Page, email: string, ...roles: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  await dialog.getByLabel('E-mail address').fill(email)
  for (const name of roles) await dialog.getByRole('radio', { name }).check()
  await page.keyboard.press('Enter')
  await page.getByRole('group', { name: 'Link of the invitation' }).waitFor()
  await page.keyboard.press('Escape')
}

/** Out of the newest mail to them. */
async function join({ email, name }: typeof ada, account: string): Promise<Visit> {
  const links = async (): Promise<string[]> => {
    const { data } = await world.api('GET', `/v1/dev/mailbox?to=${encodeURIComponent(email)}`)
    return data.flatMap(
      ({ content }: { content: string }) => /https?:\S+\/accept#token=[\w.-]+/.exec(content)?.[0] ?? [],
    )
  }
  await expect.poll(links, { timeout: 10_000 }).toHaveLength(1)
  const made = await visit()
  // Nobody is signed in yet.
  made.allow(/status of 401 .*\/session/)
  await made.page.goto((await links())[0] ?? '')
  await heading(made.page, 'Join My organization')
  if (pictures < 6) await look(made.page, 'join')
  await made.page.getByRole('button', { name: 'Continue with Corp' }).click()
  await signInThere(made.page, account)
  await heading(made.page, 'Overview')
  await made.page.getByRole('button', { name: `Your account: ${name}` }).waitFor()
  return made
}
