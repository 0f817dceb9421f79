import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launch } from './launch.ts'
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
      context.on('page', (page) => watch(page, [world.url], (fault) => faults.push(Object.assign(fault, { allowed }))))
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

async function signIn(context: BrowserContext, { url, key }: Server): Promise<void> {
  const reply = await context.request.post(`${url}/session`, { data: { key }, headers: { 'x-tidings-session': '1' } })
  expect(reply.status(), await reply.text()).toBe(200)
}

export type Fault = { text: string; isStopped?: boolean }

/** Reports errors of the console, requests that failed, and whatever goes to an origin that is not one of these. */
export function watch(page: Page, origins: readonly string[], report: (fault: Fault) => void): void {
  const foreign = new Map<Request, Fault>()
  page.on('console', (message) => {
    if (message.type() === 'error') report({ text: `console: ${message.text()} ${message.location().url}` })
  })
  page.on('pageerror', (error) => report({ text: `exception: ${error.stack ?? error.message}` }))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (!protocol.startsWith('http') || origins.includes(origin)) return
    const fault = { text: `request to another origin: ${request.url()}` }
    foreign.set(request, fault)
    report(fault)
  })
  page.on('websocket', (socket) => {
    const { origin } = new URL(socket.url().replace(/^ws/, 'http'))
    if (!origins.includes(origin)) report({ text: `socket to another origin: ${origin}` })
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
