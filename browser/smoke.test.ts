import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { go } from './go.ts'
import { useSeededWorld } from './seeded-world.ts'
import type { Visit } from './smoke/visit.ts'
import { visitsOf } from './smoke/visits.ts'
import { archiveInFeed, changeProfile, importPeople, keepSuppression, keepTopic, redriveChosen } from './smoke-forms.ts'
import { completeTemplateByKeys, moveByKeys, pickPersonByKeys, searchByKeys } from './smoke-keyboard.ts'
import { type Overlay, overlaysOf } from './smoke-overlays.ts'

/** The quick part of the browser tests: every page once, what opens over it, and forms. `npm run check` runs it. */
const { world, seeded } = useSeededWorld({ isShort: true })
/** Two windows for the whole file, signed in once: much of the time is waiting, and loading anew is most of the work. */
const windows: Page[] = []
beforeAll(async () => {
  for (const _ of ['first', 'second']) windows.push((await world.visit({ kept: true })).page)
})

async function see(...wanted: Locator[]): Promise<void> {
  for (const one of wanted) await one.first().waitFor({ timeout: 8_000 })
}

/** Looks at all of them. Goes on after a failure, so that one run tells of everything that is missing. */
async function tryAll<One>(all: readonly One[], nameOf: (one: One) => string, look: Look<One>): Promise<void> {
  const wrong: string[] = []
  const left = [...all]
  const lookOn = async (page: Page) => {
    for (let one = left.shift(); one; one = left.shift()) {
      const name = nameOf(one)
      await look(one, page).catch(async (error: Error) => {
        wrong.push(`${name}: ${error.message.split('\n\n')[0]}`)
        // Whatever lies open now: the next one loads the page anew.
        await page.goto('about:blank')
      })
    }
  }
  await Promise.all(windows.map(lookOn))
  expect(wrong).toEqual([])
}
type Look<One> = (one: One, page: Page) => Promise<void>

function firstWindow(): Page {
  const [page] = windows
  if (!page) throw new Error('no window')
  return page
}

test('every route of the router is visited', () => {
  const router = readFileSync(join(import.meta.dirname, '../dashboard/src/router.tsx'), 'utf8')
  const routes = [...router.matchAll(/\b(?:page\(|path: )'([^']+)'/g)].map(([, path]) => path)
  expect(routes).toContain('/sign-in')
  expect(new Set(['/sign-in', ...visitsOf(seeded).map(({ route }) => route)])).toEqual(new Set(routes))
})

test('every page shows its own part of what is there', async () => {
  const look: Look<Visit> = async ({ path, heading, sees }, page) => {
    await go(page, world.url + path)
    await see(page.getByRole('heading', { name: heading, level: 1, exact: true }), ...sees(page))
  }
  await tryAll(visitsOf(seeded), ({ path }) => path, look)
})

test('signing in by key leads to the page that was asked for', async () => {
  const { page, allow } = await world.visit({ signedIn: false })
  allow(/status of 401 .*\/session/)
  await page.goto(`${world.url}/topics/staff`)
  await page.getByLabel('API key').fill('td_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await see(page.getByRole('alert'))
  await page.getByLabel('API key').fill(world.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await see(page.getByRole('heading', { name: 'Staff', level: 1 }), page.getByText('7 members'))
})

test('what opens over a page opens, has its content, and goes with Escape', async () => {
  const look: Look<Overlay> = async ({ on, heading, open, title, sees }, page) => {
    await go(page, world.url + on)
    await see(page.getByRole('heading', { name: heading, level: 1, exact: true }))
    await open(page)
    const dialog = page.getByRole('dialog', { name: title, exact: true })
    await see(dialog, ...sees(dialog))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  await tryAll(overlaysOf(seeded), ({ on, title }) => `${on} ${title}`, look)
})

test('every tab of a person, a workflow, a step and an event has its panel', async () => {
  const page = firstWindow()
  const tab = (name: string | RegExp, within: Page | Locator = page) => within.getByRole('tab', { name }).click()
  await go(page, `${world.url}/subscribers/user-2`)
  await tab('Channels')
  await see(page.getByText('grace.hopper@example.com'), page.getByText('Push goes to every device'))
  await tab('Preferences')
  await see(
    page.getByRole('switch', { name: 'Wants notifications' }),
    page.getByRole('link', { name: 'Weekly digest' }),
  )
  await tab('Schedule')
  await expect.poll(() => page.getByLabel('Friday until').inputValue()).toBe('18:00')
  await tab('Topics')
  await see(page.getByRole('row', { name: /^Beta testers/ }))
  await tab('Feed')
  await see(page.getByRole('row', { name: /Order B-2001 shipped/ }))

  await go(page, `${world.url}/workflows/weekly-digest`)
  await see(page.getByRole('combobox', { name: 'Kind' }), page.getByText('A window opened now would close'))
  await tab('Conditions')
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await see(page.getByRole('combobox', { name: 'Comparison' }))
  await tab('Options')
  await see(page.getByLabel('Step id'))
  await page.getByRole('button', { name: 'Discard' }).click()
  await tab('Settings')
  await see(page.getByRole('combobox', { name: 'Who decides' }))
  await tab('Payload')
  await see(page.getByLabel('JSON Schema'))
  await tab('Versions')
  await see(page.getByText('The first version.'))

  await go(page, `${world.url}/activity/${seeded.eventId}`)
  const email = page.getByRole('region', { name: 'E-mail' })
  await tab(/^Tries/, email)
  await see(email.getByText('Try 1'))
  await tab(/^History/, email)
  await see(email.getByText('success'))
})

test('on a narrow window the menu folds away and leads on', async () => {
  const page = firstWindow()
  const wide = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Suppressions' }).click()
  await see(page.getByRole('heading', { name: 'Suppressions', level: 1 }))
  await page.getByRole('dialog', { name: 'Menu' }).waitFor({ state: 'detached' })
  if (wide) await page.setViewportSize(wide)
})

test('suggestions and pages are walked by keys alone', async () => {
  const walks = [pickPersonByKeys, completeTemplateByKeys, searchByKeys, moveByKeys]
  await tryAll(
    walks,
    ({ name }) => name,
    (walk, page) => walk(page, world),
  )
})

// Last: they change what the others look at.
test('forms write what was filled in', async () => {
  const forms = [keepTopic, importPeople, keepSuppression, changeProfile, archiveInFeed, redriveChosen]
  await tryAll(
    forms,
    ({ name }) => name,
    (fill, page) => fill(page, world),
  )
})
