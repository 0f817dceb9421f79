import type { Page } from 'playwright-core'

/** As a link of the dashboard does: without loading it anew, which is most of what a browser works on. */
export async function go(page: Page, url: string): Promise<void> {
  const now = new URL(page.url())
  if (new URL(url).origin !== now.origin) return void (await page.goto(url))
  const place = placeOf(now)
  const address = place === placeOf(new URL(url)) ? url : url.replace(now.origin, now.origin + place)
  if (page.url() !== address) await page.evaluate((path) => history.pushState(null, '', path), address)
}

/** `/env/development`, where every page of this window lives. */
export function placeOf({ pathname }: URL): string {
  return /^\/env\/[^/]+/.exec(pathname)?.[0] ?? ''
}
