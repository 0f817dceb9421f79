import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, settled } from './faults.ts'
import { go } from './go.ts'
import { useSeededWorld } from './seeded-world.ts'

const { world, seeded } = useSeededWorld()

/** `npm run screenshots` keeps them with the documentation; else they are only for whoever looks. */
const folder = join(import.meta.dirname, '..', process.env.SCREENSHOTS ?? '.data/screenshots')
const places: Record<string, string> = {}
/** `PLACES=webhooks,webhook`: only these, for whoever works on them. */
const wanted = process.env.PLACES?.split(',')

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  const { eventId, deadEventId, gatewayId, endpointId } = seeded
  const { data }: { data: { _id: string; channel: string }[] } = await world.api(
    'GET',
    `/v1/notifications/${eventId}/messages`,
  )
  const mail = data.find(({ channel }) => channel === 'email')
  const why = 'workflow=order-shipped&subscriber=user-1'
  Object.assign(places, {
    overview: '/',
    activity: '/activity',
    'activity-event': `/activity/${eventId}`,
    'activity-sent': `/activity/${eventId}?sent=${mail?._id}`,
    'activity-dead': `/activity/${deadEventId}`,
    explain: `/explain?${why}`,
    workflows: '/workflows',
    workflow: '/workflows/order-shipped?step=e-mail',
    'workflow-versions': '/workflows/order-shipped?tab=versions',
    'workflow-new': '/workflows/new',
    'workflow-languages': '/workflows/parcel-at-door?tab=languages',
    layouts: '/layouts',
    layout: '/layouts/brand',
    'layout-settings': '/layouts/brand?tab=settings',
    'layout-languages': '/layouts/brand?tab=languages',
    languages: '/languages',
    mailbox: '/mailbox',
    inbox: '/inbox?subscriberId=user-1',
    'inbox-nobody': '/inbox',
    subscribers: '/subscribers',
    subscriber: '/subscribers/user-1',
    'subscriber-preferences': '/subscribers/user-1?tab=preferences',
    'subscriber-feed': '/subscribers/user-1?tab=feed',
    topics: '/topics',
    topic: '/topics/customers',
    integrations: '/integrations',
    integration: `/integrations/${gatewayId}`,
    'integration-new': '/integrations/new?providerId=sendgrid',
    'dead-letters': '/dead-letters',
    suppressions: '/suppressions',
    webhooks: '/webhooks',
    webhook: `/webhooks/${endpointId}`,
    'webhook-settings': `/webhooks/${endpointId}?tab=settings`,
    publish: '/publish',
    record: '/record',
    environments: '/environments',
    'api-keys': '/api-keys',
  })
})

const allLooks = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'light' },
] as const
// CI looks at both widths and both themes once; each look takes half a minute.
const looks = allLooks.slice(0, Number(process.env.BROWSER_LOOKS ?? allLooks.length))

describe('every page', () => {
  test.each(looks)('at $width px, $theme: drawn, not too wide, no serious finding of axe', async ({ width, theme }) => {
    const { page } = await world.visit({ ...viewOf(width), colorScheme: theme })
    const wrong: string[] = []
    for (const [name, path] of Object.entries(places).filter(([it]) => wanted?.includes(it) ?? true)) {
      await go(page, world.url + path)
      wrong.push(...(await look(page, `${name}-${width}-${theme}`)))
    }
    expect(wrong).toEqual([])
  })

  test.each(looks)('sign-in at $width px, $theme', async ({ width, theme }) => {
    const { page, allow } = await world.visit({ ...viewOf(width), colorScheme: theme, signedIn: false })
    allow(/status of 401 .*\/session/)
    await page.goto(world.url)
    expect(await look(page, `sign-in-${width}-${theme}`)).toEqual([])
  })
})

test('what is wrong would be found: a field without a name, a page that is too wide, a stray scrollbar', async () => {
  const { page, allow } = await world.visit({ ...viewOf(390), signedIn: false })
  allow(/status of 401 .*\/session/)
  await page.goto(world.url)
  await page.getByLabel('API key').evaluate((field) => {
    field.removeAttribute('id')
    field.removeAttribute('placeholder')
    field.style.minWidth = '600px'
    const strip = document.createElement('div')
    Object.assign(strip.style, { height: '33px', overflowX: 'auto' })
    const tab = document.createElement('p')
    Object.assign(tab.style, { height: '34px', margin: '0' })
    strip.append(tab)
    document.body.append(strip)
  })
  const found = await look(page, 'wrong')
  expect(found).toEqual(
    expect.arrayContaining(
      ['px too wide', 'critical label', 'a scrollbar for a pixel'].map((it) => expect.stringContaining(it)),
    ),
  )
})

const viewOf = (width: number) => ({ viewport: { width, height: width < 500 ? 844 : 900 } })

/** Waits until the page stands still, takes its picture, and tells what is wrong with it. */
async function look(page: Page, name: string): Promise<string[]> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
  // E-mails are posted into their frames.
  for (const frame of page.frames().slice(1)) await frame.waitForURL(/\/preview-frame$/)
  if (name !== 'wrong') await page.screenshot({ path: join(folder, `${name}.png`) })
  return faultsOf(page, name)
}
