import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchEveryMs } from '../dashboard/src/lib/session.ts'
import { rememberMs } from '../src/lib/remember-briefly.ts'
import { useWorld, type Visit } from './world.ts'

const world = useWorld()
/** Somebody else's page, on another port of the same machine. */
let stranger: HttpServer
let strangerPort = 0

beforeAll(async () => {
  stranger = createServer((_request, reply) => {
    reply.setHeader('content-type', 'text/html')
    reply.end('<!doctype html><title>A stranger</title><link rel="icon" href="data:,"><p>Nothing to see here</p>')
  })
  await new Promise<void>((resolve) => stranger.listen(0, resolve))
  strangerPort = (stranger.address() as AddressInfo).port
})
afterAll(() => new Promise((resolve) => stranger.close(resolve)))

async function enter({ page, allow }: Visit, key: string): Promise<void> {
  allow(/status of 401 .*\/session/)
  await page.goto(world.url)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
}

const seesSignIn = (page: Page) => page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor({ timeout: 15_000 })

describe('the cookie', () => {
  test('is out of reach for scripts, strictly same-site, and the key is kept nowhere', async () => {
    const visit = await world.visit({ signedIn: false })
    await enter(visit, world.key)
    const cookies = await visit.context.cookies()
    expect(cookies).toHaveLength(1)
    const [cookie] = cookies
    expect(cookie).toMatchObject({ name: 'tidings_session', httpOnly: true, sameSite: 'Strict', path: '/' })
    const hours = ((cookie?.expires ?? 0) - Date.now() / 1000) / 3600
    expect(hours).toBeGreaterThan(11.9)
    expect(hours).toBeLessThan(12.1)
    const kept = await visit.page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href]),
    )
    expect(kept).not.toContain(world.key)
    expect(kept).not.toContain(cookie?.value)
  })

  test('the printed link works once', async () => {
    const first = await world.visit({ signedIn: false })
    await first.page.goto(world.link)
    await first.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    const second = await world.visit({ signedIn: false })
    second.allow(/status of 401 .*\/session/)
    await second.page.goto(world.link)
    await second.page.getByRole('alert').waitFor()
    await seesSignIn(second.page)
  })
})

/** What a page can try with somebody's cookie: whether each was let through, as far as the page can tell. */
const attacks = async ([target, marker]: readonly [string, string]) => {
  const body = JSON.stringify({ subscriberId: marker })
  const send = (path: string, options: RequestInit) =>
    fetch(target + path, { credentials: 'include', ...options }).then(
      (reply) => `${reply.type} ${reply.status}`,
      () => 'blocked',
    )
  const json = { 'content-type': 'application/json' }
  return {
    plain: await send('/v2/subscribers', { method: 'POST', mode: 'no-cors', body }),
    json: await send('/v2/subscribers', { method: 'POST', headers: json, body }),
    header: await send('/v2/subscribers', { method: 'POST', headers: { ...json, 'x-tidings-session': '1' }, body }),
    newKey: await send('/v1/api-keys', { method: 'POST', mode: 'no-cors', body: '{"name":"mine"}' }),
    signOut: await send('/session', { method: 'DELETE' }),
    read: await send('/v2/subscribers', {}),
  }
}

describe('another origin', () => {
  // `localhost` is the same site on another port, so the cookie goes along; `127.0.0.1` is another site altogether.
  test.each(['localhost', '127.0.0.1'])('on %s can neither write nor read with the cookie', async (host) => {
    const { page, context, allow } = await world.visit()
    allow(/request to another origin/)
    allow(/CORS policy|ERR_FAILED|status of 40[13]|ERR_BLOCKED|favicon/)
    const marker = `victim-of-${host}`
    await page.goto(`http://${host}:${strangerPort}/`)
    const said = await page.evaluate(attacks, [world.url, marker] as const)
    expect(said).toMatchObject({ json: 'blocked', header: 'blocked', signOut: 'blocked', read: 'blocked' })
    // What a page may send without asking is sent, and refused by the server.
    const form = page.waitForResponse((reply) => reply.url() === `${world.url}/v2/subscribers`)
    await page.evaluate((target) => {
      document.body.innerHTML = `<form method="post" enctype="text/plain" action="${target}/v2/subscribers">
        <input name='{"subscriberId":"by-form","x":"' value='"}'></form>`
      document.querySelector('form')?.submit()
    }, world.url)
    expect([401, 403]).toContain((await form).status())

    const { data } = await world.api('GET', '/v2/subscribers')
    expect(data).toEqual([])
    expect((await world.api('GET', '/v1/api-keys')).data).toHaveLength(1)
    // Still signed in, and the same requests from our own page do work: it was their origin that stopped them.
    const own = await context.newPage()
    await own.goto(`${world.url}/api-keys`)
    await own.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    const ours = await own.evaluate(attacks, [world.url, marker] as const)
    expect(ours).toMatchObject({ header: 'basic 201', read: 'basic 200' })
    await world.api('DELETE', `/v2/subscribers/${marker}`)
  })

  test('cannot frame the dashboard', async () => {
    const { page, allow } = await world.visit()
    allow(/request to another origin/)
    allow(/frame-ancestors|X-Frame-Options|ERR_BLOCKED_BY_RESPONSE/i)
    await page.goto(`http://localhost:${strangerPort}/`)
    await page.evaluate((target) => {
      document.body.innerHTML = `<iframe src="${target}/"></iframe>`
    }, world.url)
    await page.waitForTimeout(1000)
    expect(await page.frames()[1]?.content()).not.toContain('Tidings')
  })
})

describe('the end of a session', () => {
  test('signing out ends it on the server too, and nothing of it can be gone back to', async () => {
    const visit = await world.visit({ signedIn: false })
    const { page, context } = visit
    await enter(visit, world.key)
    const [cookie] = await context.cookies()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await seesSignIn(page)
    expect(await context.cookies()).toEqual([])
    const again = await fetch(`${world.url}/v2/subscribers`, {
      headers: { cookie: `tidings_session=${cookie?.value}` },
    })
    expect(again.status).toBe(401)
    await page.goBack()
    await seesSignIn(page)
  })

  test('revoking the key ends the session, and the open page shows the sign-in', async () => {
    const { id, key } = await world.api('POST', '/v1/api-keys', { name: 'to be revoked' })
    const visit = await world.visit({ signedIn: false })
    const { page, allow } = visit
    await enter(visit, key)
    allow(/status of 401/)
    await page.getByText('Live', { exact: true }).waitFor()
    await world.api('DELETE', `/v1/api-keys/${id}`)
    const revokedAt = performance.now()
    await seesSignIn(page)
    console.log(`sign-in shown ${((performance.now() - revokedAt) / 1000).toFixed(1)} s after the key was revoked`)
  })

  test('within 5 s also at the worst moment: just remembered, just asked, and a second to draw', () => {
    expect(rememberMs + watchEveryMs).toBeLessThanOrEqual(4_000)
  })
})
