import { afterAll, expect, test } from 'vitest'
import { type SmtpReceiver, startSmtpReceiver } from '../test/peers/smtp-receiver.ts'
import { useWorld, type Visit } from './world.ts'

let vendor: SmtpReceiver
const world = useWorld(async () => {
  vendor = await startSmtpReceiver({ auth: { user: 'mailer', password: 'the right one' } })
  return { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(vendor.port) }
})
afterAll(() => vendor?.close())

const withinSeconds = 180

test('the first hour, from the printed link to a mail at a real server', { timeout: 240_000 }, async () => {
  const visit = await world.visit({ signedIn: false })
  const startedAt = performance.now()
  const steps = [
    enterByLink,
    addPerson,
    seeHello,
    addEmailStep,
    previewIt,
    testRunIt,
    readInMailbox,
    followInActivity,
    addWrongIntegration,
    saveWhileItIsSilent,
    checkAndMend,
    receiveForReal,
  ]
  for (const step of steps) {
    const from = performance.now()
    await step(visit)
    console.log(`  ${step.name}: ${((performance.now() - from) / 1000).toFixed(1)} s`)
  }
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`the first-hour journey: ${seconds.toFixed(1)} s of wall time (limit ${withinSeconds} s)`)
  expect(seconds).toBeLessThan(withinSeconds)
})

async function go({ page }: Visit, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
}

async function enterByLink({ page }: Visit): Promise<void> {
  await page.goto(world.link)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  expect(page.url()).toBe(`${world.url}/env/development`)
}

async function addPerson(visit: Visit): Promise<void> {
  const { page } = visit
  await go(visit, 'Subscribers')
  await page.getByRole('button', { name: 'New subscriber' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Subscriber id').fill('grace')
  await dialog.getByLabel('First name').fill('Grace')
  await dialog.getByLabel('E-mail').fill('grace@example.com')
  await dialog.getByRole('button', { name: 'Add subscriber' }).click()
  await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor()
}

/** The workflow of the first start, run once: its notification is in her feed. */
async function seeHello(visit: Visit): Promise<void> {
  const { page } = visit
  await go(visit, 'Workflows')
  await page.locator('a[href="/env/development/workflows/hello"]').click()
  await page.getByRole('heading', { name: 'Hello', level: 1 }).waitFor()
  await run(visit, 'it works')
  await page.getByRole('dialog').getByRole('link', { name: 'Show in activity' }).click()
  const step = page.getByRole('region', { name: 'In-app' })
  await step.getByText('Hello Grace, it works').waitFor()
  await step.getByText('completed').first().waitFor()
}

async function addEmailStep(visit: Visit): Promise<void> {
  const { page } = visit
  await go(visit, 'Workflows')
  await page.locator('a[href="/env/development/workflows/hello"]').click()
  await page.getByRole('button', { name: 'Add a step' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^E-mail/ })
    .click()
  await page.getByRole('textbox', { name: /^Subject/ }).fill('Welcome, {{ subscriber.firstName }}')
  await page.getByRole('textbox', { name: /^Body/ }).fill('<h1>Welcome</h1><p>{{ payload.message }}, from us all.</p>')
}

async function previewIt({ page }: Visit): Promise<void> {
  await page.getByText('Welcome, Grace', { exact: true }).waitFor()
  await page.frameLocator('iframe[title="E-mail preview"]').getByText('it works, from us all.').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('version 2', { exact: true }).first().waitFor()
}

async function testRunIt(visit: Visit): Promise<void> {
  await run(visit, 'good to see you')
  await visit.page.getByRole('dialog').getByText('completed').nth(1).waitFor()
  await visit.page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
}

async function run({ page }: Visit, message: string): Promise<void> {
  await page.getByRole('button', { name: 'Test run' }).click()
  const dialog = page.getByRole('dialog')
  const to = dialog.getByRole('combobox', { name: /^To/ })
  // The second time it is remembered.
  if ((await to.inputValue()) !== 'grace') {
    await to.fill('grace')
    await dialog.getByRole('option', { name: /Grace/ }).click()
  }
  await dialog.getByRole('textbox', { name: /^Payload/ }).fill(JSON.stringify({ message }))
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await dialog.getByText('Triggered').waitFor()
}

async function readInMailbox(visit: Visit): Promise<void> {
  const { page } = visit
  await go(visit, 'Mailbox')
  await page.getByRole('heading', { name: 'Welcome, Grace' }).waitFor()
  const mail = page.frameLocator('iframe[title^="E-mail"]')
  await mail.getByText('good to see you, from us all.').waitFor()
}

async function followInActivity({ page }: Visit): Promise<void> {
  await page.getByRole('link', { name: 'Show in activity' }).click()
  await page.getByRole('link', { name: /Hello/ }).first().click()
  const step = page.getByRole('region', { name: 'E-mail' })
  await step.getByText('completed').first().waitFor()
  await step.getByRole('tab', { name: /^Tries/ }).click()
  await step.getByText('Try 1').waitFor()
  await step.getByRole('tab', { name: /^History/ }).click()
  await step.getByText('success').first().waitFor()
}

async function addWrongIntegration(visit: Visit): Promise<void> {
  const { page, allow } = visit
  // The browser itself notes every refusal it sees.
  allow(/status of 4\d\d .*\/v1\/integrations/)
  await go(visit, 'Integrations')
  await page.getByRole('link', { name: /Custom SMTP/ }).click()
  await page.getByRole('heading', { name: 'Connect Custom SMTP', level: 1 }).waitFor()
  await page.getByRole('textbox', { name: /^SMTP host/ }).fill('127.0.0.1')
  await page.getByRole('textbox', { name: /^SMTP port/ }).fill(String(vendor.port))
  await page.getByRole('textbox', { name: /^User/ }).fill('mailer')
  await page.getByLabel(/^Password/).fill('a wrong one')
  await page.getByRole('button', { name: 'Connect Custom SMTP' }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'Custom SMTP refused these credentials' })
  await refusal.getByText('535').waitFor()
  await refusal.getByText('Nothing was saved.').waitFor()
  expect(vendor.connections.total).toBe(1)
}

async function saveWhileItIsSilent({ page }: Visit): Promise<void> {
  vendor.script = { connect: 'hang' }
  await page.getByRole('button', { name: 'Connect Custom SMTP' }).click()
  await page.getByText(/^Saved, but not checked: .*in time/).waitFor()
  await page.getByRole('button', { name: 'Check connection' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Custom SMTP was not reached').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  vendor.script = {}
}

async function checkAndMend({ page }: Visit): Promise<void> {
  await page.getByRole('button', { name: 'Check connection' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Custom SMTP refused these credentials').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByLabel(/^Password/).fill('the right one')
  await page.getByRole('textbox', { name: /^From/ }).first().fill('team@example.com')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved; Custom SMTP accepted the credentials').waitFor()
}

/** Nothing more to click: the first real integration takes over from the mailbox. */
async function receiveForReal(visit: Visit): Promise<void> {
  const { page } = visit
  await go(visit, 'Workflows')
  await page.getByRole('link', { name: /Hello/ }).first().click()
  await run(visit, 'for real')
  await expect.poll(() => vendor.mails.length, { timeout: 20_000 }).toBe(1)
}
