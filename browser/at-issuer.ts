import type { Page } from 'playwright-core'
import type { Issuer } from '../test/peers/issuer.ts'
import type { Visit, World } from './world.ts'

/** A browser in which nobody is signed in. Pages of the issuer are of another origin, and say nothing to the console. */
export async function visitWith(
  issuer: Issuer,
  world: World,
  options: Parameters<World['visit']>[0] = {},
): Promise<Visit> {
  const made = await world.visit({ ...options, signedIn: false })
  made.allow(new RegExp(`another origin: ${issuer.url}/`))
  return made
}

/** On the page Organization, as an owner. */
export async function connectIssuer(page: Page, issuer: Issuer, domain: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a connection' }).click()
  for (const [label, text] of [
    ['Name', 'Corp'],
    ['Issuer', issuer.url],
    ['Client id', issuer.clientId],
    ['Client secret', issuer.clientSecret],
    ['E-mail domains', domain],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(text)
}

/** Who one is, on the issuer's own page. */
export async function signInThere(page: Page, account: string): Promise<void> {
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor()
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
