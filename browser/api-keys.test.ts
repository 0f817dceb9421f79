import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faultsOf, settled } from './faults.ts'
import { addMember, enterAs } from './people.ts'
import { picture } from './picture.ts'
import { useWorld } from './world.ts'

/** Keys for programs: each may do what it needs, until it ends, and says who made it. */
const world = useWorld()

async function look(page: Page, name: string): Promise<void> {
  await settled(page)
  expect(await faultsOf(page, name)).toEqual([])
  await picture(page, name)
}

test('a key for one program is made by keys alone, and may do what it was made for', async () => {
  await addMember(world, { email: 'grace@example.com', name: 'Grace Hopper', role: 'admin' })
  const { page, context } = await world.visit({ signedIn: false })
  await enterAs(context, world, 'grace@example.com')
  await page.goto(`${world.url}/env/development/api-keys`)
  await page.getByRole('row', { name: /^first key .* Everything the whole organization/ }).waitFor()
  await page.getByRole('button', { name: 'New key' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await page.keyboard.type('shop')
  await dialog.getByLabel('May do').selectOption('Trigger only')
  await dialog.getByText('It reads and changes nothing.').waitFor()
  // As good as an owner, which an admin is not.
  expect(await dialog.getByLabel('Opens').isDisabled()).toBe(true)
  await dialog.getByLabel('Ends').selectOption('In 90 days')
  await dialog.getByLabel('Note').fill('In the vault of the shop')
  await look(page, 'new-key-1440-light')
  await dialog.getByLabel('Note').press('Enter')
  const shown = page.getByRole('dialog', { name: 'Key “shop”' })
  const text = (await shown.getByLabel('API key').innerText()).trim()
  await shown.getByRole('button', { name: 'I have kept it' }).click()
  const row = page.getByRole('row', {
    name: /^shop In the vault of the shop Trigger only in Development .* by Grace Hopper/,
  })
  await row.getByText(/ends in (89|90) days|ends in 3 mo/).waitFor()
  await look(page, 'keys-1440-light')

  const headers = { authorization: `ApiKey ${text}`, 'content-type': 'application/json' }
  const ask = (path: string, init: object = {}) => fetch(world.url + path, { headers, ...init })
  expect((await ask('/v2/workflows')).status).toBe(403)
  const body = JSON.stringify({ name: 'hello', to: { subscriberId: 'ann' } })
  expect((await ask('/v1/events/trigger', { method: 'POST', body })).status).toBe(201)

  await row.getByRole('button', { name: 'Revoke shop' }).click()
  await page.getByRole('dialog', { name: 'Revoke shop?' }).getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('row', { name: /^shop .* revoked/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Revoke shop' }).count()).toBe(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await look(page, 'keys-390-dark')
})

test('an owner makes one that opens every environment, until a chosen day', async () => {
  const { page } = await world.visit()
  await page.goto(`${world.url}/env/development/api-keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill('deploy')
  await dialog.getByLabel('Opens').selectOption('The whole organization')
  await dialog.getByLabel('Ends').selectOption('On a day')
  expect(await dialog.getByRole('button', { name: 'Make key' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Last day').fill('2090-01-31')
  await dialog.getByRole('button', { name: 'Make key' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page
    .getByRole('row', { name: /^deploy .* Everything the whole organization .* by first key \(API key\)/ })
    .waitFor()
  const { data } = await world.api('GET', '/v1/api-keys')
  const made = data.find(({ name }: { name: string }) => name === 'deploy')
  expect(new Date(made.expiresAt).getTime()).toBe(new Date(2090, 1, 1).getTime())
})
