import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { faultsOf, settled } from './faults.ts'
import { useWorld } from './world.ts'

/** One look for all e-mails, and each reader's own language: made, mended and looked at on the pages alone. */
const world = useWorld()
const folder = join(import.meta.dirname, '..', process.env.SCREENSHOTS ?? '.data/screenshots')

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  await world.api('POST', '/v2/subscribers', {
    subscriberId: 'ada',
    firstName: 'Ada',
    email: 'a@example.com',
    locale: 'de',
  })
  await world.api('POST', '/v2/workflows', {
    workflowId: 'welcome',
    name: 'Welcome',
    steps: [
      {
        stepId: 'mail',
        name: 'Mail',
        type: 'email',
        controlValues: {
          subject: '{{t.title}}',
          body: '<p>{{t.hello}}</p><p>{{t.tries | with: count: payload.count}}</p>',
        },
      },
    ],
  })
  await world.api('POST', '/v2/workflows', {
    workflowId: 'plain',
    name: 'Plain mail',
    steps: [{ stepId: 'mail', name: 'Mail', type: 'email', controlValues: { subject: 'Plain', body: '<p>Plain</p>' } }],
  })
})

/** Takes a picture of the page as it stands, and finds nothing wrong with it. */
async function look(page: Page, name: string): Promise<void> {
  await settled(page)
  await page.screenshot({ path: join(folder, `wording-${name}.png`) })
  expect(await faultsOf(page, name)).toEqual([])
}

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const shown = (page: Page): Locator => page.frameLocator('iframe[title="E-mail preview"]').locator('body')

/** Into a cell, by keys alone. */
async function write(page: Page, key: string, locale: string, text: string): Promise<void> {
  const cell = page.getByRole('button', { name: `${key} in ${locale}:` })
  const field = page.getByRole('textbox', { name: `${key} in ${locale}` })
  // A dialog that closes takes the focus back to where it was opened, and the key with it.
  const open = async () => {
    await cell.press('Enter', { timeout: 2_000 }).catch(() => {})
    return field.isVisible()
  }
  await expect.poll(open).toBe(true)
  await page.keyboard.insertText(text)
  await page.keyboard.press('Enter')
}

test('a layout is made by keys, written in blocks, and becomes the default after a warning', async () => {
  const { page } = await world.visit()
  await page.goto(`${world.url}/layouts`)
  await page.getByText('No layouts yet').waitFor()
  await look(page, 'no-layouts')
  await page.getByRole('button', { name: 'New layout' }).first().focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('House style')
  await expect.poll(() => page.getByLabel('Layout id').inputValue()).toBe('house-style')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'House style', level: 1 }).waitFor()

  const text = page.getByRole('textbox', { name: 'Layout', exact: true })
  await text.waitFor()
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Corner Shop, {{t.city')
  await page.keyboard.press('Escape')
  await page.keyboard.type('}}')
  await shown(page).getByText('Here stands the body of each e-mail.').waitFor()
  await shown(page).getByText('Corner Shop, city').waitFor()
  await look(page, 'layout-blocks')

  // What is not saved is not lost by a wrong click.
  await page.getByRole('link', { name: 'Workflows' }).first().click()
  await dialogOf(page, 'Leave without saving?').getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('House style is saved').waitFor()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Languages 1 missing' }).waitFor()

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByText('No workflow. Choose it in an e-mail step').waitFor()
  await page.getByRole('switch', { name: 'Use it for all e-mails that name no layout' }).click()
  const warning = dialogOf(page, 'Make House style the default?')
  await warning.getByText('Notifications under way keep what they began with.').waitFor()
  await look(page, 'layout-default')
  await warning.getByRole('button', { name: 'Make it the default' }).click()
  await page.getByRole('link', { name: 'Plain mail' }).waitFor()
  expect(await world.api('GET', '/v2/layouts/house-style')).toMatchObject({ isDefault: true })

  await page.getByRole('button', { name: 'Delete layout' }).click()
  await dialogOf(page, 'House style cannot be deleted yet').getByText('It is the default').waitFor()
  await page.keyboard.press('Escape')
})

test('a layout becomes HTML with its place for the mail, and back', async () => {
  const { page, allow } = await world.visit()
  // A layout that is refused on purpose.
  allow(/status of 422/)
  await page.goto(`${world.url}/layouts/house-style`)
  const kind = page.getByLabel('Written with')
  await kind.selectOption('HTML')
  await dialogOf(page, 'Turn the blocks into HTML?').getByRole('button', { name: 'Turn into HTML' }).click()
  const html = page.getByRole('textbox', { name: /^Layout/ })
  await expect.poll(() => html.inputValue().catch(() => '')).toContain('{{content}}')
  await expect.poll(() => html.inputValue()).toContain('Corner Shop, ')
  await shown(page).getByText('Here stands the body of each e-mail.').waitFor()
  expect(await page.getByRole('list', { name: 'Faults' }).count()).toBe(0)
  await html.fill('<p>Nothing</p>')
  await page.getByText('has no place for the body').first().waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => kind.inputValue()).toBe('block')
})

test('two languages: what is missing is seen, mended, and shown to readers of each', async () => {
  const { page, allow } = await world.visit()
  // A text that is refused on purpose.
  allow(/status of 422/)
  await page.goto(`${world.url}/workflows/welcome?tab=languages`)
  await page.getByRole('tab', { name: 'Languages 3 missing' }).waitFor()
  await write(page, 'title', 'en_US', 'Welcome')
  await page.getByRole('tab', { name: 'Languages 2 missing' }).waitFor()
  await write(page, 'hello', 'en_US', 'Hello {{subscriber.firstName}}')
  await write(page, 'tries', 'en_US', '{count, plural, one {# try} other {# tries}')
  const alert = page.getByRole('alert')
  await alert.waitFor()
  // The one before it was being saved meanwhile, and does not take the focus back.
  const open = page.getByRole('textbox', { name: 'tries in en_US' })
  expect(await open.evaluate((field) => field === document.activeElement)).toBe(true)
  await look(page, 'cell-fault')
  await open.fill('{count, plural, one {# try} other {# tries}}')
  await page.keyboard.press('Enter')
  await alert.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Languages', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Add a language' }).click()
  const adding = dialogOf(page, 'Add a language')
  await page.keyboard.type('DE')
  await adding.getByText('German', { exact: true }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Languages 3 missing' }).waitFor()
  await write(page, 'title', 'de', 'Willkommen')
  await write(page, 'tries', 'de', '{count, plural, one {# Versuch} other {# Versuche}}')
  await page.getByRole('tab', { name: 'Languages 1 missing' }).waitFor()
  await page.getByRole('button', { name: 'hello in de: missing as in en_US' }).waitFor()
  await look(page, 'missing')

  // Ada reads German: what is missing she gets in English.
  await page.getByRole('tab', { name: 'Steps' }).click()
  const person = page.getByRole('combobox', { name: 'For' })
  await person.click()
  await page.getByRole('option', { name: /Ada/ }).click()
  await page.getByText('Willkommen', { exact: true }).waitFor()
  await shown(page).getByText('Hello Ada').waitFor()
  await page.getByRole('tab', { name: /^Languages/ }).click()
  await write(page, 'hello', 'de', 'Hallo {{subscriber.firstName}}')
  await page.getByRole('tab', { name: 'Languages', exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Steps' }).click()
  await shown(page).getByText('Hallo Ada').waitFor()
  // The default layout stands around it.
  await shown(page).getByText('Corner Shop, city').waitFor()
  await page.getByLabel('In', { exact: true }).selectOption('en_US')
  await shown(page).getByText('Hello Ada').waitFor()
  await page.getByText('Welcome', { exact: true }).first().waitFor()
  await look(page, 'preview')

  await page.getByLabel('Layout', { exact: true }).selectOption('No layout')
  await shown(page).getByText('Corner Shop').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved as version 2').waitFor()
  const { steps } = await world.api('GET', '/v2/workflows/welcome')
  expect(steps[0].controlValues.layoutId).toBeNull()
})

test('a file of a language goes out and comes back; the master file too', async () => {
  const { page } = await world.visit({ acceptDownloads: true })
  await page.goto(`${world.url}/workflows/welcome?tab=languages`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download de.json' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('de.json')
  const upload = (name: string, content: object | string) =>
    page.getByLabel('Files of languages').setInputFiles({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    })
  await upload('fr (1).json', { title: 'Bienvenue' })
  await page.getByText('One language is saved').waitFor()
  await page.getByRole('button', { name: 'title in fr: Bienvenue' }).waitFor()
  await upload('fr.json', { title: 'Salut' })
  await dialogOf(page, 'Replace fr?').getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('button', { name: 'title in fr: Salut' }).waitFor()
  await upload('it.json', 'no JSON')
  await dialogOf(page, 'These files were refused')
    .getByText(/^it\.json/)
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove French' }).click()
  await dialogOf(page, 'Remove French?').getByRole('button', { name: 'Remove language' }).click()
  await page.getByText('French is removed').waitFor()

  await page.goto(`${world.url}/languages`)
  await page.getByRole('row', { name: /^Welcome welcome de en_US/ }).waitFor()
  await page.getByLabel('Language of the file').fill('de')
  const [master] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(master.suggestedFilename()).toBe('de.json')
  await page.getByLabel('Master file').setInputFiles({
    name: 'de.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ workflows: { welcome: { title: 'Servus' }, nobody: { a: 'b' } } })),
  })
  await dialogOf(page, 'Replace words in German?').getByRole('button', { name: 'Replace' }).click()
  await dialogOf(page, 'These parts were refused')
    .getByText(/^nobody/)
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /^Welcome welcome .*2 missing/ }).waitFor()
  await page.getByLabel('Language', { exact: true }).fill('de')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('German is the default').waitFor()
  expect((await world.api('GET', '/v1/environment')).data.defaultLocale).toBe('de')
})

test('the words of many languages on a telephone', async () => {
  for (const locale of ['fr', 'it', 'es', 'pt_BR', 'ja']) {
    await world.api('POST', '/v2/translations', {
      resourceType: 'workflow',
      resourceId: 'welcome',
      locale,
      content: { title: locale },
    })
  }
  const { page } = await world.visit({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await page.goto(`${world.url}/workflows/welcome?tab=languages`)
  await page.getByRole('button', { name: 'title in pt_BR: pt_BR' }).click()
  await look(page, 'phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('columnheader', { name: /^Japanese/ }).waitFor()
  await look(page, 'many-languages')
})
