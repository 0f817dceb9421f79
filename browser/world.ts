import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { findChromium } from './find-chromium.ts'
import { type Server, startServer } from './server.ts'

export type Visit = {
  page: Page
  context: BrowserContext
  /** What the console may say in this test, e.g. the browser's own line about a refusal that is being provoked. */
  allow(fault: RegExp): void
}

export type World = Server & {
  /**
   * A browser profile of its own; signed in by the printed key unless told otherwise. It ends with the test, or with the
   * file if it is `kept`.
   */
  visit(options?: BrowserContextOptions & { signedIn?: boolean; kept?: boolean }): Promise<Visit>
}

/**
 * A server and a browser for one test file. Whatever a test does, an error in the console, a request to another origin
 * or a request that failed makes it fail.
 */
export function useWorld(settings: () => Promise<Record<string, string>> = async () => ({})): World {
  const world = {} as World
  const faults: (Fault & { allowed: RegExp[] })[] = []
  const contexts: BrowserContext[] = []
  let browser: Browser | undefined

  beforeAll(async () => {
    const server = await startServer(await settings())
    Object.assign(world, server)
    browser = await launch()
    world.visit = async ({ signedIn = true, kept = false, ...options } = {}) => {
      if (!browser) throw new Error('the browser is gone')
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
      context.setDefaultTimeout(15_000)
      if (!kept) contexts.push(context)
      const allowed: RegExp[] = []
      context.on('page', (page) => watch(page, world.url, (fault) => faults.push(Object.assign(fault, { allowed }))))
      if (signedIn) await signIn(context, world)
      return { context, page: await context.newPage(), allow: (fault) => void allowed.push(fault) }
    }
  })

  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    const seen = faults
      .splice(0)
      .filter(({ text, isStopped, allowed }) => !isStopped && !allowed.some((pattern) => pattern.test(text)))
    expect(seen.map(({ text }) => text)).toEqual([])
  })

  afterAll(async () => {
    await browser?.close()
    await world.stop?.()
  })
  return world
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    // Root in a container has no sandbox of its own; and a browser that calls home would be noise in the record.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
}

async function signIn(context: BrowserContext, { url, key }: Server): Promise<void> {
  const reply = await context.request.post(`${url}/session`, { data: { key }, headers: { 'x-tidings-session': '1' } })
  expect(reply.status(), await reply.text()).toBe(200)
}

type Fault = { text: string; isStopped?: boolean }

function watch(page: Page, url: string, report: (fault: Fault) => void): void {
  const foreign = new Map<Request, Fault>()
  page.on('console', (message) => {
    if (message.type() === 'error') report({ text: `console: ${message.text()} ${message.location().url}` })
  })
  page.on('pageerror', (error) => report({ text: `exception: ${error.stack ?? error.message}` }))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (!protocol.startsWith('http') || origin === url) return
    const fault = { text: `request to another origin: ${request.url()}` }
    foreign.set(request, fault)
    report(fault)
  })
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    const fault = foreign.get(request)
    // Stopped by a policy before it left; the console says so in its own words.
    if (fault && why === 'csp') fault.isStopped = true
    // Left pages take their requests with them.
    else if (!fault && why !== 'net::ERR_ABORTED') report({ text: `request failed: ${request.url()} ${why}` })
  })
}
