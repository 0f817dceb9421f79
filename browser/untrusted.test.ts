import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpReceiver, startHttpReceiver } from '../test/peers/http-receiver.ts'
import { useWorld, type Visit } from './world.ts'

/** Whoever gets a request here was run or loaded. */
let trap: HttpReceiver
const world = useWorld(async () => {
  trap = await startHttpReceiver()
  return {}
})
afterAll(() => trap?.close())

/** Everything we know of that makes HTML act; each would set a mark, change the title, or fetch something. */
function payloads(to: string): string {
  const act = (name: string) => `window.ran='${name}';top.document.title='owned';fetch('${to}/${name}')`
  return `
    <p>Harmless text</p>
    <script>${act('script')}</script>
    <script src="${to}/script-src"></script>
    <img src="${to}/img" onerror="${act('onerror')}">
    <img src="x" onerror="${act('onerror-local')}">
    <svg onload="${act('svg')}"><circle r="4"/></svg>
    <iframe srcdoc="<script>parent.${act('srcdoc')}</script>"></iframe>
    <iframe src="javascript:parent.${act('frame')}"></iframe>
    <object data="${to}/object"></object><embed src="${to}/embed">
    <link rel="stylesheet" href="${to}/css"><style>@import url("${to}/import"); body { background: url("${to}/background") }</style>
    <meta http-equiv="refresh" content="0;url=${to}/refresh">
    <base href="${to}/"><form action="${to}/form"><input autofocus onfocus="${act('focus')}"></form>
    <details open ontoggle="${act('toggle')}"><summary>More</summary></details>
    <video autoplay src="${to}/video"></video>
    <a href="javascript:${act('link')}">Click me</a> <a href="${to}/leave" target="_top">Leave</a>`
}

let eventId = ''

beforeAll(async () => {
  const { api } = world
  const url = `javascript:fetch('${trap.url}/url')//`
  const text = '{{ payload.html }}'
  await api('POST', '/v2/workflows', {
    workflowId: 'mischief',
    name: '<img src=x onerror="document.title=1">',
    steps: [
      {
        name: '<b>In-app</b>',
        type: 'in_app',
        controlValues: {
          subject: text,
          body: text,
          avatar: '{{ payload.url }}',
          redirect: { url: '{{ payload.url }}', target: '_self' },
          primaryAction: { label: text, redirect: { url: '{{ payload.url }}', target: '_self' } },
          data: { html: text },
        },
      },
      // As a template's own words, which stay HTML: what a payload puts in is escaped.
      {
        name: 'E-mail',
        type: 'email',
        controlValues: { subject: text, body: payloads(trap.url), disableOutputSanitization: true },
      },
      { name: 'SMS', type: 'sms', controlValues: { body: text } },
    ],
  })
  const to = {
    subscriberId: 'mallory',
    firstName: '<script>document.title=2</script>',
    email: 'm@example.com',
    phone: '+4915112345678',
    avatar: url,
  }
  const sent = await api('POST', '/v1/events/trigger', {
    name: 'mischief',
    to,
    payload: { html: payloads(trap.url), url },
  })
  for (let tries = 0; tries < 100 && !eventId; tries++) {
    const { data } = await api('GET', `/v1/notifications?transactionId=${sent.transactionId}`)
    const jobs: { status: string }[] = data[0]?.jobs ?? []
    if (jobs.length === 3 && jobs.every(({ status }) => status === 'completed')) eventId = data[0]._id
    else if (tries === 99) throw new Error(`the messages were not sent: ${JSON.stringify(jobs)}`)
    else await new Promise((resolve) => setTimeout(resolve, 100))
  }
})

test('the payloads do run where nothing holds them', async () => {
  const { page, allow } = await world.visit({ signedIn: false })
  allow(/./)
  const plain = { headers: { 'content-type': 'text/html' }, body: payloads(trap.url).replace(/<meta.*>/, '') }
  trap.answer = ({ url }) => (url === '/plain' ? plain : {})
  await page.goto(`${trap.url}/plain`, { waitUntil: 'commit' })
  const got = () => trap.requests.map(({ url }) => url.slice(1))
  const sure = ['script', 'script-src', 'img', 'onerror-local', 'svg', 'css', 'focus', 'toggle', 'background']
  await expect.poll(got, { timeout: 10_000 }).toEqual(expect.arrayContaining(sure))
  expect(await page.title()).toBe('owned')
  await page.close()
  trap.answer = {}
  trap.requests.length = 0
})

test('the mailbox shows it, and nothing runs', async () => {
  const visit = await guarded()
  const { page } = visit
  await page.goto(`${world.url}/mailbox?kind=email`)
  await seesFrame(page)
  await nothingRan(visit)
  for (const tab of ['Plain text', 'Source']) await page.getByRole('tab', { name: tab }).click()
  await page.goto(`${world.url}/mailbox?kind=sms`)
  await page.getByText('<script>').first().waitFor()
  await nothingRan(visit)
})

test('activity shows it, and nothing runs', async () => {
  const visit = await guarded()
  const { page } = visit
  await page.goto(`${world.url}/activity`)
  await page.getByRole('table').getByText('<img src=x').first().waitFor()
  await nothingRan(visit)
  await page.goto(`${world.url}/activity/${eventId}`)
  await seesFrame(page)
  await nothingRan(visit)
  await page.goto(`${world.url}/explain?notificationId=${eventId}`)
  await page.getByRole('heading', { name: 'Explain', level: 1 }).waitFor()
  await nothingRan(visit)
})

test('the feed of a person shows it, and nothing runs', async () => {
  const visit = await guarded()
  const { page } = visit
  await page.goto(`${world.url}/subscribers/mallory?tab=feed`)
  await page.getByText('Harmless text').first().waitFor()
  await nothingRan(visit)
  await page.getByText('Harmless text').first().click()
  await page.getByRole('dialog').getByText('Harmless text').first().waitFor()
  await nothingRan(visit)
})

test('the inbox of a person shows it, and nothing runs', async () => {
  const visit = await guarded()
  const { page } = visit
  await page.goto(`${world.url}/inbox?subscriberId=mallory`)
  await page.getByRole('list', { name: 'Notifications' }).getByText('Harmless text').first().waitFor()
  await nothingRan(visit)
})

test('the preview of a step shows it, and nothing runs', async () => {
  const visit = await guarded()
  const { page } = visit
  await page.goto(`${world.url}/workflows/mischief?step=e-mail`)
  await page.frameLocator('iframe[title="E-mail preview"]').getByText('Harmless text').first().waitFor()
  // There it is made smaller, and the driver of the browser does not hit what is.
  await page.getByRole('button', { name: 'Show in full size' }).click()
  await seesFrame(page, 'iframe[title="E-mail in full size"]')
  await nothingRan(visit)
  await page.goto(`${world.url}/workflows/mischief`)
  await page.getByText('Harmless text').first().waitFor()
  await nothingRan(visit)
})

/** The browser says aloud what it stops; only that may be said. */
async function guarded(): Promise<Visit> {
  const visit = await world.visit()
  visit.allow(/Blocked script execution|Content Security Policy|sandboxed|csp|ERR_BLOCKED_BY_CSP/i)
  return visit
}

async function seesFrame(page: Page, selector = 'iframe'): Promise<void> {
  const frame = page.frameLocator(selector).first()
  await frame.getByText('Harmless text').first().waitFor()
  // Links are dead: neither the code of one nor the address of the other leads anywhere.
  for (const name of ['Click me', 'Leave']) await frame.getByText(name).first().click({ force: true })
}

async function nothingRan({ page, context }: Visit): Promise<void> {
  await page.waitForTimeout(700)
  expect(trap.requests.map(({ url }) => url)).toEqual([])
  expect(await page.title()).toMatch(/Tidings$/)
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  expect(page.url()).toContain(world.url)
  expect(context.pages()).toHaveLength(1)
  const live = 'a[href^="javascript:" i], iframe[srcdoc], iframe:not([sandbox=""]), img[onerror], script:not([src])'
  expect(await page.locator(live).count()).toBe(0)
}
