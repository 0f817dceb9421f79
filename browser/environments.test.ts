import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, settled } from './faults.ts'
import { go } from './go.ts'
import { useWorld } from './world.ts'

/** A first start: Development and Production, one of them with what the other must never show. */
const world = useWorld()
const prod = (method: string, path: string, body?: unknown) => world.api(method, path, body, 'production')

const blocks = JSON.stringify({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hi' }] }],
})
const inBlocks = {
  name: 'Blocks',
  type: 'email',
  controlValues: { subject: 'Hello', editorType: 'block', body: blocks },
}
const mail = { name: 'Mail', type: 'email', controlValues: { subject: 'Hello', body: '<p>Hello {{ t.you }}</p>' } }
beforeAll(async () => {
  await world.api('POST', '/v2/topics', { key: 'made-in-dev', name: 'Only in Development' })
  await prod('POST', '/v2/topics', { key: 'lives-in-prod', name: 'Only in Production' })
  for (const api of [world.api, prod])
    await api('POST', '/v2/workflows', { workflowId: 'w', name: 'Greeting', steps: [mail, inBlocks] })
  await prod('POST', '/v2/layouts', { layoutId: 'brand', name: 'Brand' })
})

const at = (address: string) => world.url + address
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })

describe('one address for each environment', () => {
  test('two tabs in two environments see, hear and write only their own', async () => {
    const { context, page: first } = await world.visit()
    const second = await context.newPage()
    const wrong: string[] = []
    for (const [page, slug] of [
      [first, 'development'],
      [second, 'production'],
    ] as const) {
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        const named = request.headers()['tidings-environment'] ?? searchParams.get('environment')
        if (/^\/(v1|v2|session)(\/|$)/.test(pathname) && named !== slug)
          wrong.push(`${slug}: ${request.url()} ${named}`)
      })
      await page.goto(at(`/env/${slug}/topics`))
    }
    await row(first, /made-in-dev/).waitFor()
    await row(second, /lives-in-prod/).waitFor()
    // One after the other in each, so that a store they shared would have changed in between.
    for (const [page, key] of [
      [second, 'new-in-prod'],
      [first, 'new-in-dev'],
    ] as const) {
      await page.getByRole('button', { name: 'New topic' }).click()
      await page.getByRole('dialog').getByLabel('Key').fill(key)
      await page.keyboard.press('Enter')
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Activity' }).click()
      await heading(page, 'Activity')
    }
    const keysOf = async (reply: { data: { key: string }[] }) => reply.data.map(({ key }) => key).toSorted()
    expect(await keysOf(await world.api('GET', '/v2/topics'))).toEqual(['made-in-dev', 'new-in-dev'])
    expect(await keysOf(await prod('GET', '/v2/topics'))).toEqual(['lives-in-prod', 'new-in-prod'])

    await prod('POST', '/v1/events/trigger', { name: 'w', to: { subscriberId: 'ann' } })
    await row(second, /Greeting/).waitFor()
    await first.reload()
    await first.getByRole('link', { name: 'Explain an event' }).waitFor()
    expect(await row(first, /Greeting/).count()).toBe(0)
    expect(wrong).toEqual([])
  })

  test('switching by keys leads to the same list, and shows nothing of where one was; Back leads there again', async () => {
    const { page } = await world.visit()
    // Whatever is drawn, be it for one frame.
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      new MutationObserver(() => {
        if (document.body?.innerText.includes('made-in-dev')) seen.push(location.pathname)
      }).observe(document, { childList: true, subtree: true, characterData: true })
    })
    await page.goto(at('/env/development/topics'))
    await row(page, /made-in-dev/).waitFor()
    await page.keyboard.press('v')
    const field = page.getByRole('combobox', { name: 'Find an environment' })
    await field.press('ArrowDown')
    await page.getByRole('option', { name: /^Production prod/, selected: true }).waitFor()
    await field.press('Enter')
    await row(page, /lives-in-prod/).waitFor()
    expect(page.url()).toBe(at('/env/production/topics'))
    expect(await page.title()).toBe('Topics · Production · Tidings')
    expect(await page.evaluate('window.seen')).toEqual([])
    await page.goBack()
    await row(page, /made-in-dev/).waitFor()
    expect(await row(page, /lives-in-prod/).count()).toBe(0)

    // A single thing may not be there; and the palette knows the way, too.
    await page.goto(at('/env/development/topics/made-in-dev'))
    await heading(page, 'Only in Development')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('production')
    await page.keyboard.press('Enter')
    await heading(page, 'Overview')
    expect(page.url()).toBe(at('/env/production'))
  })

  test('what is not saved is asked about before it is left for another environment', async () => {
    const { page } = await world.visit()
    await page.goto(at('/env/development/workflows/w?tab=settings'))
    await page.getByRole('textbox', { name: /^Name/ }).fill('Another name')
    const leave = async (answer: string) => {
      await page.getByRole('button', { name: /^Environment Development/ }).click()
      await page.getByRole('option', { name: /^Production/ }).click()
      await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: answer }).click()
    }
    await leave('Cancel')
    expect(await page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('Another name')
    await leave('Leave')
    await heading(page, 'Overview')
  })

  test('a shared link survives signing in by key and by link, and an old address leads to the environment of the session', async () => {
    const byKey = await world.visit({ signedIn: false })
    byKey.allow(/status of 401 .*\/session/)
    const shared = at('/env/production/workflows?query=Gree&order=name')
    await byKey.page.goto(shared)
    await byKey.page.getByLabel('API key').fill(world.key)
    await byKey.page.keyboard.press('Enter')
    await row(byKey.page, /Greeting/).waitFor()
    expect(byKey.page.url()).toBe(shared)

    const byLink = await world.visit({ signedIn: false })
    await byLink.page.goto(world.link.replace('/#', '/env/production/topics#'))
    await row(byLink.page, /lives-in-prod/).waitFor()
    expect(byLink.page.url()).toBe(at('/env/production/topics'))

    await byLink.page.goto(at('/workflows/w?tab=settings'))
    await heading(byLink.page, 'Greeting')
    expect(byLink.page.url()).toBe(at('/env/development/workflows/w?tab=settings'))
    expect(await byLink.page.getByRole('link', { name: 'Workflows', exact: true }).first().getAttribute('href')).toBe(
      '/env/development/workflows',
    )
  })

  test('where there is none, or none that one reaches, it says so and offers those that there are', async () => {
    const { page, allow } = await world.visit({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
    allow(/status of 40[34]|There is no such environment|only opens|reach/)
    for (const slug of ['nowhere', encodeURIComponent('Łódź/?')]) {
      await page.goto(at(`/env/${slug}/topics`))
      await heading(page, 'There is no such environment')
    }
    expect(await faultsOf(page, 'no environment')).toEqual([])
    await page.getByRole('link', { name: /^Production/ }).click()
    await row(page, /Only in Production/).waitFor()

    const { key } = await prod('POST', '/v1/api-keys', { name: 'of Production alone' })
    const narrow = await world.visit({ signedIn: false })
    narrow.allow(/status of 40[13]|environment/)
    await narrow.page.goto(at('/env/development/workflows'))
    await narrow.page.getByLabel('API key').fill(key)
    await narrow.page.keyboard.press('Enter')
    await heading(narrow.page, 'This environment is out of reach')
    await narrow.page.getByRole('link', { name: /^Production/ }).click()
    await row(narrow.page, /Greeting/).waitFor()
    await narrow.page.getByRole('link', { name: 'Environments' }).click()
    await narrow.page.getByText('You see one environment because').waitFor()
    await narrow.page.getByRole('region', { name: 'Production' }).waitFor()
    expect(await narrow.page.getByRole('region', { name: 'Development' }).count()).toBe(0)
    expect(await narrow.page.getByRole('button', { name: 'New environment' }).count()).toBe(0)
    expect(await narrow.page.getByRole('switch', { name: 'Protected: Production' }).isDisabled()).toBe(true)
  })
})

describe('the page of environments', () => {
  test('makes, renames, deletes and restores one by keys alone; who is in it sees that', async () => {
    const { page, context, allow } = await world.visit()
    allow(/status of 4\d\d|There is no such environment/)
    await page.goto(at('/env/development'))
    await heading(page, 'Overview')
    await page.keyboard.press('g')
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    await page.keyboard.press('v')
    await heading(page, 'Environments')
    await page.getByRole('button', { name: 'New environment' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await page.keyboard.type('production')
    await page.keyboard.press('Enter')
    await dialog.getByText('has this name').waitFor()
    await dialog.getByLabel('Name').fill('Staging')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const staging = page.getByRole('region', { name: 'Staging' })
    await staging.getByText('/env/staging').waitFor()
    const [made] = (await world.api('GET', '/v1/environments')).filter(
      ({ slug }: { slug: string }) => slug === 'staging',
    )
    expect(made).toMatchObject({ color: '#7c3aed', protected: false })

    await staging.getByRole('button', { name: 'Edit Staging' }).press('Enter')
    await dialog.getByLabel('Name').fill('Abroad')
    await page.keyboard.press('Enter')
    const abroad = page.getByRole('region', { name: 'Abroad' })
    await abroad.getByText('/env/staging').waitFor()

    await world.api('POST', '/v2/topics', { key: 'there' }, 'staging')
    const inside = await context.newPage()
    await inside.goto(at('/env/staging/topics'))
    await row(inside, /there/).waitFor()
    await page.bringToFront()
    await abroad.getByRole('button', { name: 'Delete Abroad' }).press('Enter')
    await dialog.getByText('It holds one topic, and all messages and history of it.').waitFor()
    await page.keyboard.type('Staging')
    await page.keyboard.press('Enter')
    expect(await dialog.getByRole('button', { name: 'Delete environment' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type Abroad to confirm').fill('Abroad')
    await page.keyboard.press('Enter')
    const deleted = page.getByRole('list', { name: 'Deleted environments' })
    await deleted.getByText('gone for good after').waitFor()
    await inside.bringToFront()
    await heading(inside, 'Abroad was deleted')
    expect(await row(inside, /there/).count()).toBe(0)

    await page.bringToFront()
    await deleted.getByRole('button', { name: 'Restore Abroad' }).press('Enter')
    await abroad.waitFor()
    await inside.bringToFront()
    await expect
      .poll(async () => {
        await inside.reload()
        return row(inside, /there/)
          .waitFor({ timeout: 2_000 })
          .then(
            () => true,
            () => false,
          )
      })
      .toBe(true)
    await inside.getByRole('link', { name: 'Environments' }).click()
    await inside.getByRole('button', { name: 'Delete Abroad' }).click()
    await inside
      .getByRole('dialog', { name: 'You are in Abroad' })
      .getByRole('link', { name: 'Open Production' })
      .click()
    await expect.poll(() => inside.url()).toBe(at('/env/production/environments'))
  })

  // Last: Production stays protected.
  test('a protected environment is read and not changed; a workflow can be stopped', async () => {
    const { page, context } = await world.visit()
    const writes: string[] = []
    await page.goto(at('/env/production/workflows/w?step=blocks'))
    await page.locator('[contenteditable=true]').waitFor()
    const other = await context.newPage()
    await other.goto(at('/env/development/environments'))
    await other.getByRole('switch', { name: 'Protected: Production' }).click()
    await other.getByRole('button', { name: 'Protect it' }).click()
    await other.getByText('Production is protected').waitFor()
    // Whoever has it open sees it within seconds, without loading it anew.
    await page.bringToFront()
    const notice = page.getByRole('region', { name: 'Protected environment' })
    await notice.getByText('Production is protected.').waitFor()
    page.on('request', (request) => request.method() !== 'GET' && writes.push(new URL(request.url()).pathname))
    const wrong: string[] = []
    const look = async (name: string) => {
      await settled(page)
      const open = await page
        .getByRole('main')
        .locator('input:not([readonly], [type=search], [hidden]), textarea:not([readonly]), [contenteditable=true]')
        .count()
      const buttons = await page
        .getByRole('main')
        .getByRole('button', { name: /^(Add|New|Delete|Remove|Duplicate|Move|Put it back|Upload|Variant|Save)/ })
        .count()
      wrong.push(...(await faultsOf(page, name)))
      return { open, buttons }
    }
    // In the preview one chooses for whom it is.
    expect(await look('blocks')).toEqual({ open: 1, buttons: 0 })
    for (const [path, open] of [
      ['/workflows/w?step=mail', 1],
      ['/workflows/w?tab=languages', 0],
      ['/workflows/w?tab=settings', 0],
      ['/workflows/w?tab=versions', 0],
      ['/workflows/new', 0],
      ['/workflows', 0],
      ['/layouts', 0],
      ['/layouts/brand?tab=settings', 0],
      ['/languages', 1],
    ] as const) {
      await go(page, at(path))
      await notice.waitFor()
      expect(await look(path), path).toEqual({ open, buttons: 0 })
    }
    expect(wrong).toEqual([])
    await go(page, at('/workflows/w?tab=settings'))
    await page.getByRole('switch', { name: 'Active' }).click()
    await page.getByText('Greeting is off').waitFor()
    expect(writes.filter((path) => !/preview/.test(path))).toEqual([expect.stringMatching(/^\/v2\/workflows\//)])
    await notice.getByRole('link', { name: 'Open in Development' }).click()
    await page.getByRole('textbox', { name: /^Name/, disabled: false }).fill('Mended')
    expect(page.url()).toBe(at('/env/development/workflows/w?tab=settings'))
  })
})
