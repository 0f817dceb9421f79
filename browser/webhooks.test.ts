import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin } from '../test/find-postgres.ts'
import { type HttpReceiver, type ReceivedRequest, startHttpReceiver } from '../test/peers/http-receiver.ts'
import { faultsOf, settled } from './faults.ts'
import { go } from './go.ts'
import { useWorld } from './world.ts'

/** A server that is told what happens: added, tried, down for a while, given another secret, disabled, deleted. */
let receiver: HttpReceiver
const world = useWorld(async () => {
  receiver = await startHttpReceiver()
  receiver.answer = { status: 204 }
  return { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(receiver.port) }
})
afterAll(() => receiver?.close())

/** `npm run screenshots` keeps them with the documentation. */
const folder = join(import.meta.dirname, '..', process.env.SCREENSHOTS ?? '.data/screenshots')
const documented = ['new', 'delivery']
/** The others are only for whoever looks. */
async function keep(place: Locator | Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS && !documented.includes(name)) return
  await place.screenshot({ path: join(folder, `webhooks-${name}.png`) })
}
beforeAll(() => void mkdirSync(folder, { recursive: true }))

/** By the reference library, which throws when the signature is wrong. */
function verify(secret: string, { headers, body }: ReceivedRequest): unknown {
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])])
  return new Webhook(secret).verify(body.toString(), Object.fromEntries(signed))
}

async function arrived(count: number): Promise<ReceivedRequest> {
  await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(count)
  const last = receiver.requests.at(-1)
  if (!last) throw new Error('nothing arrived')
  return last
}

/** Wide and light, then narrow and dark. */
async function faultsInBothLooks(page: Page, name: string): Promise<string[]> {
  const wide = await faultsOf(page, `${name}, wide, light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await settled(page)
  await keep(page, `${name}-390-dark`)
  const narrow = await faultsOf(page, `${name}, narrow, dark`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  return [...wide, ...narrow]
}

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const press = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true }).click()
const secretIn = async (dialog: Locator) =>
  (await dialog.getByRole('group', { name: 'Signing secret' }).textContent()) ?? ''
const addPerson = (subscriberId: string) => world.api('POST', '/v2/subscribers', { subscriberId })

async function addEndpoint(page: Page): Promise<string> {
  await go(page, `${world.url}/webhooks`)
  await page.getByText('Nobody is told yet').waitFor()
  await press(page, 'Add endpoint')
  const dialog = dialogOf(page, 'Add an endpoint')
  const url = dialog.getByLabel(/^URL/)
  expect(await url.evaluate((field) => field === document.activeElement)).toBe(true)
  // What the server says against it stands at its field.
  await url.fill('ftp://hooks.example.com')
  await page.keyboard.press('Enter')
  await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true')
  await url.fill(`${receiver.url}/hooks`)
  await dialog.getByLabel('Description').fill('Order desk')
  await press(dialog, 'Only some')
  await dialog.getByText('Choose at least one event, or all.').waitFor()
  const messages = dialog.getByRole('group', { name: 'Messages' })
  await messages.getByRole('checkbox', { name: 'Messages' }).check()
  expect(await messages.getByRole('checkbox', { checked: true }).count()).toBe(14)
  await messages.getByRole('checkbox', { name: 'seen' }).uncheck()
  expect(
    await messages.getByRole('checkbox', { name: 'Messages' }).evaluate((it: HTMLInputElement) => it.indeterminate),
  ).toBe(true)
  await dialog.getByRole('group', { name: 'Subscribers' }).getByRole('checkbox', { name: 'created' }).check()
  await keep(dialog, 'new')
  expect(await faultsInBothLooks(page, 'new')).toEqual([])
  await press(dialog, 'Add endpoint')
  const shown = dialogOf(page, 'The endpoint is added')
  await shown.waitFor()
  const secret = await secretIn(shown)
  expect(secret).toMatch(/^whsec_/)
  await press(shown, 'I have kept it')
  await page.getByRole('heading', { name: 'Order desk', level: 1 }).waitFor()
  return secret
}

test('an endpoint is added, tried, down for a while, rotated, disabled and deleted', async () => {
  const { page, allow } = await world.visit()
  allow(/status of 422 .*\/v1\/webhook-endpoints$/)
  const secret = await addEndpoint(page)
  const endpointUrl = page.url()
  const endpointId = endpointUrl.split('/').at(-1)
  const stored = () => world.api('GET', `/v1/webhook-endpoints/${endpointId}`)
  expect((await stored()).eventTypes).toHaveLength(13)
  const tried = page.getByRole('region', { name: 'Test event' })

  await press(page, 'Send test event')
  expect(verify(secret, await arrived(1))).toMatchObject({ type: 'endpoint.test', data: { endpointId } })
  await tried.getByText(/^Test event: It arrived: Answered 204 · \d+ ms$/).waitFor()
  await keep(page, 'test')
  await press(tried, 'Close the result')
  await tried.waitFor({ state: 'detached' })

  // It is down for a while. Nobody touches the page: it follows.
  receiver.answer = { status: 500, body: 'Out of memory, again.' }
  await addPerson('ada')
  const down = await arrived(2)
  const row = page.getByRole('row', { name: /^subscriber\.created ada open Answered 500 · / })
  await row.waitFor()
  await page.getByRole('status').filter({ hasText: 'This endpoint fails' }).waitFor()
  await row.getByRole('button').click()
  const drawer = dialogOf(page, 'subscriber.created')
  await drawer.getByText('Out of memory, again.').first().waitFor()
  await drawer.getByLabel('Body').getByText('"ada"').waitFor()
  await settled(page)
  await keep(page, 'delivery')
  expect(await faultsInBothLooks(page, 'delivery')).toEqual([])
  receiver.answer = { status: 204 }
  const before = receiver.requests.length
  await press(drawer, 'Try now')
  const tries = drawer.getByRole('list', { name: 'Tries' }).getByRole('listitem')
  await tries.first().getByText('Answered 204').waitFor()
  expect(await tries.last().textContent()).toContain('Answered 500')
  const again = receiver.requests[before]
  expect(again?.headers['webhook-id']).toBe(down.headers['webhook-id'])
  expect(again && verify(secret, again)).toMatchObject({ type: 'subscriber.created', data: { subscriberId: 'ada' } })
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /^subscriber\.created ada delivered Answered 204/ }).waitFor()

  await replaySpan(page)
  await filterDeliveries(page)
  await rotate(page, secret)
  await change(page)
  expect(await stored()).toMatchObject({ description: 'Order desk in Kiel', eventTypes: null })
  await disable(page, endpointId ?? '')

  await go(page, endpointUrl)
  await press(page, 'Delete')
  await press(dialogOf(page, 'Delete this endpoint?'), 'Delete endpoint')
  await page.getByText('Nobody is told yet').waitFor()
  expect((await world.api('GET', '/v1/webhook-endpoints')).data).toEqual([])
  allow(/status of 404 .*\/v1\/webhook-endpoints\//)
  await page.goto(endpointUrl)
  await page.getByText('No such endpoint').waitFor()
})

/** One was given up; then everything, also what arrived. */
async function replaySpan(page: Page): Promise<void> {
  await admin(world.databaseUrl, (client) =>
    client.query(`update webhook_delivery set state = 'failed' where type = 'subscriber.created'`),
  )
  const before = receiver.requests.length
  await press(page, 'Replay a time range')
  const dialog = dialogOf(page, 'Replay a time range')
  await dialog.getByText('1 event will be sent again.').waitFor()
  await dialog.getByLabel('Which').selectOption({ label: 'Everything, also what arrived' })
  await dialog.getByText('2 events will be sent again.').waitFor()
  await keep(dialog, 'replay')
  expect(await faultsInBothLooks(page, 'replay')).toEqual([])
  await press(dialog, 'Replay 2 events')
  const question = dialogOf(page, 'Replay 2 events?')
  await question.getByText(/come a second time: your server knows them by their id/).waitFor()
  await press(question, 'Cancel')
  expect(receiver.requests.length).toBe(before)
  await dialog.getByLabel('Which').selectOption({ label: 'What was given up' })
  await press(dialog, 'Replay 1 event')
  await press(dialogOf(page, 'Replay 1 event?'), 'Replay')
  await page.getByText('Replayed: 1 event on their way again').waitFor()
  await arrived(before + 1)
  await dialog.waitFor({ state: 'detached' })
}

async function filterDeliveries(page: Page): Promise<void> {
  const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row')
  await page.getByLabel('Type of event').selectOption('endpoint.test')
  await expect.poll(() => rows.count()).toBe(2)
  await press(page, 'Failed')
  await page.getByText('No delivery fits these filters').waitFor()
  await press(page, 'Clear filters')
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'From … until …' })
  await page.getByLabel('Until').fill('2026-01-01T00:00')
  await page.getByText('No delivery fits these filters').waitFor()
  await press(page, 'Clear filters')
  // By the keyboard alone.
  await rows.nth(2).waitFor()
  await page.locator('body').press('j')
  await page.locator('body').press('Enter')
  await dialogOf(page, 'subscriber.created').waitFor()
  await page.keyboard.press('Escape')
}

async function rotate(page: Page, old: string): Promise<void> {
  await page.getByRole('tab', { name: 'Settings' }).click()
  await press(page, 'Rotate the secret')
  const dialog = dialogOf(page, 'Rotate the secret')
  await dialog.getByLabel('How long the old one signs too').selectOption({ label: '6 hours' })
  await press(dialog, 'Make a new secret')
  const shown = dialogOf(page, 'The new secret')
  await shown.getByText(/^Until .* the old one signs too, and either verifies\.$/).waitFor()
  const secret = await secretIn(shown)
  expect(secret).not.toBe(old)
  await keep(shown, 'secret')
  expect(await faultsInBothLooks(page, 'secret')).toEqual([])
  await press(shown, 'I have kept it')
  await page.getByText(/^Until .* the old one signs too\.$/).waitFor()
  const before = receiver.requests.length
  await press(page, 'Send test event')
  const request = await arrived(before + 1)
  for (const one of [old, secret]) expect(verify(one, request)).toMatchObject({ type: 'endpoint.test' })
}

async function change(page: Page): Promise<void> {
  await page.getByLabel('Description').fill('Order desk in Kiel')
  await press(page, 'All events')
  await press(page, 'Save changes')
  await page.getByRole('heading', { name: 'Order desk in Kiel', level: 1 }).waitFor()
  expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
}

/** By hand; then as the server does it after days, which the list and the overview say. */
async function disable(page: Page, endpointId: string): Promise<void> {
  await press(page, 'Disable')
  await press(dialogOf(page, 'Disable this endpoint?'), 'Disable')
  await press(page, 'Enable')
  await page.getByRole('button', { name: 'Disable', exact: true }).waitFor()
  await admin(world.databaseUrl, (client) =>
    client.query(
      `update webhook_endpoint set state = 'disabled', failing_since = now() - interval '5 days', updated_at = now(),
        disabled_reason = 'Nothing could be delivered since 2026-11-13T08:00:00.000Z.' where id = $1`,
      [endpointId],
    ),
  )
  await go(page, `${world.url}/`)
  await page.getByRole('link', { name: /The webhook endpoint .*\/hooks was disabled/ }).click()
  await page.getByText('This endpoint was disabled').waitFor()
  expect(await page.getByRole('button', { name: 'Send test event' }).isDisabled()).toBe(true)
  await go(page, `${world.url}/webhooks`)
  const warning = page.getByRole('status').filter({ hasText: '/hooks was disabled' })
  await warning.getByText(/Nothing could be delivered since Nov 13, 2026/).waitFor()
  await settled(page)
  await keep(page, 'warning')
  expect(await faultsInBothLooks(page, 'warning')).toEqual([])
  await warning.getByRole('button', { name: /^Enable again: / }).click()
  await warning.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Order desk in Kiel All events enabled/ }).waitFor()
}
