import type { Locator, Page } from 'playwright-core'

/** How somebody writes in blocks. */

export const panel = (page: Page): Locator => page.getByRole('region', { name: 'The chosen block' })
export const toolbar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Format' })

/** By keys alone: the menu, its filter, Enter. */
export async function put(page: Page, name: string): Promise<void> {
  await page.keyboard.type('/')
  await page.getByRole('listbox', { name: 'Blocks' }).waitFor()
  await page.keyboard.type(name.toLowerCase())
  await page
    .getByRole('listbox')
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('listbox', { name: 'Blocks' }).waitFor({ state: 'detached' })
}

/** Text with a variable in it that no menu offers. */
export async function typeRaw(page: Page, text: string): Promise<void> {
  for (const part of text.split(/(\{\{[^}]*\}\})/)) {
    if (!part.startsWith('{{')) {
      await page.keyboard.type(part)
      continue
    }
    await page.keyboard.type(part.slice(0, -2))
    if (await page.getByRole('listbox', { name: 'Variables' }).isVisible()) await page.keyboard.press('Escape')
    await page.keyboard.type('}}')
  }
}
