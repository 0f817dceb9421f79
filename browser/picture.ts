import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = join(import.meta.dirname, '..', process.env.SCREENSHOTS ?? '.data/screenshots')

/** Of the page as it stands: `npm run screenshots` keeps it with the documentation, else it is for whoever looks. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
