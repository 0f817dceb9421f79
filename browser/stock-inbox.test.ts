import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Json } from './server.ts'
import { useStockInbox } from './stock-inbox.ts'

/** The stock <Inbox/> of @novu/react 3.19.2, in the page of examples/react-inbox, started as its README says. */
const it = useStockInbox()

beforeAll(async () => {
  const inbox = { subject: 'Order {{payload.n}}', body: 'It is on its way, and will be with you on Friday.' }
  await it.server.api('POST', '/v2/workflows', {
    workflowId: 'order',
    name: 'Orders',
    steps: [
      { name: 'Inbox', type: 'in_app', controlValues: inbox },
      { name: 'Mail', type: 'email', controlValues: { subject: 'x', body: 'x' } },
    ],
  })
  const actions = { primaryAction: { label: 'Review' }, secondaryAction: { label: 'Later' } }
  await it.server.api('POST', '/v2/workflows', {
    workflowId: 'payment',
    name: 'Payments',
    severity: 'high',
    steps: [
      {
        name: 'Inbox',
        type: 'in_app',
        controlValues: { subject: 'Your card was declined', body: 'Order 1044 waits for another one.', ...actions },
      },
    ],
  })
})

test('what the README says: the bell is silent, the printed call answers, the bell shows it, the list has it', async () => {
  const { page, bellDot, shop } = it
  expect(await bellDot.count()).toBe(0)
  expect(shop.sendAsPrinted()).toContain('"acknowledged":true')
  await bellDot.waitFor()
  await it.open()
  await page.getByText('Hello Ada, your order is on its way').waitFor()
  await expect.poll(() => it.unreadOf('All')).toBe('1')
  // Whoever looked at it for a second has seen it.
  await expect.poll(() => it.stored('seen=true')).toHaveLength(1)
})

test('what comes while the list is open is counted and offered at once', async () => {
  await it.send('order', { n: 1 })
  await it.open()
  await expect.poll(it.subjects).toEqual(['Order 1'])
  await it.send('order', { n: 2 })
  await expect.poll(() => it.unreadOf('All')).toBe('2')
  await it.page.getByRole('button', { name: '1 new notification' }).click()
  await expect.poll(it.subjects).toEqual(['Order 2', 'Order 1'])
})

test('a click reads; what is read can be made unread again', async () => {
  await it.send('order', { n: 1 })
  await it.open()
  await it.notifications.first().click()
  await it.bellDot.waitFor({ state: 'detached' })
  expect(await it.stored('read=true')).toHaveLength(1)
  await it.press('Order 1', 'Unread')
  await it.bellDot.waitFor()
  expect(await it.stored('read=false')).toHaveLength(1)
})

test('mark all as read', async () => {
  for (const n of [1, 2, 3]) await it.send('order', { n })
  await it.open()
  await expect.poll(() => it.unreadOf('All')).toBe('3')
  await it.page.locator('.nv-moreActions__dropdownTrigger').click()
  await it.page.getByRole('button', { name: 'Mark all as read' }).click()
  await it.bellDot.waitFor({ state: 'detached' })
  await expect.poll(() => it.stored('read=false')).toEqual([])
})

test('archive and unarchive', async () => {
  for (const n of [1, 2]) await it.send('order', { n })
  await it.open()
  await it.press('Order 1', 'Archive')
  await expect.poll(it.subjects).toEqual(['Order 2'])
  await it.filter('Archived')
  await expect.poll(it.subjects).toEqual(['Order 1'])
  await it.press('Order 1', 'Unarchive')
  await expect.poll(() => it.notifications.count()).toBe(0)
  await it.filter('Unread & read')
  await expect.poll(it.subjects).toEqual(['Order 2', 'Order 1'])
})

test('snooze for an hour, and take it back', async () => {
  for (const n of [1, 2]) await it.send('order', { n })
  await it.open()
  await it.press('Order 1', 'Snooze')
  await it.page.getByRole('button', { name: /^An hour from now/ }).click()
  await expect.poll(it.subjects).toEqual(['Order 2'])
  await expect.poll(() => it.unreadOf('All')).toBe('1')
  const [snoozed] = await it.stored('snoozed=true')
  expect((Date.parse(snoozed.snoozedUntil) - Date.now()) / 60_000).toBeCloseTo(60, -1)
  await it.filter('Snoozed')
  await expect.poll(it.subjects).toEqual(['Order 1'])
  await it.page.getByText(/^Snoozed until/).waitFor()
  await it.press('Order 1', 'Unsnooze')
  await expect.poll(() => it.notifications.count()).toBe(0)
  await it.filter('Unread & read')
  await expect.poll(async () => (await it.subjects()).toSorted()).toEqual(['Order 1', 'Order 2'])
})

test('what is urgent colours the bell and has its own tab; its button is completed', async () => {
  await it.send('order', { n: 1 })
  await it.send('payment')
  await it.page.locator('.nv-severityHigh__bellContainer').waitFor()
  await it.open()
  await it.page.getByRole('tab', { name: 'Urgent' }).click()
  await expect.poll(it.subjects).toEqual(['Your card was declined'])
  await it.page.getByRole('button', { name: 'Review' }).click()
  await expect.poll(async () => (await it.stored('severity=high'))[0].primaryAction.isCompleted).toBe(true)
  await it.page.locator('.nv-severityHigh__bellContainer').waitFor({ state: 'detached' })
  await it.bellDot.waitFor()
})

test('a long list comes page by page', async () => {
  const events = Array.from({ length: 25 }, (_, n) => ({ name: 'order', to: 'ada', payload: { n } }))
  await it.server.api('POST', '/v1/events/trigger/bulk', { events })
  await expect.poll(async () => (await it.stored()).length).toBe(25)
  await it.open()
  await expect.poll(() => it.notifications.count()).toBe(10)
  await expect.poll(() => it.unreadOf('All')).toBe('25')
  for (const count of [20, 25]) {
    await it.notifications.last().scrollIntoViewIfNeeded()
    await expect.poll(() => it.notifications.count()).toBe(count)
  }
  expect(new Set(await it.subjects()).size).toBe(25)
})

test('what is read here is read in the other browser too', async () => {
  await it.send('order', { n: 1 })
  await it.bellDot.waitFor()
  const other = await it.page.context().newPage()
  await other.goto(it.shop.url)
  await other.locator('.nv-bellDot').waitFor()
  await it.open()
  await it.notifications.first().click()
  await other.locator('.nv-bellDot').waitFor({ state: 'detached' })
  await other.close()
})

describe('preferences', () => {
  const stored = () => it.server.api('GET', '/v2/subscribers/ada/preferences')
  const switchIn = (place: Locator) => place.locator('.nv-channelSwitch')
  const openPreferences = async () => {
    await it.page.reload()
    await it.open()
    await it.page.locator('.nv-preferences__button').click()
    await it.page.getByText('Global Preferences').waitFor()
  }
  const channel = async (workflow: string, name: string) => {
    const block = it.page.locator('.nv-workflowContainer').filter({ hasText: workflow })
    await block.locator('.nv-workflowLabelContainer').click()
    return block.locator('.nv-channelContainer').filter({ hasText: name })
  }

  test('a channel of one workflow, and of all', async () => {
    await openPreferences()
    await switchIn(await channel('Orders', 'Email')).click()
    await expect
      .poll(async () => (await stored()).workflows.find(({ workflow }: Json) => workflow.name === 'Orders').channels)
      .toMatchObject({ email: false, in_app: true })
    await switchIn(await channel('Global Preferences', 'SMS')).click()
    await expect.poll(async () => (await stored()).global.channels).toMatchObject({ sms: false, email: true })
    await openPreferences()
    expect(await (await channel('Orders', 'Email')).getByRole('checkbox').isChecked()).toBe(false)
    expect(await (await channel('Orders', 'In-App')).getByRole('checkbox').isChecked()).toBe(true)
  })

  test('the hours in which a person may be notified', async () => {
    await openPreferences()
    const schedule = it.page.locator('.nv-scheduleContainer')
    const day = (name: string) => schedule.locator('.nv-scheduleBodyRow').filter({ hasText: name })
    const week = async () => (await stored()).global.schedule?.weeklySchedule
    await switchIn(schedule.locator('.nv-scheduleHeader')).click()
    await expect.poll(week).toMatchObject({ monday: { isEnabled: true } })
    await switchIn(day('Monday')).click()
    await expect.poll(week).toMatchObject({ monday: { isEnabled: false } })
    await day('Tuesday').getByRole('button', { name: '09:00 AM' }).click()
    await it.page.getByText('10:00 AM', { exact: true }).click()
    await expect.poll(week).toMatchObject({ tuesday: { hours: [{ start: '10:00 AM', end: '05:00 PM' }] } })
    await openPreferences()
    await day('Tuesday').getByRole('button', { name: '10:00 AM' }).waitFor()
  })
})

/** `npm run screenshots` keeps them with the documentation. */
test.runIf(process.env.SCREENSHOTS)('pictures', async () => {
  const { page } = it
  const folder = join(import.meta.dirname, '..', process.env.SCREENSHOTS ?? '')
  const take = async (name: string, clip: { x: number; y: number; width: number; height: number }) => {
    // What moves has come to rest.
    await page.waitForTimeout(600)
    await page.screenshot({ path: join(folder, `inbox-${name}.png`), clip })
  }
  const side = { x: 470, y: 0, width: 430, height: 670 }
  it.shop.sendAsPrinted()
  await it.send('payment')
  for (const n of [1041, 1042, 1043]) await it.send('order', { n })
  await page.locator('.nv-severityHigh__bellContainer').waitFor()
  await it.open()
  await expect.poll(() => it.notifications.count()).toBe(5)
  await it.press('Order 1041', 'Read')
  await page.mouse.move(20, 400)
  await take('list', side)
  await it.press('Order 1042', 'Snooze')
  await take('snooze', side)
  await page.keyboard.press('Escape')
  await page.reload()
  await it.open()
  await page.locator('.nv-preferences__button').click()
  await page.getByText('Allow notifications between:').waitFor()
  await take('preferences', side)
})
