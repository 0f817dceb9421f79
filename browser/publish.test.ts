import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { faultsOf, settled } from './faults.ts'
import { go } from './go.ts'
import { addMember, enterAs, heading } from './people.ts'
import { picture } from './picture.ts'
import { useWorld } from './world.ts'

/** A team works in two environments: an author makes, an admin publishes and puts back, and the record names both. */
const world = useWorld()
const author = { email: 'ada@example.com', name: 'Ada Lovelace' }
const admin = { email: 'grace@example.com', name: 'Grace Hopper' }
const at = (address: string) => world.url + address
const prod = (method: string, path: string, body?: unknown) => world.api(method, path, body, 'production')
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

const mail = (subject: string) => ({
  stepId: 'mail',
  name: 'Mail',
  type: 'email',
  controlValues: { subject, body: '<p>Thank you for your order.</p>\n<p>We ship it today.</p>' },
})
const sms = { stepId: 'sms', name: 'SMS', type: 'sms', controlValues: { body: 'We have your order.' } }

beforeAll(async () => {
  const { api } = world
  await api('POST', '/v2/layouts', { layoutId: 'brand', name: 'Brand' })
  await api('POST', '/v2/workflows', { workflowId: 'receipt', name: 'Receipt', steps: [mail('Your receipt')] })
  await api('POST', '/v2/environments/production/publish', { note: 'The first one' })
  await prod('POST', '/v2/workflows', { workflowId: 'own', name: 'Made in Production', steps: [sms] })
  await prod('PUT', '/v1/environments/production', { protected: true })
  const { _id } = (await api('GET', '/v1/environments')).find(({ slug }: { slug: string }) => slug === 'production')
  await addMember(world, { ...admin, role: 'admin' })
  await addMember(world, { ...author, role: 'author', environments: [{ environmentId: _id, role: 'viewer' }] })
  await api('POST', '/v2/workflows', { workflowId: 'code', name: 'Login code', steps: [sms] })
})

async function visitAs({ email }: { email: string }, options: Parameters<typeof world.visit>[0] = {}) {
  const visit = await world.visit({ ...options, signedIn: false })
  await enterAs(visit.context, world, email)
  return visit
}

const folder = join(import.meta.dirname, '../.data/screenshots')

async function look(page: Page, name: string): Promise<void> {
  await settled(page)
  expect(await faultsOf(page, name)).toEqual([])
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

test('an author changes it in Development, reads it in Production, and cannot publish', async () => {
  const { page } = await visitAs(author)
  await page.goto(at('/env/development/workflows/receipt?tab=settings'))
  await page.getByRole('textbox', { name: /^Name/ }).fill('Receipt, new')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await world.api('GET', '/v2/workflows/receipt')).name).toBe('Receipt, new')
  await go(page, at('/env/development/publish'))
  await heading(page, 'Publish')
  await page.getByText('You can look, and not publish.').waitFor()
  await page.getByText('In Production, publishing to it is for owners and admins.').waitFor()
  await page.getByRole('button', { name: /^Receipt, new/ }).waitFor()
  await settled(page)
  expect(await page.getByRole('main').getByRole('checkbox').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Publish/ }).count()).toBe(0)
  await look(page, 'publish-author-1440-light')

  await page.goto(at('/env/production/workflows/receipt?tab=settings'))
  const notice = page.getByRole('region', { name: 'Protected environment' })
  await notice.getByText('Production is protected.').waitFor()
  expect(await page.getByRole('textbox', { name: /^Name/ }).getAttribute('readonly')).not.toBeNull()
  await notice.getByRole('link', { name: 'Publish' }).click()
  await heading(page, 'Publish')
  await page.getByRole('region', { name: 'From and into' }).getByText('Production').waitFor()
  expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Record' }).count()).toBe(0)
})

test('an admin sees it line by line and what is lacking, chooses, and publishes what was shown', async () => {
  const { page, allow } = await visitAs(admin)
  allow(/status of 409 .*\/publish/)
  await page.goto(at('/env/production/publish'))
  const receipt = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Receipt, new/ }) })
  await receipt.getByText('removed: Receipt', { exact: false }).waitFor()
  await receipt.getByText('by Ada Lovelace').waitFor()
  const code = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Login code/ }) })
  await code.getByText('No active SMS integration in Production.').waitFor()
  await look(page, 'publish-1440-light')
  await picture(page, 'publish-diff')
  await page.getByRole('checkbox', { name: 'Publish Login code' }).uncheck()
  await page.getByText('1 of 3 differences chosen').waitFor()
  await page.getByRole('button', { name: 'Publish to Production' }).press('Enter')
  const ask = dialogOf(page, 'Publish to Production?')
  await ask.getByText('Nothing has changed yet.').waitFor()
  expect(await ask.getByRole('list', { name: 'Changes' }).getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Workflow\s+Receipt, new\s+changed/),
  ])
  await page.keyboard.type('New name')
  await look(page, 'publish-ask-1440-light')

  // Somebody is quicker: what was shown is not what there is any more.
  await world.api('PATCH', '/v2/workflows/receipt', { name: 'Receipt, newest' })
  await page.keyboard.press('Enter')
  await ask.getByRole('alert').waitFor()
  expect((await prod('GET', '/v2/workflows/receipt')).name).toBe('Receipt')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Receipt, newest/ }).waitFor()
  await page.getByRole('button', { name: 'Publish to Production' }).click()
  await page.getByLabel('Note').fill('New name')
  await page.keyboard.press('Enter')
  const done = dialogOf(page, 'Published to Production')
  await done.getByText('Receipt, newest').waitFor()
  expect((await prod('GET', '/v2/workflows/receipt')).name).toBe('Receipt, newest')
  await done.getByRole('link', { name: 'See it in the history' }).click()
  await dialogOf(page, 'Publication').getByText('Grace Hopper').waitFor()
  await look(page, 'publication-1440-light')
})

test('a version says by whom and by which publication it came', async () => {
  const { page } = await visitAs(author)
  await page.goto(at('/env/production/workflows/receipt?tab=versions'))
  await page.getByRole('button', { name: /^Version 2 .*by Grace Hopper published from Development/s }).waitFor()
  await page.getByRole('main').getByText('(person)').waitFor()
  await look(page, 'version-published-1440-light')
  await page.getByRole('link', { name: 'published from Development' }).click()
  await dialogOf(page, 'Publication').getByText('New name', { exact: true }).first().waitFor()
})

test('any publication is put back, after it said what that changes', async () => {
  const { page } = await visitAs(admin, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await page.goto(at('/env/development/publish?view=history'))
  await page.getByRole('button', { name: /New name/ }).click()
  const drawer = dialogOf(page, 'Publication')
  await drawer.getByText('removed: Receipt', { exact: false }).waitFor()
  await look(page, 'publication-390-dark')
  await drawer.getByRole('button', { name: 'Put back what was before' }).click()
  const ask = dialogOf(page, 'Put Production back to before it?')
  await ask.getByRole('listitem').filter({ hasText: 'Receipt' }).waitFor()
  await look(page, 'publish-back-390-dark')
  await ask.getByRole('button', { name: 'Put it back' }).click()
  const done = dialogOf(page, 'Production is put back')
  await done.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('row', { name: /Put back: as it was before an earlier publication/ }).waitFor()
  expect((await prod('GET', '/v2/workflows/receipt')).name).toBe('Receipt')
  await look(page, 'publications-390-dark')
  await go(page, at('/env/development/publish'))
  await page.getByRole('button', { name: /^Receipt, newest/ }).waitFor()
  await look(page, 'publish-390-dark')
})

test('the record names all of it, with what was before and after, and gives it as a file', async () => {
  const { page } = await visitAs(admin)
  await page.goto(at('/env/production/record'))
  const row = (name: RegExp) => page.getByRole('row', { name })
  await row(/Grace Hopper put back an earlier state/).waitFor()
  await row(/Grace Hopper published from Development/).waitFor()
  // What was only tried is no change.
  expect(await row(/Grace Hopper/).count()).toBe(2)
  await look(page, 'record-1440-light')
  await picture(page, 'record-team')
  await page.getByRole('combobox', { name: 'Where' }).selectOption('Development')
  await row(/Ada Lovelace changed workflow receipt/).waitFor()
  await page.getByRole('combobox', { name: 'Who' }).selectOption('Ada Lovelace')
  await page.getByRole('combobox', { name: 'What' }).selectOption('Workflows')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toMatchObject({ environment: 'development', what: 'workflows' })
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  const lines = readFileSync(await (await file).path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line).actor.name)).toEqual(['Ada Lovelace'])
  await row(/Ada Lovelace/)
    .getByRole('button')
    .press('Enter')
  const drawer = dialogOf(page, /^Ada Lovelace changed workflow receipt/)
  await drawer.getByText('removed: Receipt', { exact: false }).waitFor()
  await look(page, 'record-change-1440-light')
  await drawer.getByRole('button', { name: 'All changes of it' }).click()
  await page.getByRole('button', { name: 'Only receipt' }).waitFor()
  await page.getByRole('button', { name: 'Only receipt' }).click()
  await page.getByRole('combobox', { name: 'What' }).selectOption('Topics')
  await page.getByText('No change fits these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('combobox', { name: 'Where' }).selectOption('The whole organization')
  await row(/Grace Hopper/)
    .first()
    .waitFor()
  await look(page, 'record-390-dark')
})
