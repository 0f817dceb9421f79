import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { appCode } from './app-code.ts'
import { faultsOf, settled } from './faults.ts'
import { addMember, allowRefusals, enterAs, fillSignIn, goodPassword, heading } from './people.ts'
import { picture } from './picture.ts'
import { useWorld } from './world.ts'

/** A forgotten password, and what holds for the whole organization. The tests build on each other. */
const world = useWorld()
const at = (path: string) => world.url + path
const grace = { email: 'grace@example.com', name: 'Grace Hopper', role: 'owner' }
const ada = { email: 'ada@example.com', name: 'Ada Lovelace', role: 'admin' }
const fresh = 'a bright morning in the hills'
const small = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

beforeAll(async () => {
  for (const one of [grace, ada]) await addMember(world, one)
})

const resetsTo = async (email: string): Promise<string[]> => {
  const { data } = await world.api('GET', `/v1/dev/mailbox?to=${encodeURIComponent(email)}`)
  return data.flatMap(({ content }: { content: string }) => /https?:\S+\/reset#token=[\w.-]+/.exec(content)?.[0] ?? [])
}

/** From the sign-in to the mail: the newest link, once there are so many. */
async function askForLink(page: Page, email: string, count: number): Promise<string> {
  await page.goto(at('/sign-in'))
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await heading(page, 'Forgot your password?')
  await page.getByLabel('E-mail').fill(email)
  await page.keyboard.press('Enter')
  await heading(page, 'Look into your mailbox')
  await expect.poll(() => resetsTo(email), { timeout: 15_000 }).toHaveLength(count)
  return (await resetsTo(email))[0] ?? ''
}

const newPassword = (page: Page) => page.getByLabel('New password', { exact: true })

describe('a forgotten password', () => {
  test('is replaced by a link in a mail, which signs one in and ends what was open elsewhere', async () => {
    const before = await world.visit({ signedIn: false })
    before.allow(/status of 401/)
    await enterAs(before.context, world, grace.email)
    await before.page.goto(at('/topics'))
    const { page, allow } = await world.visit({ ...small, signedIn: false })
    allow(/status of 422 .*\/session\/reset/)
    await page.goto(at('/sign-in'))
    await page.getByRole('link', { name: 'Forgot your password?' }).waitFor()
    await picture(page, 'sign-in-390-dark')
    await page.goto(at('/reset'))
    await settled(page)
    expect(await faultsOf(page, 'forgot')).toEqual([])
    await picture(page, 'reset-ask-390-dark')
    const link = await askForLink(page, grace.email, 1)
    await settled(page)
    expect(await faultsOf(page, 'asked')).toEqual([])
    await picture(page, 'reset-asked-390-dark')
    await readInMailbox()

    const token = link.split('#token=')[1] ?? ''
    const sent: string[] = []
    page.on('request', (request) => {
      const told = [request.url(), request.headers().referer ?? '', request.postData() ?? ''].join(' ')
      if (told.includes(token)) sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    await page.goto('about:blank')
    await page.goto(link)
    await heading(page, 'Choose a new password')
    expect(page.url()).toBe(at('/reset'))
    await settled(page)
    expect(await faultsOf(page, 'choose')).toEqual([])
    await picture(page, 'reset-choose-390-dark')
    await newPassword(page).fill('too short')
    await page.keyboard.press('Enter')
    await page.getByText('It is too short.').waitFor()
    expect(sent).toEqual([])
    await newPassword(page).fill(grace.email)
    await page.keyboard.press('Enter')
    await page.getByText('It must not be your name or address.').waitFor()
    await newPassword(page).fill(fresh)
    await page.keyboard.press('Enter')
    await heading(page, 'Overview')
    await page.getByRole('button', { name: `Your account: ${grace.name}` }).waitFor()
    expect(new Set(sent)).toEqual(new Set(['POST /session/reset']))
    await heading(before.page, 'Sign in')
  })

  /** As it is seen by whoever develops. */
  async function readInMailbox(): Promise<void> {
    const { page } = await world.visit()
    await page.goto(at(`/mailbox?to=${encodeURIComponent(grace.email)}`))
    await page.getByText('Choose a new password').first().click()
    await page.frameLocator('iframe').getByRole('link', { name: 'Choose a new password' }).waitFor()
    await picture(page, 'reset-mail-1440-light')
  }

  test('opens with the new one alone; its link does nothing more, and leads to a new one', async () => {
    const visit = await world.visit({ signedIn: false })
    allowRefusals(visit)
    const { page } = visit
    await page.goto(at('/sign-in'))
    await fillSignIn(page, grace.email, goodPassword)
    await page.getByText('This address and this password do not belong together.').waitFor()
    await page.goto((await resetsTo(grace.email))[0] ?? '')
    await newPassword(page).fill('the password of a thief')
    await page.keyboard.press('Enter')
    await heading(page, 'This link opens nothing any more')
    expect(await faultsOf(page, 'used')).toEqual([])
    await picture(page, 'reset-used-1440-light')
    await page.getByRole('button', { name: 'Ask for a new link' }).click()
    await heading(page, 'Forgot your password?')
    await page.goto(at('/sign-in'))
    await fillSignIn(page, grace.email, fresh)
    await heading(page, 'Overview')
  })

  test('is not enough where there is a second proof', async () => {
    const secret = await setUpSecondProof(ada.email)
    const visit = await world.visit({ signedIn: false })
    allowRefusals(visit)
    const { page } = visit
    const link = await askForLink(page, ada.email, 1)
    await page.goto('about:blank')
    await page.goto(link)
    await newPassword(page).fill(fresh)
    await page.keyboard.press('Enter')
    await heading(page, 'The password is changed')
    expect(await faultsOf(page, 'changed')).toEqual([])
    await picture(page, 'reset-changed-1440-light')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await fillSignIn(page, ada.email, fresh)
    await page.getByLabel('Code').fill(appCode(secret, 1))
    await page.keyboard.press('Enter')
    await heading(page, 'Overview')
  })

  async function setUpSecondProof(email: string): Promise<string> {
    const { context } = await world.visit({ signedIn: false })
    await enterAs(context, world, email)
    const send = async (path: string, data: object) => {
      const reply = await context.request.post(at(path), { data, headers: { 'x-tidings-session': '1' } })
      expect(reply.status(), await reply.text()).toBe(200)
      return reply.json()
    }
    const { secret } = await send('/session/account/two-factor', { password: goodPassword })
    await send('/session/account/two-factor/confirm', { code: appCode(secret) })
    return secret
  }
})
