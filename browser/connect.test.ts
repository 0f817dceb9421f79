import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Slack, startSlack } from '../test/vendors/slack.ts'
import { faultsOf, settled } from './faults.ts'
import { freePort } from './free-port.ts'
import { go } from './go.ts'
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

/** Driven like this, every page believes to be in front, and is not told. */
const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))

async function send(order: string): Promise<string> {
  const event = { name: 'order-shipped', to: 'ada', payload: { order } }
  return (await world.api('POST', '/v1/events/trigger', event)).transactionId
}
const textsIn = (channel: string) => slack.postedTo(channel).map(({ body }) => body.text)

/** The page of an event, once its step says this. */
async function openEvent(page: Page, transactionId: string, says: string | RegExp): Promise<Locator> {
  const find = async () => (await world.api('GET', `/v1/notifications?transactionId=${transactionId}`)).data[0]
  await expect.poll(async () => (await find())?.jobs[0]?.status).toMatch(/completed|failed/)
  await go(page, `${world.url}/activity/${(await find())._id}`)
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
  await go(page, `${world.url}/integrations/new?providerId=slack`)
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
  await comeBack(page)
  const acme = workspaces.getByRole('listitem').filter({ hasText: 'T0ACME' }).first()
  await acme.getByText("Everybody's").waitFor()
  await workspaces.getByText(/^Go on at Slack/).waitFor({ state: 'detached' })
  await keep(workspaces, 'workspaces')

  await go(page, `${world.url}/subscribers/ada?tab=channels`)
  await addEndpoint(page, 'C0ORDERS')
  await page.getByRole('listitem').getByText('Through Acme').waitFor()
  await keep(cardOf(page, 'Channel endpoints'), 'endpoint')
  expect(await faultsInBothLooks(page)).toEqual([])

  const first = await send('A-1')
  await expect.poll(() => textsIn('C0ORDERS')).toEqual(['Order A-1 is on its way.'])
  expect([...slack.tokens.keys()].map((token) => `Bearer ${token}`)).toEqual([slack.posted[0]?.by])
  await openEvent(page, first, 'sent')

  // Somebody takes the app's rights away at Slack.
  for (const token of slack.tokens.keys()) slack.revoke(token)
  await go(page, integrationUrl)
  await acme.waitFor()
  const second = await send('A-2')
  const other = await context.newPage()
  await keep(await openEvent(other, second, /token_revoked/), 'refused')
  await other.close()
  await comeBack(page)
  const warning = acme.getByText(/^Slack refuses us there: .*token_revoked.*; connect it again\.$/)
  await warning.waitFor()
  await keep(workspaces, 'warning')
  expect(await faultsInBothLooks(page)).toEqual([])

  expect(await agree(page, acme.getByRole('button', { name: /^Connect again/ }), 'Allow')).toContain('is connected')
  // While somebody is expected back, the page also asks by itself.
  await warning.waitFor({ state: 'detached' })
  expect(await workspaces.getByRole('list', { name: 'Connected workspaces' }).locator('> li').count()).toBe(1)
  await go(page, `${world.url}/dead-letters`)
  await page.getByRole('checkbox', { name: /A-2/ }).check()
  await page.getByRole('button', { name: 'Redrive chosen' }).click()
  await page.getByText(/^Redriven: 1 message/).waitFor()
  await expect.poll(() => textsIn('C0ORDERS')).toEqual(['Order A-1 is on its way.', 'Order A-2 is on its way.'])

  await go(page, `${world.url}/subscribers/ada?tab=channels`)
  await linkPerson(page)
  await page.getByRole('listitem').filter({ hasText: 'Person in Slack U0ADA' }).getByText('Through Acme').waitFor()

  await go(page, integrationUrl)
  await acme.getByRole('button', { name: 'Disconnect Acme' }).click()
  const question = page.getByRole('dialog', { name: 'Disconnect Acme?' })
  await question.getByText(/the channel endpoints that are reached through it are deleted too/).waitFor()
  await question.getByRole('button', { name: 'Disconnect' }).click()
  await workspaces.getByText('No workspace is connected yet.').waitFor()
  expect((await world.api('GET', '/v1/channel-endpoints?subscriberId=ada')).data).toEqual([])
})

/** The address is for the person, who opens it elsewhere. */
async function linkPerson(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a channel endpoint' })
  await dialog.getByLabel('Integration').selectOption({ label: 'Slack' })
  await dialog.getByRole('button', { name: 'Link by OAuth' }).click()
  const address = await dialog.getByRole('group', { name: 'Address for the person' }).textContent()
  const back = await fetch(await slack.allow(address ?? ''))
  expect(await back.text()).toContain('You are linked to Acme.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
}

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
