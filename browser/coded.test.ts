import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BridgeApp, prepareBridgeApp } from '../test/bridge/start-app.ts'
import { faultsOf, settled } from './faults.ts'
import { heading } from './people.ts'
import { picture } from './picture.ts'
import { useWorld } from './world.ts'

/** A workflow that is code: what the pages show of it while its bridge answers, and when it is away. */
let bridge: BridgeApp
const world = useWorld(async () => {
  bridge = await prepareBridgeApp()
  return { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(bridge.port) }
})

beforeAll(async () => {
  await bridge.start(world.key)
  const told = await world.api('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })
  expect(told.created).toContain('everything')
}, 60_000)
afterAll(() => bridge?.kill())

async function look(page: Page, name: string): Promise<void> {
  await settled(page)
  await picture(page, name)
  expect(await faultsOf(page, name)).toEqual([])
}

test('it is read here, and cannot be changed', async () => {
  const { page } = await world.visit()
  await page.goto(`${world.url}/workflows`)
  await heading(page, 'Workflows')
  await look(page, 'coded-list')
  await page.getByRole('link', { name: /everything/i }).click()
  await page.getByText('This workflow is code.').waitFor()
  await look(page, 'coded-workflow')
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Steps', 'Settings', 'Payload', 'Versions'])
  for (const tab of ['Settings', 'Payload', 'Versions']) {
    await page.getByRole('tab', { name: tab }).click()
    if (tab === 'Settings') expect(await page.getByLabel('Name').isEditable()).toBe(false)
    await look(page, `coded-${tab.toLowerCase()}`)
  }
})

test('activity shows the tries while the bridge is away, and what it said when it is back', async () => {
  const { page } = await world.visit()
  await world.api('POST', '/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com' })
  await bridge.kill()
  const payload = { number: 7, seconds: 1 }
  const { transactionId } = await world.api('POST', '/v1/events/trigger', { name: 'everything', to: 'ada', payload })
  await page.goto(`${world.url}/activity?transactionId=${transactionId}`)
  await page
    .getByRole('main')
    .getByRole('link')
    .filter({ hasText: /everything/i })
    .first()
    .click()
  await page
    .getByText(/bridge/i)
    .first()
    .waitFor()
  await look(page, 'coded-away')
  await bridge.start(world.key)
  await expect.poll(() => bridge.seen()).toContain('ada extra')
  await page.reload()
  await page.getByText('The bridge gave a result').waitFor()
  await look(page, 'coded-done')
})
