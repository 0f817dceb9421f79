import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useWorld } from './world.ts'

/** examples/plain-inbox, by its README. */
const world = useWorld()
const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'examples/plain-inbox/README.md'), 'utf8')
const pictures = join(root, process.env.SCREENSHOTS ?? '.data/screenshots')
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
let example: ChildProcess
let url = ''

/** The command as the README has it. */
function printed(pattern: RegExp): string {
  const [found] = pattern.exec(readme) ?? []
  if (!found) throw new Error(`the README has no ${pattern}`)
  return found
}

const shell = (command: string) =>
  execFileSync('bash', ['-c', command.replaceAll('http://localhost:3000', world.url)], {
    cwd: root,
    env: { ...process.env, TIDINGS_KEY: world.key },
    encoding: 'utf8',
  })
const trigger = () => shell(printed(/^curl [^`]*?\}\}'$/m))

beforeAll(async () => {
  shell(printed(/^npm run build -w packages\/client/m))
  const [, file = ''] = printed(/^node \S+$/m).split(' ')
  example = spawn(process.execPath, [file], {
    cwd: root,
    env: { ...process.env, TIDINGS_URL: world.url, TIDINGS_KEY: world.key, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  url = await new Promise<string>((resolve, reject) => {
    example.once('exit', (code) => reject(new Error(`the example ended with ${code}`)))
    example.stdout?.on('data', (chunk: Buffer) => resolve(/http:\S+/.exec(String(chunk))?.[0] ?? ''))
  })
})
afterAll(() => example?.kill())

async function visit(colorScheme: 'light' | 'dark'): Promise<Page> {
  const { page, allow } = await world.visit({ signedIn: false, colorScheme, viewport: { width: 900, height: 560 } })
  // The page has its own origin, as a customer's has.
  allow(/^request to another origin/)
  await page.goto(url)
  await page.getByText('live', { exact: true }).waitFor()
  return page
}

const bell = (page: Page, unread: number) => page.getByRole('button', { name: `Notifications, ${unread} unread` })

test('the bell counts by itself, in every window; the list is read and archived', async () => {
  const page = await visit('light')
  const other = await visit('dark')
  await bell(page, 0).waitFor()
  expect(trigger()).toContain('"acknowledged":true')
  await bell(page, 1).waitFor()
  await bell(other, 1).waitFor()

  await bell(page, 1).click()
  const item = page.getByRole('listitem')
  await item.getByText('Hello Ada, it works').waitFor()
  await expect.poll(() => page.locator('[aria-live]').textContent()).toContain('New: ')
  trigger()
  await bell(page, 2).waitFor()
  await expect.poll(() => item.count()).toBe(2)
  await bell(other, 2).click()
  mkdirSync(pictures, { recursive: true })
  await item.last().getByRole('button', { name: 'Mark read' }).click()
  await bell(other, 1).waitFor()
  await expect.poll(() => other.locator('li[data-read="true"]').count()).toBe(1)
  await page.screenshot({ path: join(pictures, 'plain-inbox-light.png') })
  await other.screenshot({ path: join(pictures, 'plain-inbox-dark.png') })
  for (const shown of [page, other]) expect(await faultsOf(shown)).toEqual([])

  await page.getByRole('button', { name: 'Mark all read' }).click()
  await bell(page, 0).waitFor()
  await bell(other, 0).waitFor()
  for (const left of [1, 0]) {
    await item.last().getByRole('button', { name: 'Archive' }).click()
    await expect.poll(() => item.count()).toBe(left)
  }
  await page.getByText('Nothing here yet.').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('region', { name: 'Notifications' }).isVisible()).toBe(false)
  await expect.poll(() => bell(page, 0).evaluate((button) => button === document.activeElement)).toBe(true)
})

async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((it) => it.html).join(' ')}`)
}
