import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { go } from './go.ts'
import type { Server } from './server.ts'

/** The option that the field says is active, and that looks it. */
async function activeOption(field: Locator): Promise<string | null> {
  const id = await field.getAttribute('aria-activedescendant')
  if (!id) return null
  const option = field.page().locator(`[id="${id}"][role=option][aria-selected=true]`)
  return (await option.count()) === 1 ? ((await option.textContent()) ?? '') : 'an option that is not there'
}
const active = (field: Locator) => expect.poll(() => activeOption(field))

/** Everything by keys: the focus never leaves the field. */
export async function searchByKeys(page: Page, { url }: Server): Promise<void> {
  await go(page, `${url}/api-keys`)
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search' })
  await active(field).toContain('Overview')
  await page.keyboard.press('ArrowUp')
  await active(field).toContain('Switch to Production')
  await page.keyboard.press('Home')
  await active(field).toContain('Overview')
  await page.keyboard.press('End')
  await active(field).toContain('Switch to Production')
  // A list longer than its box follows.
  expect(await page.getByRole('option', { name: /^Switch to Production/ }).evaluate(isInView)).toBe(true)

  await field.fill('Order')
  await page.getByRole('option', { name: /^Order shipped/ }).waitFor()
  await active(field).toContain('Order shipped')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Order shipped', level: 1 }).waitFor()
  await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' })

  await page.keyboard.press('Control+k')
  await field.fill('user-2')
  await page.getByRole('option', { name: /Grace Hopper/ }).waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
}

function isInView(element: Element): boolean {
  const [own, box] = [element.getBoundingClientRect(), element.parentElement?.getBoundingClientRect()]
  return box !== undefined && own.top >= box.top - 1 && own.bottom <= box.bottom + 1
}

/** The person of a preview: found by name, chosen by keys; what is typed and not chosen is an id. */
export async function pickPersonByKeys(page: Page, { url }: Server): Promise<void> {
  await go(page, `${url}/workflows/order-shipped?step=e-mail`)
  const field = page.getByRole('combobox', { name: 'For' })
  await expect.poll(() => field.inputValue()).toBe('user-1')
  await field.focus()
  expect(await field.getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('listbox', { name: 'People' }).waitFor()
  expect(await field.getAttribute('aria-expanded')).toBe('true')
  expect(await activeOption(field)).toBeNull()

  await field.fill('Hopper')
  await page
    .getByRole('option', { name: /^Grace Hopper/ })
    .nth(7)
    .waitFor()
  await page.keyboard.press('ArrowUp')
  const last = await page
    .getByRole('option', { name: /^Grace Hopper/ })
    .nth(7)
    .textContent()
  await active(field).toBe(last)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('listbox', { name: 'People' }).waitFor({ state: 'hidden' })
  const chosen = await field.inputValue()
  expect(chosen).toMatch(/^user-\d+$/)
  await page.getByText(/^To: grace\.hopper\d*@example\.com$/).waitFor()

  await field.fill('somebody')
  await page.keyboard.press('Escape')
  expect(await field.inputValue()).toBe(chosen)
  await field.fill('user-1')
  await page.keyboard.press('Enter')
  await page.getByText('To: ada.lovelace@example.com').waitFor()
}

/** Names are offered inside braces; keys choose them, and the text goes on after them. */
export async function completeTemplateByKeys(page: Page, { url }: Server): Promise<void> {
  await go(page, `${url}/workflows/order-shipped?step=e-mail`)
  const field = page.getByRole('textbox', { name: /^Subject/ })
  const list = page.getByRole('listbox', { name: 'Suggestions' })
  await field.fill('')
  await field.pressSequentially('Hi {{ subscriber.')
  await active(field).toMatch(/^subscriber\.subscriberId/)
  await page.keyboard.press('ArrowDown')
  await active(field).toMatch(/^subscriber\.firstName/)
  await page.keyboard.press('Enter')
  await list.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('Hi {{ subscriber.firstName }}')

  await field.pressSequentially(', {{ last')
  await active(field).toMatch(/^subscriber\.lastName/)
  await page.keyboard.press('Tab')
  expect(await field.inputValue()).toBe('Hi {{ subscriber.firstName }}, {{ subscriber.lastName }}')
  await page.getByText('Hi Ada, Lovelace', { exact: true }).waitFor()

  await field.pressSequentially(' {{ act')
  await list.waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  // Still in the field: a key of the page would have been taken for one.
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Discard' }).click()
}

/** Letters that jump and walk, while nobody types. */
export async function moveByKeys(page: Page, { url }: Server): Promise<void> {
  await go(page, `${url}/`)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await strike(page, 'g')
  await strike(page, 't')
  await page.getByRole('row', { name: /^Staff/ }).waitFor()
  for (const key of ['j', 'j', 'k', 'Enter']) await strike(page, key)
  await page.getByRole('heading', { name: 'Staff', level: 1 }).waitFor()
}

/** The page takes note of a leading `g` in a timer: one that is set later comes after it. */
async function strike(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
}
