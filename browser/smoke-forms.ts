import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { go } from './go.ts'
import type { Server } from './server.ts'

/** Forms that write, each as somebody fills it in; what came of it is asked of the API. */
export async function changeProfile(page: Page, { url, api }: Server): Promise<void> {
  await go(page, `${url}/subscribers/user-20`)
  await page.getByLabel('First name').fill('Augusta')
  await page.getByLabel('Phone').fill('')
  await page.getByLabel('Own data').fill('{ "plan": "gold" }')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await page.getByText('Profile saved').waitFor()
  expect(await api('GET', '/v2/subscribers/user-20')).toMatchObject({
    firstName: 'Augusta',
    phone: null,
    data: { plan: 'gold' },
  })
}

export async function importPeople(page: Page, { url, api }: Server): Promise<void> {
  await go(page, `${url}/subscribers`)
  await page.getByRole('button', { name: 'Import' }).click()
  const drawer = page.getByRole('dialog', { name: 'Import subscribers' })
  await drawer
    .getByLabel('Or paste CSV or JSON')
    .fill('user id;mail;plan\nnew-1;one@example.com;pro\nnew-2;no address;\n')
  await expect.poll(() => drawer.getByLabel('Field for plan').inputValue()).toBe('data')
  await drawer.getByRole('button', { name: 'Import 2 people' }).click()
  await drawer.getByText('2 of 2').waitFor()
  // The server refuses what is no address, and says whose it is.
  await drawer.getByText('new-2').waitFor()
  await drawer.getByRole('button', { name: 'Done' }).click()
  await drawer.waitFor({ state: 'detached' })
  expect(await api('GET', '/v2/subscribers/new-1')).toMatchObject({ email: 'one@example.com', data: { plan: 'pro' } })
}

/** A topic from its making to its end, with a member who comes and goes. */
export async function keepTopic(page: Page, { url, api }: Server): Promise<void> {
  await go(page, `${url}/topics`)
  await page.getByRole('button', { name: 'New topic' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Night Shift & Co.')
  expect(await dialog.getByRole('textbox', { name: /^Key/ }).inputValue()).toBe('night-shift-co')
  await dialog.getByRole('button', { name: 'Make topic' }).click()
  await page.getByRole('heading', { name: 'Night Shift & Co.', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Add members' }).first().click()
  await dialog.getByLabel('Who is added').fill('user-3, user-4\nnobody')
  await dialog.getByRole('button', { name: 'Add 3' }).click()
  await dialog.getByText('nobody', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('2 members').waitFor()
  await page.getByRole('button', { name: 'Remove Alan Turing' }).click()
  await page.getByText('1 member', { exact: true }).waitFor()
  expect((await api('GET', '/v2/topics/night-shift-co/subscriptions')).totalCount).toBe(1)

  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: /^Delete/ }).click()
  await page.getByText('3 topics').waitFor()
}

export async function keepSuppression(page: Page, { url, api }: Server): Promise<void> {
  await go(page, `${url}/suppressions`)
  await page.getByRole('button', { name: 'Add addresses' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^E-mail addresses/).fill('a/b+c@example.com, two@example.com')
  await dialog.getByRole('button', { name: /^Add/ }).last().click()
  await page.getByRole('button', { name: 'E-mail: a/b+c@example.com' }).click()
  await dialog.getByRole('button', { name: 'Remove from the list' }).click()
  await page
    .getByRole('dialog', { name: /^Send to a\/b\+c@example.com again/ })
    .getByRole('button', { name: 'Remove' })
    .click()
  await page.getByText('a/b+c@example.com is off the list').waitFor()
  const { data }: { data: { address: string }[] } = await api('GET', '/v1/suppressions?channel=email')
  expect(data.map(({ address }) => address)).toContain('two@example.com')
  expect(data.map(({ address }) => address)).not.toContain('a/b+c@example.com')
}

export async function archiveInFeed(page: Page, { url }: Server): Promise<void> {
  await go(page, `${url}/subscribers/user-1?tab=feed`)
  await page.getByRole('button', { name: /Order A-1417 shipped/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Order A-1417 shipped' })
  await drawer.getByText('Track it').waitFor()
  await drawer.getByRole('button', { name: 'Archive' }).click()
  await drawer.getByRole('button', { name: 'Take out of archive' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Archived' }).click()
  await page.getByRole('row', { name: /Order A-1417 shipped/ }).waitFor()
}

export async function redriveChosen(page: Page, { url }: Server): Promise<void> {
  await go(page, `${url}/dead-letters`)
  await page.getByRole('checkbox', { name: /731204/ }).check()
  await page.getByText('1 message chosen').waitFor()
  await page.getByRole('button', { name: 'Redrive chosen' }).click()
  await page.getByText(/^Redriven: 1 message on their way again/).waitFor()
}
