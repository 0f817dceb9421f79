import type { Page } from 'playwright-core'

/** As a link of the dashboard does: without loading it anew, which is most of what a browser works on. */
export async function go(page: Page, url: string): Promise<void> {
  if (new URL(url).origin !== new URL(page.url()).origin) await page.goto(url)
  else if (page.url() !== url) await page.evaluate((path) => history.pushState(null, '', path), url)
}
