import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Slack, startSlack } from '../test/vendors/slack.ts'
import { faultsOf, settled } from './faults.ts'
import { useWorld, type Visit } from './world.ts'

/** A workspace of Slack, from the form of the integration to a message in one of its channels, and what comes after. */
let slack: Slack
const world = useWorld(async () => {
  slack = await startSlack()
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  slack.app.redirectUris.push(`${publicUrl}/v1/integrations/chat/oauth/callback`)
  slack.addChannel('T0ACME', { id: 'C0ORDERS', name: 'orders' })
  const egress = { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(slack.port) }
  return { ...egress, PORT: String(port), PUBLIC_URL: publicUrl }
})
afterAll(() => slack?.close())

/** Vendors know the address of a server before it starts. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** `npm run screenshots` keeps them with the documentation. */
const folder = join(import.meta.dirname, '..', process.env.SCREENSHOTS ?? '.data/screenshots')
const keep = (place: Locator, name: string) => place.screenshot({ path: join(folder, `connect-slack-${name}.png`) })

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  await world.api('POST', '/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace' })
  await world.api('POST', '/v2/workflows', {
    workflowId: 'order-shipped',
    name: 'Order shipped',
    steps: [{ name: 'Chat', type: 'chat', controlValues: { body: 'Order {{payload.order}} is on its way.' } }],
  })
})

const cardOf = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/** Clicks in the dashboard, then at Slack in the tab that opens; returns what that tab says in the end. */
async function agree(page: Page, click: Locator, decision: 'Allow' | 'Cancel'): Promise<string> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), click.click()])
  await tab.getByRole('button', { name: decision }).click()
  await tab.getByRole('heading', { name: /^(Connected|Not connected)$/ }).waitFor()
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  const words = await tab.locator('body').innerText()
  await tab.close()
  return words
}

async function send(order: string): Promise<void> {
  await world.api('POST', '/v1/events/trigger', { name: 'order-shipped', to: 'ada', payload: { order } })
}
const textsIn = (channel: string) => slack.postedTo(channel).map(({ body }) => body.text)

/** The page of the newest event, once its step says this. */
async function openNewest(page: Page, says: string | RegExp): Promise<Locator> {
  await expect
    .poll(async () => (await world.api('GET', '/v1/notifications?limit=1')).data[0]?.jobs[0]?.status)
    .toMatch(/completed|failed/)
  const [newest] = (await world.api('GET', '/v1/notifications?limit=1')).data
  await page.goto(`${world.url}/activity/${newest._id}`)
  const step = page.getByRole('region', { name: 'Chat' })
  await step.getByText(says).first().waitFor()
  return step
}

/** Wide and light, then narrow and dark. */
async function faultsInBothLooks(page: Page): Promise<string[]> {
  const wide = await faultsOf(page, 'wide, light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await settled(page)
  const narrow = await faultsOf(page, 'narrow, dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  return [...wide, ...narrow]
}

/** Its pages are another origin, and that is what the tab is for. */
async function visitBoth(): Promise<Visit> {
  const visit = await world.visit()
  visit.allow(new RegExp(`request to another origin: ${slack.url}/oauth/v2/authorize`))
  visit.allow(/favicon\.ico/)
  // An endpoint that is no address.
  visit.allow(/status of 422 .*\/v1\/channel-endpoints$/)
  return visit
}

test('a workspace is connected, gets messages, refuses us, and is connected again', async () => {
  const { page, context } = await visitBoth()
  await page.goto(`${world.url}/integrations/new?providerId=slack`)
  const redirectUri = slack.app.redirectUris[0] ?? ''
  await page.getByRole('group', { name: 'Redirect address' }).getByText(redirectUri).waitFor()
  await page.getByRole('textbox', { name: /^Client ID/ }).fill(slack.app.clientId)
  await page.getByLabel(/^Client secret/).fill(slack.app.clientSecret)
  await page.getByRole('textbox', { name: /^Slack URL/ }).fill(slack.url)
  await page.getByRole('checkbox', { name: /^Ask Slack/ }).uncheck()
  await page.getByRole('button', { name: 'Connect Slack' }).click()
  const workspaces = cardOf(page, 'Workspaces')
  await workspaces.getByText('No workspace is connected yet.').waitFor()
  const integrationUrl = page.url()

  const connect = workspaces.getByRole('button', { name: 'Connect a workspace' })
  const refusal = await agree(page, connect, 'Cancel')
  expect(refusal).toContain('it was not allowed in Slack')
  await workspaces.getByText('No workspace is connected yet.').waitFor()
  expect(await agree(page, connect, 'Allow')).toContain('Acme is connected.')
  const acme = workspaces.getByRole('listitem').filter({ hasText: 'T0ACME' }).first()
  await acme.getByText("Everybody's").waitFor()
  await workspaces.getByText(/^Go on at Slack/).waitFor({ state: 'detached' })
  await keep(workspaces, 'workspaces')

  await page.goto(`${world.url}/subscribers/ada?tab=channels`)
  await addEndpoint(page, 'C0ORDERS')
  await page.getByRole('listitem').getByText('Through Acme').waitFor()
  await keep(cardOf(page, 'Channel endpoints'), 'endpoint')
  expect(await faultsInBothLooks(page)).toEqual([])

  await send('A-1')
  await expect.poll(() => textsIn('C0ORDERS')).toEqual(['Order A-1 is on its way.'])
  expect([...slack.tokens.keys()].map((token) => `Bearer ${token}`)).toEqual([slack.posted[0]?.by])
  await openNewest(page, 'sent')

  // Somebody takes the app's rights away at Slack.
  for (const token of slack.tokens.keys()) slack.revoke(token)
  await page.goto(integrationUrl)
  await acme.waitFor()
  await send('A-2')
  const other = await context.newPage()
  await keep(await openNewest(other, /token_revoked/), 'refused')
  await other.close()
  // Driven like this, every page believes to be in front.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const warning = acme.getByText(/^Slack refuses us there: .*token_revoked.*; connect it again\.$/)
  await warning.waitFor()
  await keep(workspaces, 'warning')
  expect(await faultsInBothLooks(page)).toEqual([])

  expect(await agree(page, acme.getByRole('button', { name: /^Connect again/ }), 'Allow')).toContain('is connected')
  await warning.waitFor({ state: 'detached' })
  expect(await workspaces.getByRole('list', { name: 'Connected workspaces' }).locator('> li').count()).toBe(1)
  await page.goto(`${world.url}/dead-letters`)
  await page.getByRole('checkbox', { name: /A-2/ }).check()
  await page.getByRole('button', { name: 'Redrive chosen' }).click()
  await page.getByText(/^Redriven: 1 message/).waitFor()
  await expect.poll(() => textsIn('C0ORDERS')).toEqual(['Order A-1 is on its way.', 'Order A-2 is on its way.'])
})

async function addEndpoint(page: Page, channelId: string): Promise<void> {
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a channel endpoint' })
  await dialog.getByLabel('Integration').selectOption({ label: 'Slack' })
  // What the server says against it stands at its field.
  await dialog.getByLabel('Type').selectOption({ label: 'Webhook' })
  const webhookUrl = dialog.getByLabel(/^Webhook URL/)
  await webhookUrl.fill('ftp://hooks.example.com')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.poll(() => webhookUrl.getAttribute('aria-invalid')).toBe('true')
  await dialog.getByLabel('Type').selectOption({ label: 'Slack channel' })
  await dialog.getByLabel('Workspace').selectOption({ index: 1 })
  await dialog.getByLabel(/^Channel ID/).fill(channelId)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

test('the keys of Web Push are made in the browser, and the provider is marked as one of ours', async () => {
  const { page } = await world.visit()
  await page.goto(`${world.url}/integrations?channel=push`)
  await page.getByRole('link', { name: /^Web Push .*beyond the published clients/ }).click()
  await page.getByText(/^Beyond the published clients/).waitFor()
  await page.getByRole('button', { name: 'Make keys' }).click()
  const publicKey = page.getByRole('textbox', { name: /^VAPID public key/ })
  await expect.poll(() => publicKey.inputValue()).toMatch(/^B[A-Za-z0-9_-]{86}$/)
  const made = await publicKey.inputValue()
  await page.getByLabel(/^Contact/).fill('mailto:ops@example.com')
  // The server refuses a public key that is not the private key's.
  await page.getByRole('button', { name: 'Connect Web Push' }).click()
  await page.getByText('Saved; Web Push accepted the credentials').waitFor()
  await page.getByText(/every browser must subscribe anew/).waitFor()
  expect(await publicKey.inputValue()).toBe(made)
})
