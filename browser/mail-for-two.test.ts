import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SmtpReceiver, startSmtpReceiver } from '../test/peers/smtp-receiver.ts'
import { panel, put, toolbar, typeRaw } from './block-keys.ts'
import { faultsOf, settled } from './faults.ts'
import { type MailParts, readMail } from './read-mail.ts'
import { useWorld, type Visit } from './world.ts'

/**
 * The whole way: a layout, an e-mail of every block and two languages are written with keys and mouse, two people of
 * different languages and zones are notified, and what a mail server got is read and drawn.
 */
let sink: SmtpReceiver
const world = useWorld(async () => {
  sink = await startSmtpReceiver()
  return { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(sink.port) }
})
afterAll(() => sink?.close())
const folder = join(import.meta.dirname, '..', process.env.SCREENSHOTS ?? '.data/screenshots')

const people = [
  { subscriberId: 'vroni', firstName: 'Vroni', locale: 'de-AT', timezone: 'Europe/Vienna' },
  { subscriberId: 'nelly', firstName: 'Nelly', locale: 'en-US', timezone: 'America/New_York' },
]

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  for (const person of people) {
    await world.api('POST', '/v2/subscribers', { ...person, email: `${person.subscriberId}@example.com` })
  }
  await world.api('POST', '/v1/integrations', {
    providerId: 'nodemailer',
    channel: 'email',
    active: true,
    credentials: { host: sink.host, port: String(sink.port), from: 'shop@example.com', senderName: 'Corner Shop' },
  })
})

async function makeWorkflow({ page }: Visit, name: string, starter: RegExp): Promise<void> {
  await page.goto(`${world.url}/workflows/new`)
  await page.getByText(starter).first().click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

/** The e-mail step, empty and written with blocks. */
async function beginBlocks(page: Page, subject: string): Promise<Locator> {
  await page.getByRole('textbox', { name: /^Subject/ }).fill(subject)
  await page.getByRole('textbox', { name: /^Body/ }).fill('')
  await page.getByLabel('Written with').selectOption('Blocks')
  const body = page.getByRole('textbox', { name: 'Body', exact: true })
  await body.waitFor()
  await body.click()
  return body
}

async function after(page: Page, body: Locator): Promise<void> {
  await body.focus()
  await page.keyboard.press('Enter')
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
  await page
    .getByText(/^Saved as version \d+$/)
    .first()
    .waitFor()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
}

async function writeWords(page: Page, locale: string, words: Record<string, string>): Promise<void> {
  for (const [key, text] of Object.entries(words)) {
    await page.getByRole('button', { name: `${key} in ${locale}:` }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: `${key} in ${locale}` }).waitFor()
    await page.keyboard.insertText(text)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: `${key} in ${locale}` }).waitFor({ state: 'detached' })
  }
}

async function addLanguage(page: Page, locale: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a language' }).click()
  await page.getByRole('dialog', { name: 'Add a language' }).waitFor()
  await page.keyboard.type(locale)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Add a language' }).waitFor({ state: 'detached' })
}

/** What each of the two got, by their ids. */
async function received(count: number): Promise<Record<string, MailParts>> {
  await expect.poll(() => sink.mails.length, { timeout: 90_000 }).toBe(count)
  const mails = sink.mails.splice(0).map((mail) => [mail.to[0]?.split('@')[0] ?? '', readMail(mail)] as const)
  return Object.fromEntries(mails)
}

/** As a mail program shows it: both parts, on a telephone and on a desk, by day and by night. */
async function draw(name: string, { html, text }: MailParts): Promise<void> {
  for (const width of [390, 700]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await world.visit({ signedIn: false, viewport: { width, height: 900 }, colorScheme })
      // The pictures of the mail are nowhere.
      await page.setContent(html.replaceAll('src="https://img.example', 'src="data:,'))
      const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
      expect(wide, `${name} at ${width}`).toBeLessThanOrEqual(shown ?? 0)
      await page.screenshot({ path: join(folder, `mail-${name}-${width}-${colorScheme}.png`), fullPage: true })
      if (colorScheme === 'light') {
        await page.setContent('<pre style="white-space:pre-wrap;font:14px/20px monospace;padding:16px"></pre>')
        await page.locator('pre').evaluate((place, said) => {
          place.textContent = said
        }, text)
        await page.screenshot({ path: join(folder, `mail-${name}-${width}-text.png`), fullPage: true })
      }
    }
  }
}

test('a layout is written, and its words in two languages', async () => {
  const { page } = await world.visit()
  await page.goto(`${world.url}/layouts`)
  await page.getByRole('button', { name: 'New layout' }).first().click()
  await page.keyboard.type('Corner Shop')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Corner Shop', level: 1 }).waitFor()
  const text = page.getByRole('textbox', { name: 'Layout', exact: true })
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await put(page, 'Heading 2')
  await page.keyboard.type('Corner Shop')
  // Above the place of the mail.
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await put(page, 'Divider')
  await after(page, text)
  await put(page, 'Footer')
  await typeRaw(page, '{{t.why}}')
  await page.keyboard.press('Control+s')
  await page.getByText('Corner Shop is saved').waitFor()
  await page.getByRole('tab', { name: /^Languages/ }).click()
  await writeWords(page, 'en_US', { why: 'You get this because you ordered, {{subscriber.firstName}}.' })
  await addLanguage(page, 'de')
  await writeWords(page, 'de', { why: 'Das bekommst du, weil du bestellt hast, {{subscriber.firstName}}.' })
  await page.getByRole('tab', { name: 'Languages', exact: true }).waitFor()
})

test('a mail of every block, in its layout, reaches two people in their own language and zone', async () => {
  const visit = await world.visit()
  const { page, allow } = visit
  allow(/Loading the image .*preview-frame|request failed: .* csp$/)
  await makeWorkflow(visit, 'Order paid', /^An e-mail$/)
  const body = await beginBlocks(page, '{{t.subject}}')
  await put(page, 'Heading 1')
  await typeRaw(page, '{{t.hello}}')
  await page.keyboard.press('Enter')
  await typeRaw(page, '{{t.count}} {{payload.total | currency: "EUR"}}, {{payload.at | date: "long time"}}')
  await page.keyboard.press('Enter')
  for (const level of [2, 3]) {
    await put(page, `Heading ${level}`)
    await typeRaw(page, `{{t.part${level}}}`)
    await page.keyboard.press('Enter')
  }
  await put(page, 'Button')
  await panel(page).getByLabel('Text', { exact: true }).fill('{{t.open}}')
  await panel(page).getByLabel('Leads to', { exact: true }).fill('https://shop.example/{{payload.orderId}}')
  await after(page, body)
  await put(page, 'Image')
  await panel(page).getByLabel('Address of the image', { exact: true }).fill('https://img.example/a.png')
  await panel(page).getByLabel('What it shows', { exact: true }).fill('A box')
  await after(page, body)
  await put(page, 'Logo')
  await panel(page).getByLabel('Address of the image', { exact: true }).fill('https://img.example/logo.png')
  await after(page, body)
  await put(page, 'Spacer')
  await after(page, body)
  await put(page, 'Link card')
  await panel(page).getByLabel('Title', { exact: true }).fill('{{t.card}}')
  await after(page, body)
  await put(page, 'Divider')
  await after(page, body)
  await toolbar(page).getByRole('button', { name: 'Add a block' }).click()
  await page.getByRole('option', { name: /Columns/ }).click()
  await typeRaw(page, '{{t.left}}')
  await page.keyboard.press('ArrowDown')
  await typeRaw(page, '{{t.right}}')
  await panel(page).getByRole('button', { name: 'Columns' }).click()
  for (const [name, text] of [
    ['Section', '{{t.box}}'],
    ['Quote', '{{t.quote}}'],
    ['Bullet list', '{{t.item}}'],
    ['Ordered list', '{{t.item}}'],
    ['Code', 'npm start'],
    ['HTML', '<b>{{t.raw}}</b>'],
    ['Footer', '{{t.foot}}'],
  ] as const) {
    await after(page, body)
    await put(page, name)
    await typeRaw(page, text)
    await panel(page).getByRole('button', { name, exact: true }).click()
  }
  await after(page, body)
  await put(page, 'Repeat')
  await panel(page).getByRole('button', { name: 'Repeat', exact: true }).click()
  await panel(page).getByLabel('For each of').fill('payload.items')
  await body.locator('[data-block="repeat"] p').click()
  await typeRaw(page, '{{current.name}}: {{current.price | currency: "EUR"}}')
  await panel(page).getByRole('button', { name: 'Repeat', exact: true }).click()
  await after(page, body)
  await put(page, 'Show if')
  await typeRaw(page, '{{t.gift}}')
  await panel(page).getByRole('button', { name: 'Show if', exact: true }).click()
  await panel(page).getByLabel('Show if').fill('payload.isGift')
  await page.getByLabel('Layout', { exact: true }).selectOption('Corner Shop')
  await save(page)
  expect((await world.api('GET', '/v2/workflows/order-paid')).steps[0].controlValues.layoutId).toBe('corner-shop')

  await page.getByRole('tab', { name: /^Languages/ }).click()
  await writeWords(page, 'en_US', english)
  await addLanguage(page, 'de')
  await writeWords(page, 'de', german)
  await page.getByRole('tab', { name: 'Languages', exact: true }).waitFor()
  await settled(page)
  await page.screenshot({ path: join(folder, 'two-languages.png') })
  expect(await faultsOf(page, 'languages')).toEqual([])

  await world.api('POST', '/v1/events/trigger', {
    name: 'order-paid',
    to: people.map(({ subscriberId }) => subscriberId),
    payload: {
      orderId: 'A-7',
      count: 1200,
      total: 1999.5,
      at: '2026-03-14T23:30:00Z',
      isGift: true,
      items: [
        { name: 'Tea', price: 4 },
        { name: 'Cups', price: 1995.5 },
      ],
    },
  })
  const { vroni, nelly } = await received(2)
  expect(vroni?.subject).toBe('Danke, Vroni')
  expect(nelly?.subject).toBe('Thank you, Nelly')
  const plain = (mail?: MailParts) => (mail?.text ?? '').replace(/[\u00a0\u202f]/g, ' ')
  // The layout's heading is above the mail, its footer below it.
  expect(plain(vroni)).toMatch(/^Corner Shop\s+Servus Vroni/i)
  for (const said of [
    'Servus Vroni',
    '1.200 Stücke|1 200 Stücke',
    '15. März 2026 um 00:30',
    'Zur Bestellung: https://shop.example/A-7',
    'Links',
    'Rechts',
    'In der Kiste',
    'Ein Apfel am Tag',
    'npm start',
    'roh',
    'Tea: € 4,00',
    'Cups: € 1.995,50|Cups: € 1 995,50',
    'Als Geschenk',
    'Das bekommst du, weil du bestellt hast, Vroni.',
  ]) {
    expect(plain(vroni), said).toMatch(new RegExp(said.replace(/[.()]/g, '\\$&')))
  }
  for (const said of [
    'Hello Nelly',
    '1,200 pieces €1,999.50, March 14, 2026 at 7:30 PM',
    'See the order: https://shop.example/A-7',
    'Left',
    'Right',
    'Tea: €4.00',
    'As a gift',
    'You get this because you ordered, Nelly.',
  ]) {
    expect(plain(nelly)).toContain(said)
  }
  for (const mail of [vroni, nelly]) expect(mail?.html).not.toMatch(/\{\{|\bt\.[a-z]/)
  if (vroni) await draw('order-de', vroni)
  if (nelly) await draw('order-en', nelly)
})

const english = {
  subject: 'Thank you, {{subscriber.firstName}}',
  hello: 'Hello {{subscriber.firstName}}',
  count: '{count, plural, one {# piece} other {# pieces}}',
  part2: 'What comes',
  part3: 'And when',
  open: 'See the order',
  card: 'How we pack',
  left: 'Left',
  right: 'Right',
  box: 'In the box',
  quote: 'An apple a day',
  item: 'Thing',
  raw: 'raw',
  foot: 'Main Street 1',
  gift: 'As a gift',
}
const german: typeof english = {
  subject: 'Danke, {{subscriber.firstName}}',
  hello: 'Servus {{subscriber.firstName}}',
  count: '{count, plural, one {# Stück} other {# Stücke}}',
  part2: 'Was kommt',
  part3: 'Und wann',
  open: 'Zur Bestellung',
  card: 'Wie wir packen',
  left: 'Links',
  right: 'Rechts',
  box: 'In der Kiste',
  quote: 'Ein Apfel am Tag',
  item: 'Ding',
  raw: 'roh',
  foot: 'Hauptstraße 1',
  gift: 'Als Geschenk',
}

test('a digest tells each reader in their language how many there were', async () => {
  const visit = await world.visit()
  const { page } = visit
  await makeWorkflow(visit, 'News', /^Digest by e-mail$/)
  await page.getByLabel('Gathers for').fill('2')
  await page.getByLabel('Unit').selectOption('seconds')
  await page
    .getByRole('button', { name: /^E-mail/ })
    .first()
    .click()
  const body = await beginBlocks(page, '{{t.subject}}')
  await put(page, 'Heading 2')
  await typeRaw(page, '{{t.subject}}')
  await page.keyboard.press('Enter')
  await put(page, 'Repeat')
  await panel(page).getByRole('button', { name: 'Repeat', exact: true }).click()
  await panel(page).getByLabel('For each of').fill('step.events')
  await body.locator('[data-block="repeat"] p').click()
  await typeRaw(page, '{{current.title}}, {{current.at | date: "short time"}}')
  await page.getByLabel('Layout', { exact: true }).selectOption('Corner Shop')
  await save(page)
  await page.getByRole('tab', { name: /^Languages/ }).click()
  const news = (one: string, other: string) => `{eventCount, plural, one {${one}} other {# ${other}}}`
  await writeWords(page, 'en_US', { subject: news('One thing happened', 'things happened') })
  await addLanguage(page, 'de-AT')
  await writeWords(page, 'de_AT', { subject: news('Etwas ist passiert', 'Dinge sind passiert') })

  const tell = (subscriberId: string, title: string) =>
    world.api('POST', '/v1/events/trigger', {
      name: 'news',
      to: subscriberId,
      payload: { title, at: '2026-03-14T23:30:00Z' },
    })
  const { transactionId } = await tell('vroni', 'Tee')
  // A digest lists the event that opened it first, and two workers may open it with another one.
  const isOpen = async () => {
    const { data } = await world.api('GET', `/v1/notifications?transactionId=${transactionId}`)
    return data[0]?.jobs.some((job: { status: string }) => job.status === 'delayed') ?? false
  }
  await expect.poll(isOpen, { interval: 50 }).toBe(true)
  for (const title of ['Tassen', 'Kannen']) await tell('vroni', title)
  await tell('nelly', 'Tea')
  const { vroni, nelly } = await received(2)
  expect(vroni?.subject).toBe('3 Dinge sind passiert')
  expect(nelly?.subject).toBe('One thing happened')
  expect(vroni?.text).toMatch(/Tee, 15\.03\.26, 00:30\s+Tassen, 15\.03\.26, 00:30\s+Kannen/)
  expect(nelly?.text).toMatch(/Tea, 3\/14\/26, 7:30\sPM/)
  if (vroni) await draw('digest-de', vroni)
  if (nelly) await draw('digest-en', nelly)
})
