import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin } from '../test/find-postgres.ts'
import { type HttpReceiver, startHttpReceiver } from '../test/peers/http-receiver.ts'
import { faultsOf, settled } from './faults.ts'
import { go } from './go.ts'
import { heading } from './people.ts'
import { picture } from './picture.ts'
import { useWorld } from './world.ts'

/** A broadcast to four hundred begins small, waits, goes on, stops by itself, and is ended: all of it on the pages. */
let vendor: HttpReceiver
let refuses = false
let delayMs = 0
const world = useWorld(async () => {
  vendor = await startHttpReceiver()
  vendor.answer = () =>
    refuses ? { status: 400, json: { error: 'not a number' }, delayMs } : { json: { id: 'taken' }, delayMs }
  return { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(vendor.port) }
})
afterAll(() => vendor?.close())

const many = 400
const at = (address: string) => world.url + address
const folder = join(import.meta.dirname, '../.data/screenshots')

beforeAll(async () => {
  const { api } = world
  const subscribers = Array.from({ length: many }, (_, index) => ({
    subscriberId: `person-${index}`,
    phone: `+4930${String(1_000_000 + index)}`,
  }))
  await api('POST', '/v1/subscribers/bulk', { subscribers })
  const credentials = {
    baseUrl: vendor.url,
    apiKeyRequestHeader: 'x-api-key',
    apiKey: 'sk_test_1234567890',
    from: 'Shop',
  }
  const gateway = { providerId: 'generic-sms', channel: 'sms', name: 'Gateway', active: true, credentials }
  const { _id } = await api('POST', '/v1/integrations', gateway)
  await api('POST', `/v1/integrations/${_id}/set-primary`)
  const steps = [{ stepId: 'sms', name: 'SMS', type: 'sms', controlValues: { body: 'We are open again.' } }]
  await api('POST', '/v2/workflows', { workflowId: 'news', name: 'News', steps })
}, 90_000)

async function look(page: Page, name: string): Promise<void> {
  await settled(page)
  expect(await faultsOf(page, name)).toEqual([])
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

const broadcast = async (): Promise<string> =>
  (await world.api('POST', '/v1/events/trigger/broadcast', { name: 'news' })).transactionId
const standing = (page: Page, text: string | RegExp) =>
  page.getByRole('main').getByRole('status').filter({ hasText: text }).waitFor()
const act = async (page: Page, name: string, title: string, action: string) => {
  await page.getByRole('main').getByRole('button', { name, exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: action }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('an environment says when a send begins small and stops by itself', async () => {
  const { page, allow } = await world.visit()
  allow(/status of 422 .*\/large-sends/)
  await page.goto(at('/sends'))
  await page.getByText('No large sends yet').waitFor()
  await look(page, 'sends-none-1440-light')
  await page.getByRole('tab', { name: 'Safety' }).click()
  await page.getByRole('switch', { name: 'Large sends begin with few people' }).click()
  const from = page.getByLabel('For at least so many people')
  await from.fill('20')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  await from.fill('300')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved: it holds for sends that begin from now on').waitFor()
  const { data } = await world.api('GET', '/v1/environment/large-sends')
  expect(data).toMatchObject({ canaryFrom: 300, canaryPercent: 1, canaryAtLeast: 100, guardFrom: null })
  await look(page, 'sends-safety-1440-light')
})

test('a broadcast begins with a hundred, waits, and goes on when somebody resumes it', async () => {
  const id = await broadcast()
  const { page } = await world.visit()
  await page.goto(at('/sends'))
  await page.getByRole('row', { name: /^News Broadcast .* waiting 100 of 400/ }).waitFor()
  await look(page, 'sends-1440-light')
  await page.getByRole('row', { name: /^News/ }).getByRole('link').press('Enter')
  await heading(page, 'News')
  expect(new URL(page.url()).pathname).toContain(id)
  await standing(page, 'It was sent to the first 100 people. It waits for somebody to resume it.')
  await page.getByRole('region', { name: 'Messages' }).getByText('100').first().waitFor()
  await look(page, 'send-waiting-1440-light')
  await act(page, 'Resume', 'Resume it?', 'Resume it')
  await standing(page, 'All of it is done.')
  await expect.poll(() => page.getByRole('region', { name: 'People' }).innerText()).toContain('400')
  expect(vendor.requests).toHaveLength(many)
  await look(page, 'send-done-1440-light')
})

test('when too much is refused it stops by itself, says why, and can be canceled; who may only read is told so', async () => {
  refuses = true
  const id = await broadcast()
  const { page } = await world.visit({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await page.goto(at(`/sends/${id}`))
  await standing(page, /It stopped by itself: .*%/)
  await look(page, 'send-stopped-390-dark')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await settled(page)
  await picture(page, 'send-stopped')

  const { key } = await world.api('POST', '/v1/api-keys', { name: 'reader', scope: 'read' })
  const reader = await world.visit({ signedIn: false })
  const headers = { 'x-tidings-session': '1' }
  await reader.context.request.post(at('/session'), { data: { key }, headers })
  await reader.page.goto(at(`/sends/${id}`))
  await standing(reader.page, /It stopped by itself/)
  expect(await reader.page.getByRole('button', { name: /^(Resume|Cancel the send|Pause)$/ }).count()).toBe(0)
  await reader.page.getByText('You can look, and not change.').waitFor()

  await act(page, 'Cancel the send', 'Cancel the send?', 'Cancel the send')
  await standing(page, 'It was canceled. What was sent stays sent.')
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Cancel(ing|ed), by first key/ })
    .waitFor()
  expect(vendor.requests.length).toBeLessThan(many + 150)
  await go(page, at('/sends?state=open'))
  await page.getByText('Nothing is under way').waitFor()
})

test('somebody lets it go on whatever fails, pauses it with a note, and lets it end', async () => {
  refuses = true
  const id = await broadcast()
  const { page } = await world.visit()
  await page.goto(at(`/sends/${id}`))
  await standing(page, /It stopped by itself/)
  delayMs = 1_000
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('checkbox', { name: /^Do not stop it by itself/ }).check()
  await page.getByRole('button', { name: 'Resume it' }).click()
  await standing(page, 'Nothing stops it but a person.')
  await page.getByRole('main').getByRole('button', { name: 'Pause' }).press('Enter')
  await page.keyboard.type('Ada looks at it')
  await page.keyboard.press('Enter')
  // It is answered when the pause holds; the page may know of it before.
  await page.getByRole('dialog', { name: 'Pause it?' }).waitFor({ state: 'detached' })
  await standing(page, 'Somebody paused it.')
  await page.getByRole('listitem').filter({ hasText: 'Paused, by first key' }).getByText('Ada looks at it').waitFor()
  delayMs = 0
  await act(page, 'Resume', 'Resume it?', 'Resume it')
  await standing(page, 'All of it is done.')
  const { data } = await world.api('GET', `/v1/sends/${id}`)
  expect(data).toMatchObject({ guarded: false, people: { written: many, left: 0 }, messages: { failed: many } })
})

test('an environment that is slowed down says so on every page, until nobody asks for it any more', async () => {
  await world.api('PATCH', '/v1/environment/large-sends', { slowOnJumps: true })
  // As the loop writes it, which looks once a minute.
  await admin(world.databaseUrl, (client) =>
    client.query(`update environment set slowed = jsonb_build_object('since', now(), 'until', now() + interval '1 hour',
      'reason', 'failures', 'text', 'Half of its messages fail.') where slug = 'development'`),
  )
  const { page } = await world.visit()
  await page.goto(`${world.url}/env/development/topics`)
  const mark = page.getByRole('region', { name: 'Slowed down' })
  await mark.getByText('Half of its messages fail. Nothing is dropped.').waitFor()
  await settled(page)
  expect(await faultsOf(page, 'slowed')).toEqual([])
  await picture(page, 'slowed-1440-light')
  await page.goto(`${world.url}/env/production/topics`)
  await heading(page, 'Topics')
  await settled(page)
  expect(await mark.count()).toBe(0)
  await world.api('PATCH', '/v1/environment/large-sends', { slowOnJumps: false })
  await page.goto(`${world.url}/env/development/topics`)
  await heading(page, 'Topics')
  await settled(page)
  expect(await mark.count()).toBe(0)
})
