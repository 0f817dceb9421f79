import { createHmac } from 'node:crypto'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { launch } from './launch.ts'
import { type Json, type Server, startServer } from './server.ts'
import { openShop, type Shop } from './shop.ts'
import { type Fault, watch } from './world.ts'

/** Ada's page with the stock inbox, and what the service knows. */
export type StockInbox = {
  server: Server
  shop: Shop
  page: Page
  /** A dot is there while something is unread. */
  bellDot: Locator
  notifications: Locator
  open(): Promise<void>
  /** What the tab says is unread. */
  unreadOf(tab: string): Promise<string>
  /** One of the small buttons of a notification, which are there while the mouse is over it. */
  press(subject: string, button: 'Read' | 'Unread' | 'Archive' | 'Unarchive' | 'Snooze' | 'Unsnooze'): Promise<void>
  filter(name: 'Unread & read' | 'Unread only' | 'Snoozed' | 'Archived'): Promise<void>
  subjects(): Promise<string[]>
  send(name: string, payload?: object): Promise<void>
  /** As the service tells it, asked with a token of its own. */
  stored(query?: string): Promise<Json[]>
}

/**
 * Tidings, the example and a browser for one test file. Each test begins with an empty inbox and a page that was just
 * loaded; an error in the console, a request that failed or went elsewhere makes it fail.
 */
export function useStockInbox(): StockInbox {
  const it = {} as StockInbox
  const faults: Fault[] = []
  let browser: Browser | undefined
  let token = ''

  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await fetch(`${it.server.url}/v1/inbox${path}`, { method, headers, ...sent })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return reply.status === 204 ? null : reply.json()
  }

  beforeAll(async () => {
    it.server = await startServer({ DASHBOARD: 'false' })
    it.shop = await openShop(it.server)
    browser = await launch()
    const { data } = await it.server.api('GET', '/v1/environment')
    const subscriberHash = createHmac('sha256', it.server.key).update('ada').digest('hex')
    const who = { applicationIdentifier: data.identifier, subscriberId: 'ada', subscriberHash }
    token = (await ask('POST', '/session', who)).data.token
    // The hours that the component offers are those of the browser.
    const context = await browser.newContext({ viewport: { width: 900, height: 760 }, timezoneId: 'UTC' })
    context.setDefaultTimeout(10_000)
    it.page = await context.newPage()
    watch(it.page, [it.server.url, it.shop.url], (fault) => faults.push(fault))
    Object.assign(it, handles(it, ask))
  })

  beforeEach(async () => {
    await ask('POST', '/notifications/delete', {})
    const counted = it.page.waitForResponse(/\/notifications\/count/)
    await it.page.goto(it.shop.url)
    await counted
  })

  afterEach(() => {
    expect(faults.splice(0).map(({ text }) => text)).toEqual([])
  })

  afterAll(async () => {
    await browser?.close()
    it.shop?.stop()
    await it.server?.stop()
  })
  return it
}

function handles(
  { page, server }: StockInbox,
  ask: (method: string, path: string) => Promise<Json>,
): Omit<StockInbox, 'server' | 'shop' | 'page'> {
  const notifications = page.locator('.nv-notification')
  const one = (subject: string) => notifications.filter({ hasText: subject })
  const stored = async (query = '') => (await ask('GET', `/notifications?limit=50&${query}`)).data
  return {
    bellDot: page.locator('.nv-bellDot'),
    notifications,
    stored,
    open: () => page.locator('.nv-inbox__popoverTrigger').click(),
    unreadOf: (tab) => page.getByRole('tab', { name: tab }).locator('.nv-notificationsTabsTriggerCount').innerText(),
    async press(subject, button) {
      await one(subject).hover()
      await one(subject).locator(`.nv-notification${button}__button`).click()
    },
    async filter(name) {
      await page.locator('.nv-inboxStatus__dropdownTrigger').click()
      await page.getByRole('button', { name, exact: true }).click()
    },
    subjects: () => page.locator('.nv-notificationSubject').allInnerTexts(),
    async send(name, payload = {}) {
      const before = (await stored()).length
      await server.api('POST', '/v1/events/trigger', { name, to: 'ada', payload })
      await expect.poll(async () => (await stored()).length).toBe(before + 1)
    },
  }
}
