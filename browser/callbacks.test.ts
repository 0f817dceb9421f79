import { createHmac, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpReceiver, startHttpReceiver } from '../test/peers/http-receiver.ts'
import { faultsOf, settled } from './faults.ts'
import { useWorld } from './world.ts'

/** What a vendor tells later, from the form of its integration to the list of addresses that get no more mail. */
let vendor: HttpReceiver
let taken = 0
const world = useWorld(async () => {
  vendor = await startHttpReceiver()
  vendor.answer = () => ({ status: 200, json: { id: `<${++taken}@mg.example>`, message: 'Queued. Thank you.' } })
  return { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(vendor.port) }
})
afterAll(() => vendor?.close())

/** `npm run screenshots` keeps them with the documentation. */
const folder = join(import.meta.dirname, '..', process.env.SCREENSHOTS ?? '.data/screenshots')
const keep = (place: Locator, name: string) => place.screenshot({ path: join(folder, `callbacks-${name}.png`) })

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  await world.api('POST', '/v2/workflows', {
    workflowId: 'order-shipped',
    name: 'Order shipped',
    steps: [{ name: 'E-mail', type: 'email', controlValues: { subject: 'On its way', body: 'It is on its way.' } }],
  })
})

const signingKey = 'key-4f2a9c'

/** As Mailgun speaks of the message it took last. */
async function tell(address: string, event: object, key = signingKey): Promise<number> {
  const [timestamp, token] = [String(Math.floor(Date.now() / 1000)), randomUUID()]
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex')
  const message = { headers: { 'message-id': `${taken}@mg.example` } }
  const body = { signature: { timestamp, token, signature }, 'event-data': { ...event, message } }
  const reply = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return reply.status
}

async function send(subscriberId: string, email: string): Promise<void> {
  const before = taken
  await world.api('POST', '/v1/events/trigger', { name: 'order-shipped', to: { subscriberId, email } })
  await expect.poll(() => taken, { timeout: 20_000 }).toBe(before + 1)
}

async function openForm(page: Page, providerId: string, name: string): Promise<void> {
  await page.goto(`${world.url}/integrations/new?providerId=${providerId}`)
  await page.getByRole('heading', { name: `Connect ${name}`, level: 1 }).waitFor()
  await page.getByRole('switch', { name: "Take the vendor's callbacks" }).click()
}
const toldTo = (page: Page) => page.getByRole('region', { name: 'What the vendor told' })
const addressIn = (page: Page) => page.getByRole('group', { name: 'Callback address' })
const deliveryCard = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Delivery' }) })

async function faultsWhenWideAndNarrow(page: Page): Promise<string[]> {
  const wide = await faultsOf(page, 'wide')
  await page.setViewportSize({ width: 390, height: 844 })
  await settled(page)
  const narrow = await faultsOf(page, 'narrow')
  await page.setViewportSize({ width: 1440, height: 900 })
  return [...wide, ...narrow]
}

/** The step of the event that is open, with its history. */
async function historyOf(page: Page): Promise<Locator> {
  const step = page.getByRole('region', { name: 'E-mail' })
  await step.getByRole('tab', { name: /^History/ }).click()
  return step
}

test('a message is followed to its delivery, another to its bounce', async () => {
  const { page } = await world.visit()
  await openForm(page, 'mailgun', 'Mailgun')
  await page.getByLabel(/^API key/).fill('key-of-mailgun')
  await page.getByRole('textbox', { name: /^Sending domain/ }).fill('mg.example')
  await page.getByRole('textbox', { name: /^Base URL/ }).fill(vendor.url)
  await page.getByRole('textbox', { name: /^From/ }).first().fill('shop@mg.example')
  await page.getByLabel('HTTP webhook signing key').fill(signingKey)
  await page.getByText('Mailgun shows it under API security.').waitFor()
  await page.getByText('The address for the vendor is shown once this is saved.').waitFor()
  await page.getByRole('button', { name: 'Connect Mailgun' }).click()
  await toldTo(page).getByText('Nothing has arrived yet.').waitFor()
  const address = (await addressIn(page).textContent()) ?? ''
  expect(address).toMatch(new RegExp(`^${world.url}/v1/webhooks/[0-9a-f-]{36}$`))

  // Nobody touches the page: it asks by itself.
  await send('ada', 'ada@example.com')
  expect(await tell(address, { event: 'delivered' }, 'another key')).toBe(401)
  await toldTo(page)
    .getByText(/Last refused call just now: .*check the signing key/)
    .waitFor()
  expect(await tell(address, { event: 'delivered' })).toBe(200)
  await toldTo(page)
    .getByText(/Last call just now: delivered, message/)
    .waitFor()
  await keep(deliveryCard(page), 'integration')
  expect(await faultsWhenWideAndNarrow(page)).toEqual([])

  await toldTo(page).getByRole('link').click()
  const delivered = await historyOf(page)
  await delivered.getByText('Message delivered').waitFor()
  await keep(delivered, 'delivered')

  await send('eve', 'eve@example.com')
  const status = { message: '550 5.1.1 No such user here' }
  const bounce = { event: 'failed', severity: 'permanent', reason: 'bounce', 'delivery-status': status }
  expect(await tell(address, bounce)).toBe(200)
  await page.goto(world.url + new URL(address).pathname.replace('/v1/webhooks', '/integrations'))
  await toldTo(page)
    .getByText(/Last call just now: bounced, message/)
    .waitFor()
  await toldTo(page).getByRole('link').click()
  const bounced = await historyOf(page)
  await bounced.getByText('Message bounced').waitFor()
  await bounced.getByText('550 5.1.1 No such user here').first().waitFor()
  await keep(bounced, 'bounced')
  await page.goto(`${world.url}/suppressions`)
  const listed = page.getByRole('row', { name: /eve@example\.com/ })
  await listed.getByText('bounced').waitFor()
  expect(await page.getByRole('row', { name: /ada@example\.com/ }).count()).toBe(0)
})

test('where the vendor signs nothing, a key is made, and shown in the address only now', async () => {
  const { page } = await world.visit()
  await openForm(page, 'sendinblue', 'Brevo')
  await page.getByLabel(/^API key/).fill('key-of-brevo')
  await page.getByRole('checkbox', { name: /^Ask Brevo/ }).uncheck()
  await page.getByRole('switch', { name: 'Active' }).click()
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByRole('button', { name: 'Connect Brevo' }).click()
  await page.getByText('The address holds the key and is shown only now: copy it.').waitFor()
  expect(await faultsWhenWideAndNarrow(page)).toEqual([])
  const address = (await addressIn(page).textContent()) ?? ''
  expect(address).toMatch(new RegExp(`^${world.url}/v1/webhooks/[0-9a-f-]{36}\\?key=[0-9a-f]{48}$`))
  await toldTo(page).getByText('Nothing has arrived yet.').waitFor()
  const call = (url: string) => fetch(url, { method: 'POST', body: JSON.stringify({ event: 'delivered' }) })
  expect((await call(address)).status).toBe(200)
  await toldTo(page)
    .getByText(/Last call just now/)
    .waitFor()

  await page.reload()
  await page.getByText(/^The key is kept and not shown/).waitFor()
  expect(await addressIn(page).textContent()).toBe(address.replace(/key=.*/, 'key=…'))
  // Another one counts once it is saved.
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByText('This key counts once it is saved.').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved', { exact: true }).first().waitFor()
  const second = (await addressIn(page).textContent()) ?? ''
  expect(second).not.toBe(address)
  expect([(await call(address)).status, (await call(second)).status]).toEqual([401, 200])
})

test('where each message names the address there is nothing to set up, but our own address must be known', async () => {
  const { page } = await world.visit()
  await openForm(page, 'telnyx', 'Telnyx')
  await page.getByText('Nothing to set up at the vendor: every message names the address.').waitFor()
  await page.getByRole('switch', { name: 'Active' }).click()
  await page.getByRole('checkbox', { name: /^Ask Telnyx/ }).uncheck()
  await page.getByLabel('Public key').fill('bm90IGEga2V5')
  await page.getByRole('button', { name: 'Connect Telnyx' }).click()
  await page.getByRole('alert').filter({ hasText: 'PUBLIC_URL' }).waitFor()
  expect(await addressIn(page).count()).toBe(0)
})
