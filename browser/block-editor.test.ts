import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { blockDocuments } from '../test/samples/block-documents.ts'
import { panel, put, toolbar } from './block-keys.ts'
import { faultsOf, settled } from './faults.ts'
import type { Json } from './server.ts'
import { useWorld } from './world.ts'

/** E-mails are written in blocks: by keys, by the mouse, and so that nothing of a stored document is lost. */
const world = useWorld()
const folder = join(import.meta.dirname, '..', process.env.SCREENSHOTS ?? '.data/screenshots')
const payloadSchema = {
  type: 'object',
  properties: {
    orderId: { type: 'string' },
    total: { type: 'number' },
    items: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } },
    },
  },
}
const digest = { stepId: 'gather', name: 'Gather', type: 'digest', controlValues: { amount: 1, unit: 'minutes' } }

beforeAll(() => void mkdirSync(folder, { recursive: true }))

async function makeMail(workflowId: string, body: unknown, before: object[] = []): Promise<void> {
  const mail = {
    stepId: 'mail',
    name: 'Mail',
    type: 'email',
    controlValues: { subject: 'Order {{payload.orderId}}', editorType: 'block', body },
  }
  await world.api('POST', '/v2/workflows', { workflowId, name: workflowId, payloadSchema, steps: [...before, mail] })
}

async function stored(workflowId: string): Promise<Json> {
  const { steps } = await world.api('GET', `/v2/workflows/${workflowId}`)
  const { controlValues } = steps.at(-1)
  return controlValues.editorType === 'block' ? JSON.parse(controlValues.body) : controlValues
}

const line = (...content: object[]) => ({ type: 'paragraph', ...(content.length > 0 && { content }) })
const words = (text: string) => ({ type: 'text', text })
const doc = (...content: object[]) => ({ type: 'doc', content })
const typesOf = ({ content }: Json): string[] => content.map(({ type }: Json) => type)

/** Signed in. Pictures of mails are not fetched, and the browser notes each. */
async function visit(options: Parameters<typeof world.visit>[0] = {}): Promise<Page> {
  const { page, allow } = await world.visit(options)
  allow(/Loading the image .*preview-frame|request failed: .* csp$/)
  return page
}

async function open(page: Page, workflowId: string): Promise<Locator> {
  await page.goto(`${world.url}/workflows/${workflowId}?step=mail`)
  const body = page.getByRole('textbox', { name: 'Body', exact: true })
  await body.waitFor()
  return body
}

async function save(page: Page, version: number): Promise<void> {
  await page.keyboard.press('Control+s')
  await page.getByText(`Saved as version ${version}`).waitFor()
}

const selectAll = (page: Page) => page.keyboard.press('Control+a')

test('a mail of every block, by keys and mouse, is stored as it was written', async () => {
  await makeMail('every', doc(line()))
  const page = await visit()
  const body = await open(page, 'every')
  await body.click()
  await put(page, 'Heading 1')
  await page.keyboard.type('Thank you, {{firstN')
  await page.getByRole('option', { name: /subscriber\.firstName/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('We are ')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('glad')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('. Order {{payload.orderId}}')
  await page.keyboard.press('Enter')
  for (const level of [2, 3]) {
    await put(page, `Heading ${level}`)
    await page.keyboard.type(`Part ${level}`)
    await page.keyboard.press('Enter')
  }
  await put(page, 'Button')
  await panel(page).getByLabel('Text', { exact: true }).fill('See the order')
  await panel(page).getByLabel('Leads to', { exact: true }).fill('https://shop.example/{{payload.orderId}}')
  await panel(page).getByLabel('Alignment').selectOption('center')
  await panel(page).getByLabel('Colour', { exact: true }).fill('#0a6e5c')
  await body.focus()
  await page.keyboard.press('Enter')
  await put(page, 'Image')
  await panel(page).getByLabel('Address of the image', { exact: true }).fill('https://img.example/a.png')
  await panel(page).getByLabel('What it shows', { exact: true }).fill('A box')
  await panel(page).getByLabel('Width (px)').fill('320')
  for (const [name, field, value] of [
    ['Logo', 'Address of the image', 'https://img.example/logo.png'],
    ['Divider', '', ''],
    ['Spacer', 'Height (px)', '40'],
    ['Link card', 'Title', 'How we pick'],
  ] as const) {
    await body.focus()
    await page.keyboard.press('Enter')
    await put(page, name)
    if (field) await panel(page).getByLabel(field, { exact: true }).fill(value)
  }
  await body.focus()
  await page.keyboard.press('Enter')
  // By the mouse.
  await toolbar(page).getByRole('button', { name: 'Add a block' }).click()
  await page.getByRole('option', { name: /Columns/ }).click()
  await page.keyboard.type('Left')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('Right')
  await panel(page).getByRole('button', { name: 'Columns' }).click()
  await panel(page).getByLabel('Gap (px)').fill('24')
  for (const [name, text] of [
    ['Section', 'In a box'],
    ['Quote', 'An apple a day'],
  ] as const) {
    await body.focus()
    await page.keyboard.press('Enter')
    await put(page, name)
    await page.keyboard.type(text)
    await panel(page).getByRole('button', { name, exact: true }).click()
  }
  for (const name of ['Bullet list', 'Ordered list'] as const) {
    await body.focus()
    await page.keyboard.press('Enter')
    await put(page, name)
    await page.keyboard.type('One')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Two')
    await panel(page).getByRole('button', { name, exact: true }).click()
  }
  await body.focus()
  await page.keyboard.press('Enter')
  await put(page, 'Repeat')
  await panel(page).getByRole('button', { name: 'Repeat', exact: true }).click()
  await panel(page).getByLabel('For each of').fill('payload.items')
  await body.locator('[data-block="repeat"] p').click()
  await page.keyboard.type('{{')
  expect(
    (await page.getByRole('listbox', { name: 'Variables' }).getByRole('option').allInnerTexts())
      .slice(0, 3)
      .map((it) => it.split('\n')[0]),
  ).toEqual(['current', 'current.name', 'current.price'])
  await page.getByRole('option', { name: /current\.name/ }).click()
  await panel(page).getByRole('button', { name: 'Repeat', exact: true }).click()
  await body.focus()
  await page.keyboard.press('Enter')
  await put(page, 'Show if')
  await page.keyboard.type('Wrapped')
  await panel(page).getByRole('button', { name: 'Show if', exact: true }).click()
  await panel(page).getByLabel('Show if').fill('payload.isGift')
  for (const [name, text] of [
    ['Code', 'npm start'],
    ['HTML', '<b>raw</b>'],
    ['Footer', 'Acme, Main Street 1'],
  ] as const) {
    await body.focus()
    await page.keyboard.press('Enter')
    await put(page, name)
    await page.keyboard.type(text)
    await panel(page).getByRole('button', { name, exact: true }).click()
  }
  await save(page, 2)
  const saved = await stored('every')
  expect(saved.content).toEqual(every)
  expect((await world.api('GET', '/v2/workflows/every')).steps[0].issues?.controls?.body ?? []).toEqual([])
  await page.frameLocator('iframe[title="E-mail preview"]').getByText('See the order').waitFor()
  // What was stored is read back without a change.
  await open(page, 'every')
  expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0)
})

const item = (text: string) => ({ type: 'listItem', content: [line(words(text))] })
const padding = { paddingTop: 16, paddingRight: 16, paddingBottom: 16, paddingLeft: 16 }
const variable = (id: string) => ({ type: 'variable', attrs: { id } })
const every = [
  { type: 'heading', attrs: { level: 1 }, content: [words('Thank you, '), variable('subscriber.firstName')] },
  line(
    words('We are '),
    { type: 'text', marks: [{ type: 'bold' }], text: 'glad' },
    words('. Order '),
    variable('payload.orderId'),
  ),
  { type: 'heading', attrs: { level: 2 }, content: [words('Part 2')] },
  { type: 'heading', attrs: { level: 3 }, content: [words('Part 3')] },
  {
    type: 'button',
    attrs: {
      text: 'See the order',
      url: 'https://shop.example/{{payload.orderId}}',
      alignment: 'center',
      buttonColor: '#0a6e5c',
    },
  },
  { type: 'image', attrs: { src: 'https://img.example/a.png', alt: 'A box', width: 320 } },
  { type: 'logo', attrs: { src: 'https://img.example/logo.png', size: 'md', alignment: 'left' } },
  { type: 'horizontalRule' },
  { type: 'spacer', attrs: { height: 40 } },
  { type: 'linkCard', attrs: { title: 'How we pick', description: '', link: '', linkTitle: '' } },
  {
    type: 'columns',
    attrs: { gap: 24 },
    content: [
      { type: 'column', content: [line(words('Left'))] },
      { type: 'column', content: [line(words('Right'))] },
    ],
  },
  {
    type: 'section',
    attrs: { backgroundColor: '#f3f4f6', borderRadius: 8, ...padding },
    content: [line(words('In a box'))],
  },
  { type: 'blockquote', content: [line(words('An apple a day'))] },
  { type: 'bulletList', content: [item('One'), item('Two')] },
  { type: 'orderedList', content: [item('One'), item('Two')] },
  { type: 'repeat', attrs: { each: 'payload.items' }, content: [line(variable('current.name'))] },
  { type: 'show', attrs: { showIfKey: 'payload.isGift' }, content: [line(words('Wrapped'))] },
  { type: 'codeBlock', content: [words('npm start')] },
  { type: 'htmlCodeBlock', content: [words('<b>raw</b>')] },
  { type: 'footer', content: [words('Acme, Main Street 1')] },
]

test('blocks are moved by their handle and by keys, and every change is undone and done again', async () => {
  await makeMail('moved', doc(line(words('First')), { type: 'spacer', attrs: { height: 30 } }, line(words('Last'))))
  const page = await visit()
  const body = await open(page, 'moved')
  const texts = () => body.evaluate((it) => [...it.children].map((child) => child.textContent))
  await body.getByText('Last').hover()
  const handle = page.getByRole('button', { name: 'Move this block' })
  const from = await handle.boundingBox()
  const to = await body.getByText('First').boundingBox()
  if (!from || !to) throw new Error('nothing to drag')
  await page.mouse.move(from.x + 8, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(to.x + 60, to.y + 10, { steps: 6 })
  await page.mouse.move(to.x + 60, to.y + 2, { steps: 3 })
  await page.mouse.up()
  await expect.poll(texts).toEqual(['Last', 'First', '30 px'])
  await page.keyboard.press('Control+z')
  await expect.poll(texts).toEqual(['First', '30 px', 'Last'])
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(texts).toEqual(['Last', 'First', '30 px'])
  await toolbar(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(texts).toEqual(['First', '30 px', 'Last'])
  await toolbar(page).getByRole('button', { name: 'Redo' }).click()
  await expect.poll(texts).toEqual(['Last', 'First', '30 px'])
  // A browser tells of a new selection in a task of its own, which the keys of a machine overtake.
  const isTold = page.evaluate(
    () =>
      new Promise((resolve) => document.addEventListener('selectionchange', () => setTimeout(resolve), { once: true })),
  )
  await body.getByText('First').click()
  await isTold
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(texts).toEqual(['Last', '30 px', 'First'])
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  // At the top it stays.
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(texts).toEqual(['First', 'Last', '30 px'])
  await page.keyboard.type('!')
  await save(page, 2)
  expect(typesOf(await stored('moved'))).toEqual(['paragraph', 'paragraph', 'spacer'])
})

test('the toolbar: marks, a link, a colour, sides, lists; all by keys too', async () => {
  await makeMail('formats', doc(line(words('All of this'))))
  const page = await visit()
  const body = await open(page, 'formats')
  await body.click()
  await selectAll(page)
  for (const name of ['Italic', 'Underline', 'Strike through'])
    await toolbar(page).getByRole('button', { name }).click()
  await toolbar(page).getByRole('button', { name: 'Link' }).click()
  await page.getByLabel('Address of the link').fill('https://acme.example')
  await page.keyboard.press('Enter')
  await toolbar(page).getByLabel('Colour of the text').fill('#aa0000')
  await toolbar(page).getByRole('button', { name: 'Centre' }).click()
  expect(await toolbar(page).getByRole('button', { name: 'Centre' }).getAttribute('aria-pressed')).toBe('true')
  await toolbar(page).getByLabel('Kind of line').selectOption('heading-2')
  // One stop of Tab, and arrows in it.
  await toolbar(page).getByRole('button', { name: 'Bold' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Italic')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Body')
  await save(page, 2)
  const [heading] = (await stored('formats')).content
  expect(heading).toMatchObject({ type: 'heading', attrs: { level: 2, textAlign: 'center' } })
  const [text] = heading.content
  expect(Object.fromEntries(text.marks.map(({ type, attrs }: Json) => [type, attrs]))).toEqual({
    link: { href: 'https://acme.example' },
    textStyle: { color: '#aa0000' },
    italic: undefined,
    underline: undefined,
    strike: undefined,
  })
})

test('what is pasted from a page keeps its headings, lists, links, letters and images', async () => {
  await makeMail('pasted', doc(line()))
  const { page, allow } = await world.visit()
  allow(/Loading the image/)
  const body = await open(page, 'pasted')
  await body.click()
  const html =
    '<h2 onclick="alert(1)">News</h2><p>Read <span style="font-weight:700">all</span> of <a href="https://a.example/x">it</a><script>alert(1)</script></p>' +
    '<ul><li>One</li><li><p>Two</p></li></ul><ol start="3"><li>Three</li></ol><p><a href="javascript:alert(1)">bad</a></p>' +
    '<img src="https://a.example/i.png" alt="Pic" width="120"><blockquote style="color:red">Said <span style="color: rgb(170, 0, 0)">red</span></blockquote>'
  await body.evaluate((element, pasted) => {
    const data = new DataTransfer()
    data.setData('text/html', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, html)
  await save(page, 2)
  expect((await stored('pasted')).content).toEqual([
    { type: 'heading', attrs: { level: 2 }, content: [words('News')] },
    line(words('Read '), { type: 'text', marks: [{ type: 'bold' }], text: 'all' }, words(' of '), {
      type: 'text',
      marks: [{ type: 'link', attrs: { href: 'https://a.example/x' } }],
      text: 'it',
    }),
    { type: 'bulletList', content: [item('One'), item('Two')] },
    { type: 'orderedList', attrs: { start: 3 }, content: [item('Three')] },
    line(words('bad')),
    { type: 'image', attrs: { src: 'https://a.example/i.png', alt: 'Pic', width: 120 } },
    {
      type: 'blockquote',
      content: [
        line(words('Said '), {
          type: 'text',
          marks: [{ type: 'textStyle', attrs: { color: 'rgb(170, 0, 0)' } }],
          text: 'red',
        }),
      ],
    },
  ])
})

test('what is cut and pasted within it is the same again', async () => {
  const colored = { type: 'text', marks: [{ type: 'textStyle', attrs: { color: '#aa0000' } }], text: 'red' }
  const small = { type: 'inlineImage', attrs: { src: 'https://img.example/i.png', width: 20 } }
  const odd = [
    { ...line(words('Own '), colored, small), attrs: { textAlign: 'right', showIfKey: 'payload.x', own: [1] } },
    { type: 'poll', attrs: { id: 7 } },
  ]
  await makeMail('cut', doc(...every, ...odd))
  const page = await visit()
  const body = await open(page, 'cut')
  await body.click({ position: { x: 60, y: 30 } })
  await selectAll(page)
  await page.keyboard.press('Control+x')
  await expect.poll(() => body.innerText()).not.toContain('Part 2')
  await page.keyboard.press('Control+v')
  await body.getByText('Part 2').waitFor()
  await save(page, 2)
  expect((await stored('cut')).content).toEqual([...every, ...odd])
})

describe('nothing of a stored document is lost', () => {
  test.each(Object.entries(blockDocuments))('%s', async (name, { document }) => {
    const before = doc(line(words('Above')), ...(document.content ?? []), { type: 'poll', attrs: { id: 7 } })
    await makeMail(`kept-${name}`, before)
    const page = await visit()
    const body = await open(page, `kept-${name}`)
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0)
    await body.getByText('poll').first().waitFor()
    await body.getByText('Above').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' all')
    await save(page, 2)
    const [first, ...others] = (await stored(`kept-${name}`)).content
    expect(first).toEqual(line(words('Above all')))
    expect(JSON.stringify(others)).toBe(JSON.stringify(before.content.slice(1)))
  })
})

test('variables: by type, of the digest, by keys and by the button; Escape leaves what was typed', async () => {
  await makeMail('names', doc(line()), [digest])
  const page = await visit()
  const body = await open(page, 'names')
  await body.click()
  await page.keyboard.type('{{tot')
  const option = page.getByRole('option', { name: /payload\.total/ })
  expect(await option.innerText()).toContain('number')
  expect(await body.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
  await page.keyboard.press('Tab')
  await page.keyboard.type(' {{events')
  await page.getByRole('option', { name: /step\.events/ }).click()
  await page.keyboard.type(' {{x')
  await page.keyboard.press('Escape')
  await page.keyboard.type(' a/b /')
  await page.getByRole('listbox', { name: 'Blocks' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await toolbar(page).getByRole('button', { name: 'Insert a variable' }).click()
  await page.getByRole('listbox', { name: 'Variables' }).waitFor()
  await page.keyboard.type('orderId')
  await page.keyboard.press('Enter')
  await save(page, 2)
  expect((await stored('names')).content).toEqual([
    line(
      variable('payload.total'),
      words(' '),
      variable('step.events'),
      words(' {{x a/b /'),
      variable('payload.orderId'),
    ),
  ])
})

test('warnings of the blocks stand beside them while they are written', async () => {
  await makeMail('warned', doc(line(words('x'))))
  const page = await visit()
  const body = await open(page, 'warned')
  await body.click()
  await page.keyboard.press('Enter')
  await put(page, 'Button')
  await page.getByRole('list', { name: 'Warnings' }).getByText('leads nowhere').waitFor()
  await panel(page).getByLabel('Leads to', { exact: true }).fill('https://a.example')
  await page.getByRole('list', { name: 'Warnings' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Phone' }).click()
  expect(await page.locator('iframe[title="E-mail preview"]').evaluate((it: HTMLIFrameElement) => it.offsetWidth)).toBe(
    390,
  )
  await page.getByRole('button', { name: 'Desktop' }).click()
  await page.getByRole('button', { name: 'Show in full size' }).click()
  expect(
    await page.locator('iframe[title="E-mail in full size"]').evaluate((it: HTMLIFrameElement) => it.offsetWidth),
  ).toBe(700)
})

test('blocks become HTML and HTML one block, after a warning', async () => {
  await makeMail('turned', doc(line(words('Hello '), variable('payload.orderId'))))
  const page = await visit()
  await open(page, 'turned')
  const way = page.getByLabel('Written with')
  await way.selectOption('html')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await way.inputValue()).toBe('block')
  await way.selectOption('html')
  await page.getByRole('dialog').getByRole('button', { name: 'Turn into HTML' }).click()
  const source = page.getByRole('textbox', { name: /^Body/ })
  await expect.poll(() => source.inputValue()).toContain('Hello {{payload.orderId}}')
  await save(page, 2)
  expect(await stored('turned')).toMatchObject({ editorType: 'html' })
  await source.fill('<p>By hand {{payload.total}}</p>')
  await way.selectOption('block')
  await page.getByRole('dialog').getByRole('button', { name: 'Turn into blocks' }).click()
  await page.getByRole('textbox', { name: 'Body', exact: true }).getByText('By hand').waitFor()
  await save(page, 3)
  const block = { type: 'htmlCodeBlock', content: [words('<p>By hand {{payload.total}}</p>')] }
  expect(await stored('turned')).toEqual(doc(block))
})

test('its code is fetched when a mail of blocks is opened, and by no other page', async () => {
  await makeMail('fetched', doc(line(words('x'))))
  const page = await visit()
  const files: string[] = []
  page.on('request', (request) => void files.push(new URL(request.url()).pathname))
  const isThere = () => files.some((file) => /block-editor-.*\.js$/.test(file))
  await page.goto(`${world.url}/workflows/hello`)
  await page.getByRole('heading', { level: 1, name: 'Hello' }).waitFor()
  await settled(page)
  expect(isThere()).toBe(false)
  await open(page, 'fetched')
  expect(isThere()).toBe(true)
})

const allLooks = [
  { width: 1440, theme: 'light' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const

const looks = allLooks.slice(0, Number(process.env.BROWSER_LOOKS ?? allLooks.length))
test.each(looks)('at $width px, $theme: drawn, not too wide, no serious finding of axe', async ({ width, theme }) => {
  const name = `looks-${width}-${theme}`
  await makeMail(name, doc(...every, { type: 'poll', attrs: { id: 7 } }))
  const page = await visit({ viewport: { width, height: 1000 }, colorScheme: theme })
  const body = await open(page, name)
  await page.frameLocator('iframe[title="E-mail preview"]').getByText('See the order').waitFor()
  await body.getByText('See the order').click()
  await panel(page).getByLabel('Leads to', { exact: true }).waitFor()
  await settled(page)
  await page.screenshot({ path: join(folder, `block-editor-${width}-${theme}.png`), fullPage: true })
  const wrong = await faultsOf(page, name)
  await body.getByText('An apple a day').click()
  await panel(page).getByRole('button', { name: 'Quote' }).click()
  await page.screenshot({ path: join(folder, `block-editor-more-${width}-${theme}.png`) })
  await body.getByText('Part 3').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/')
  await page.getByRole('listbox', { name: 'Blocks' }).waitFor()
  await page.screenshot({ path: join(folder, `block-menu-${width}-${theme}.png`) })
  expect([...wrong, ...(await faultsOf(page, `${name}, menu`))]).toEqual([])
})
