import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, settled } from './faults.ts'
import { addMember, enterAs, heading } from './people.ts'
import { picture } from './picture.ts'
import { useWorld } from './world.ts'

/** What holds in all environments. The tests build on each other. */
const world = useWorld()
const at = (path: string) => world.url + path
const [owner, admin, author] = ['owner', 'admin', 'author'].map((role) => ({
  ...{ role, email: `${role}@example.com` },
  name: `${role} of it`,
})) as [Person, Person, Person]
type Person = { role: string; email: string; name: string }
const small = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

beforeAll(async () => {
  for (const one of [owner, admin, author]) await addMember(world, one)
})

const region = (page: Page, name: string) =>
  page.locator('section', { has: page.getByRole('heading', { name, level: 2, exact: true }) })

async function visitAs(who: Person, options: Parameters<typeof world.visit>[0] = {}) {
  const visit = await world.visit({ ...options, signedIn: false })
  await enterAs(visit.context, world, who.email)
  return visit
}

describe('the organization', () => {
  test('is called what it is from now on, at the top of every page too', async () => {
    const { page } = await visitAs(owner)
    await page.goto(at('/'))
    await page.getByRole('link', { name: 'Organization' }).click()
    await heading(page, 'Organization')
    await settled(page)
    expect(await faultsOf(page, 'organization')).toEqual([])
    await picture(page, 'organization')
    await page.getByLabel('Name of the organization').fill('Lake & Sons')
    await page.keyboard.press('Enter')
    await page.getByText('Saved').waitFor()
    expect((await world.api('GET', '/v1/organization')).name).toBe('Lake & Sons')
  })

  test('sends its mails through the mailbox until an integration is chosen, and says what comes of none', async () => {
    const { page } = await visitAs(owner, small)
    await page.goto(at('/organization'))
    const mails = region(page, 'Our own mails')
    await mails.getByText('mails are sent').waitFor()
    await mails.getByText('in production none would be sent').waitFor()
    await settled(page)
    expect(await faultsOf(page, 'organization')).toEqual([])
    await mails.getByLabel('Sent through').selectOption({ label: 'Development: Development mailbox (e-mail)' })
    await mails.getByRole('button', { name: 'Save' }).click()
    await mails.getByText('They go through Development mailbox (e-mail).').waitFor()
    const { mail } = await world.api('GET', '/v1/organization')
    await world.api('PUT', `/v1/integrations/${mail.integrationId}`, { active: false })
    await page.reload()
    await mails.getByText('No mails are sent.').waitFor()
    await mails.getByText('no mails', { exact: true }).waitFor()
    expect(await mails.getByLabel('Sent through').inputValue()).toContain(mail.integrationId)
    await world.api('PUT', `/v1/integrations/${mail.integrationId}`, { active: true })
  })

  test('lets owners say who may use passwords, after a question', async () => {
    const { page } = await visitAs(owner)
    await page.goto(at('/organization'))
    const rules = region(page, 'Signing in')
    await rules.getByLabel('By a password', { exact: true }).selectOption('owners-only')
    const question = page.getByRole('dialog', { name: 'Passwords for owners only?' })
    await question.waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await rules.getByLabel('By a password', { exact: true }).inputValue()).toBe('allowed')
    await rules.getByLabel('By a password', { exact: true }).selectOption('owners-only')
    await question.getByRole('button', { name: 'Owners only' }).click()
    await page.getByText('Saved').waitFor()
    expect((await world.api('GET', '/v1/organization')).passwords).toBe('owners-only')
    await rules.getByLabel('By a password', { exact: true }).selectOption('allowed')
    await expect.poll(async () => (await world.api('GET', '/v1/organization')).passwords).toBe('allowed')
  })

  test('is changed by admins but for its mails and passwords, and not seen by authors', async () => {
    const { page } = await visitAs(admin)
    await page.goto(at('/organization'))
    await page.getByText('Owners choose it: what sends these mails can read their links.').waitFor()
    expect(await page.getByLabel('Sent through').isDisabled()).toBe(true)
    expect(await page.getByLabel('By a password', { exact: true }).isDisabled()).toBe(true)
    expect(await page.getByLabel('Name of the organization').isEditable()).toBe(true)
    expect(await faultsOf(page, 'organization of an admin')).toEqual([])
    const others = await visitAs(author)
    await others.page.goto(at('/organization'))
    await others.page.getByText('changing people and their roles').waitFor()
    expect(await others.page.getByRole('link', { name: 'Organization' }).count()).toBe(0)
  })
})
