import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launch } from './launch.ts'
import { type Server, startServer } from './server.ts'
import { openShop, type Shop } from './shop.ts'
import { type Fault, watch } from './world.ts'

/** The React hook and the component of examples/own-react-inbox, in StrictMode, started as the README says. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const faults: Fault[] = []
const requests: string[] = []
let server: Server
let shop: Shop
let browser: Browser

beforeAll(async () => {
  server = await startServer({ DASHBOARD: 'false', INBOX_HASH: 'required' })
  shop = await openShop(server, 'own-react-inbox')
  browser = await launch()
})
afterEach(() => {
  expect(faults.splice(0).map(({ text }) => text)).toEqual([])
})
afterAll(async () => {
  await browser?.close()
  shop?.stop()
  await server?.stop()
})

async function visit(colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 620, height: 560 }, colorScheme })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  watch(page, [server.url, shop.url], (fault) => faults.push(fault))
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(shop.url)
  return page
}

const bell = (page: Page, unread: number) => page.getByRole('button', { name: `Notifications, ${unread} unread` })

test('the bell counts live in every window; the list is read, archived and paged by keyboard', async () => {
  const page = await visit('light')
  await bell(page, 0).waitFor()
  // StrictMode mounts a component twice in a development build, which Vitest's NODE_ENV makes this one.
  await expect.poll(() => requests.filter((path) => path === '/v1/inbox/stream').length).toBe(1)
  expect(requests.filter((path) => path === '/v1/inbox/session').length).toBe(1)
  const other = await visit('dark')
  await bell(other, 0).waitFor()
  expect(shop.sendAsPrinted()).toContain('"acknowledged":true')
  await bell(page, 1).waitFor()
  await bell(other, 1).waitFor()

  await bell(page, 1).focus()
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { name: 'Notifications' })
  await expect.poll(() => heading.evaluate((it) => it === document.activeElement)).toBe(true)
  const item = page.getByRole('listitem')
  await item.getByText('Hello Ada, your order is on its way').waitFor()
  shop.sendAsPrinted()
  await bell(page, 2).waitFor()
  await expect.poll(() => item.count()).toBe(2)
  await item.last().getByRole('button', { name: 'Mark as read' }).click()
  await bell(page, 1).waitFor()
  await bell(other, 1).click()
  await expect.poll(() => other.locator('li[data-read="true"]').count()).toBe(1)
  await takePicture(page)
  for (const shown of [page, other]) expect(await accessibilityFaults(shown)).toEqual([])

  await item.last().getByRole('button', { name: 'Archive' }).click()
  await expect.poll(() => item.count()).toBe(1)
  await expect.poll(() => heading.evaluate((it) => it === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Mark all as read' }).focus()
  await page.keyboard.press('Enter')
  await bell(other, 0).waitFor()
  await expect.poll(() => heading.evaluate((it) => it === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await heading.waitFor({ state: 'detached' })
  await expect.poll(() => bell(page, 0).evaluate((it) => it === document.activeElement)).toBe(true)
  // A click outside the list closes it.
  await other.mouse.click(40, 500)
  await other.getByRole('heading', { name: 'Notifications' }).waitFor({ state: 'detached' })
})

test('older notifications are loaded on request', async () => {
  const events = Array.from({ length: 24 }, (_, n) => ({
    name: 'hello',
    to: 'ada',
    payload: { message: `number ${n}` },
  }))
  await server.api('POST', '/v1/events/trigger/bulk', { events })
  const page = await visit('light')
  await bell(page, 24).click()
  const item = page.getByRole('listitem')
  await expect.poll(() => item.count()).toBe(20)
  // The focus stays in the list when the button goes.
  await page.getByRole('button', { name: 'Load more' }).focus()
  await page.keyboard.press('Enter')
  // The 24 new notifications, and the one that the first test left.
  await expect.poll(() => item.count()).toBe(25)
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  const heading = page.getByRole('heading', { name: 'Notifications' })
  await expect.poll(() => heading.evaluate((it) => it === document.activeElement)).toBe(true)
})

test('a list that cannot be loaded is not called empty, and is loaded as soon as that works', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const status = 500
  await page.route(/\/v1\/inbox\/notifications/, (route) => route.fulfill({ status, json: { message: 'Down.' } }))
  const connected = page.waitForResponse(/\/v1\/inbox\/stream/)
  await page.goto(shop.url)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const problem = page.getByText('Notifications cannot be updated at the moment.')
  await problem.waitFor()
  // The live connection works, and reports its counts.
  await connected
  await page.getByRole('button', { name: 'Notifications, 24 unread' }).waitFor()
  expect(await problem.count()).toBe(1)
  expect(await page.getByText('You have no notifications.').count()).toBe(0)
  await page.unroute(/\/v1\/inbox\/notifications/)
  await expect.poll(() => page.getByRole('listitem').count()).toBe(20)
  await problem.waitFor({ state: 'detached' })
  await context.close()
})

test('a redirect is an error that is not repeated', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const paths: string[] = []
  await page.route(/\/v1\/inbox\//, (route) => {
    paths.push(new URL(route.request().url()).pathname)
    const headers = { location: 'https://elsewhere.example.com/', 'access-control-allow-origin': '*' }
    return route.fulfill({ status: 307, headers })
  })
  await page.goto(shop.url)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByText('Notifications cannot be updated at the moment.').waitFor()
  // This is longer than the longest first waits of a call and of a connection.
  await page.waitForTimeout(3_500)
  // The list, the count and the live connection each open a session at most once.
  expect(new Set(paths)).toEqual(new Set(['/v1/inbox/session']))
  expect(paths.length).toBeLessThanOrEqual(3)
  await context.close()
})

/** `npm run screenshots` keeps the picture with the documentation. */
async function takePicture(page: Page): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  const path = join(import.meta.dirname, '..', folder, 'inbox-own-light.png')
  await page.screenshot({ path, clip: { x: 0, y: 0, width: 620, height: 360 } })
}

async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((it) => it.html).join(' ')}`)
}
