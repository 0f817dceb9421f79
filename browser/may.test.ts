import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { faultsOf, settled } from './faults.ts'
import { go } from './go.ts'
import { picture } from './picture.ts'
import { useWorld } from './world.ts'

/** Those who may do less: what they may not do is not offered, and it says why. */
const world = useWorld()
const keys: Record<string, string> = {}
let [integrationId, endpointId] = ['', '']

beforeAll(async () => {
  const { api } = world
  await api('POST', '/v2/subscribers', { subscriberId: 'ann', email: 'ann@example.com' })
  const schedule = {
    isEnabled: true,
    weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '08:00 AM', end: '06:00 PM' }] } },
  }
  await api('PATCH', '/v2/subscribers/ann/preferences', { schedule })
  await api('POST', '/v2/topics', { key: 'staff', name: 'Staff' })
  await api('POST', '/v2/topics/staff/subscriptions', { subscriberIds: ['ann'] })
  const mail = { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: '<p>Hi</p>' } }
  await api('POST', '/v2/workflows', { workflowId: 'w', name: 'Greeting', steps: [mail] })
  await api('POST', '/v2/layouts', { layoutId: 'brand', name: 'Brand' })
  await api('POST', '/v1/suppressions', { channel: 'email', address: 'bob@example.com', reason: 'bounced' })
  endpointId = (await api('POST', '/v1/webhook-endpoints', { url: 'https://example.com/hook' }))._id
  integrationId = (await api('GET', '/v1/integrations')).find(
    ({ channel }: { channel: string }) => channel === 'email',
  )._id
  for (const scope of ['read', 'trigger'])
    keys[scope] = (await world.api('POST', '/v1/api-keys', { name: `only ${scope}`, scope })).key
})

async function visitWith(scope: string, options: Parameters<typeof world.visit>[0] = {}): Promise<Page> {
  const { page, context, allow } = await world.visit({ ...options, signedIn: false })
  allow(/status of 401 .*\/session/)
  const reply = await context.request.post(`${world.url}/session`, {
    data: { key: keys[scope] },
    headers: { 'x-tidings-session': '1' },
  })
  expect(reply.status()).toBe(200)
  return page
}

const note = (page: Page) => page.getByRole('region', { name: 'What you may do here' })
/** What only somebody presses who changes something. */
const changing =
  /^(Add|New|Delete|Remove|Rename|Save|Import|Export|Broadcast|Send|Redrive|Trigger|Cancel event|Connect|Check|Make|Rotate|Replay|Enable|Disable|Edit|Revoke|Test run|Duplicate|Upload|Forget|Reset|Tell|Restore|Archive|Mark|Publish|Put back|Pause|Resume)/
const open =
  'input:not([readonly], [type=search], [hidden], :disabled), textarea:not([readonly]), [role=switch]:not(:disabled), [contenteditable=true]'

test('who may only read sees every page with a sentence why it cannot be changed, and nothing that would be refused', async () => {
  const page = await visitWith('read')
  await page.goto(`${world.url}/`)
  const nav = page.getByRole('navigation', { name: 'Pages' })
  await nav.getByRole('link', { name: 'Workflows' }).waitFor()
  expect(await nav.getByRole('link', { name: /^(API keys|Inbox)$/ }).count()).toBe(0)
  const wrong: string[] = []
  // Fields that are open: filters, and for whom a preview is.
  for (const [path, filters, isNoted] of [
    ['/topics', 0, true],
    ['/topics/staff', 0, true],
    ['/subscribers', 0, true],
    ['/subscribers/ann', 0, true],
    ['/subscribers/ann?tab=channels', 0, true],
    ['/subscribers/ann?tab=preferences', 0, true],
    ['/subscribers/ann?tab=schedule', 0, true],
    ['/subscribers/ann?tab=topics', 0, true],
    ['/integrations', 0, true],
    [`/integrations/${integrationId}`, 0, true],
    ['/dead-letters', 0, true],
    ['/suppressions', 0, true],
    ['/webhooks', 0, true],
    [`/webhooks/${endpointId}`, 0, true],
    [`/webhooks/${endpointId}?tab=settings`, 0, true],
    ['/workflows', 0, true],
    ['/workflows/w?tab=settings', 0, true],
    ['/workflows/w?tab=versions', 0, true],
    ['/layouts', 0, true],
    ['/layouts/brand?tab=settings', 0, true],
    ['/languages', 1, true],
    ['/environments', 0, false],
    ['/publish', 0, false],
    ['/sends', 0, true],
    ['/sends?view=safety', 0, true],
  ] as const) {
    await go(page, world.url + path)
    await settled(page)
    expect(await note(page).count(), path).toBe(isNoted ? 1 : 0)
    const main = page.getByRole('main')
    const buttons = await main.getByRole('button', { name: changing }).allTextContents()
    const fields = await main.locator(open).count()
    if (buttons.length > 0 || fields !== filters) wrong.push(`${path}: ${buttons.join(', ')}; ${fields} fields`)
  }
  expect(wrong).toEqual([])
  await go(page, `${world.url}/topics`)
  await settled(page)
  expect(await faultsOf(page, 'topics')).toEqual([])
  await picture(page, 'may-topics')
  await note(page).getByText('In Development, changing subscribers and topics is for owners, admins').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.getByRole('heading', { name: 'Topics', level: 1 }).waitFor()
  await go(page, `${world.url}/api-keys`)
  await page.getByText('In Development, seeing and making API keys is for owners and admins.').waitFor()
})

test('who may only trigger sees nothing, and why, without a request that is refused', async () => {
  const page = await visitWith('trigger', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  for (const path of ['/', '/workflows/w', '/activity']) {
    await page.goto(world.url + path)
    await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor()
    await page.getByText('The key you signed in with does not allow it.').waitFor()
  }
  expect(await faultsOf(page, 'nothing')).toEqual([])
  await picture(page, 'may-nothing-390-dark')
})

test('who may do everything is told nothing', async () => {
  const { page } = await world.visit()
  for (const path of ['/topics', '/webhooks', '/layouts', `/integrations/${integrationId}`]) {
    await go(page, world.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
    expect(await note(page).count(), path).toBe(0)
    expect(await page.getByRole('main').getByRole('button', { name: changing }).count(), path).toBeGreaterThan(0)
  }
})
