import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Visit, World } from './world.ts'

export const goodPassword = 'a quiet evening by the lake'
const ofDashboard = { 'x-tidings-session': '1' }

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
export const passwordField = (page: Page) => page.getByLabel('Password', { exact: true })

type Asked = { email: string; role: string | null; environments?: { environmentId: string; role: string | null }[] }

/** The address of the page that an invitation leads to. */
export async function invite({ api, url }: World, asked: Asked): Promise<string> {
  const { link } = await api('POST', '/v1/members/invitations', asked)
  return new URL(link, url).href
}

/** Somebody new, past the pages: for tests that begin later. */
export async function addMember(world: World, asked: Asked & { name: string }): Promise<string> {
  const { name, ...invited } = asked
  const token = (await invite(world, invited)).split('#token=')[1]
  const reply = await fetch(`${world.url}/session/accept`, {
    method: 'POST',
    headers: { ...ofDashboard, 'content-type': 'application/json' },
    body: JSON.stringify({ token, name, password: goodPassword }),
  })
  const text = await reply.text()
  expect(reply.status, text).toBe(200)
  return JSON.parse(text).person.id
}

/** A session of theirs for a browser, without its pages. */
export async function enterAs(context: BrowserContext, { url }: World, email: string): Promise<void> {
  const data = { email, password: goodPassword }
  const reply = await context.request.post(`${url}/session`, { data, headers: ofDashboard })
  expect(reply.status(), await reply.text()).toBe(200)
}

/** By the form, from wherever it is shown. */
export async function fillSignIn(page: Page, email: string, password = goodPassword): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await passwordField(page).fill(password)
  await page.keyboard.press('Enter')
}

/** What a browser says of refusals that are part of a test. */
export function allowRefusals({ allow }: Visit): void {
  allow(/status of 4(01|03|29) .*\/session/)
}
