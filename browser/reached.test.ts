import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelegram } from '../test/vendors/telegram.ts'
import { freePort } from './free-port.ts'
import { go } from './go.ts'
import { useWorld } from './world.ts'

/** People who are reached without a workspace: by a bot, and in their browsers. */
let telegram: Awaited<ReturnType<typeof startTelegram>>
const world = useWorld(async () => {
  telegram = await startTelegram()
  const port = await freePort()
  const egress = { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(telegram.port) }
  return { ...egress, PORT: String(port), PUBLIC_URL: `http://localhost:${port}` }
})
afterAll(() => telegram?.close())

beforeAll(() => world.api('POST', '/v2/subscribers', { subscriberId: 'ada' }))

test('a bot is told where to call, somebody opens a link, a test goes to the chat, and a chat that is left is marked', async () => {
  const { page } = await world.visit()
  await go(page, `${world.url}/integrations/new?providerId=telegram`)
  await page.getByLabel(/^Bot token/).fill(telegram.token)
  await page.getByRole('textbox', { name: /^Bot API server/ }).fill(telegram.url)
  await page.getByRole('switch', { name: "Take the vendor's callbacks" }).click()
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByRole('button', { name: 'Connect Telegram' }).click()
  const trial = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Send a test' }) })
  await trial.getByText(/^A test goes to a channel endpoint, and this integration has none yet/).waitFor()
  await page.getByRole('button', { name: 'Tell Telegram where to call' }).click()
  await page.getByText('Telegram knows where to call for the bot acme_bot').waitFor()
  const integrationUrl = page.url()

  await go(page, `${world.url}/subscribers/ada?tab=channels`)
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a channel endpoint' })
  await dialog.getByLabel('Integration').selectOption({ label: 'Telegram' })
  await dialog.getByRole('button', { name: 'Link by Telegram' }).click()
  const address = await dialog.getByRole('group', { name: 'Address for the person' }).textContent()
  expect(await telegram.say(42, `/start ${new URL(address ?? '').searchParams.get('start')}`)).toBe(200)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const chat = page
    .getByRole('list', { name: 'Channel endpoints' })
    .getByRole('listitem')
    .filter({ hasText: 'Telegram chat 42' })
  await chat.first().waitFor()

  await go(page, integrationUrl)
  await trial.getByLabel('To a channel endpoint').selectOption({ label: 'ada: Telegram chat 42' })
  await trial.getByRole('button', { name: 'Send test' }).click()
  await trial.getByText('Telegram took it').waitFor()
  expect(telegram.posted).toMatchObject([{ chatId: 42, json: { text: 'Test message from Tidings' } }])

  expect(await telegram.block(42)).toBe(200)
  await page.goto(`${world.url}/subscribers/ada?tab=channels`)
  await chat.getByText(/^Gone since just now: Telegram said/).waitFor()
  await page.getByRole('button', { name: 'Delete Telegram chat 42' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click()
  await chat.first().waitFor({ state: 'detached' })
})

test('the keys of Web Push are made in the browser, and the provider is marked as one of ours', async () => {
  const { page } = await world.visit()
  await go(page, `${world.url}/integrations?channel=push`)
  await page.getByRole('link', { name: /^Web Push .*beyond the published clients/ }).click()
  await page.getByText(/^Beyond the published clients/).waitFor()
  await page.getByRole('button', { name: 'Make keys' }).click()
  const publicKey = page.getByRole('textbox', { name: /^VAPID public key/ })
  await expect.poll(() => publicKey.inputValue()).toMatch(/^B[A-Za-z0-9_-]{86}$/)
  const made = await publicKey.inputValue()
  await page.getByLabel(/^Contact/).fill('mailto:ops@example.com')
  // The server refuses a public key that is not the private key's.
  await page.getByRole('button', { name: 'Connect Web Push' }).click()
  await page.getByText('Saved; Web Push accepted the credentials').waitFor()
  await page.getByText(/every browser must subscribe anew/).waitFor()
  expect(await publicKey.inputValue()).toBe(made)
})
