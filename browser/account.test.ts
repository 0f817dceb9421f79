import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { appCode } from './app-code.ts'
import { faultsOf, settled } from './faults.ts'
import {
  addMember,
  allowRefusals,
  enterAs,
  fillSignIn,
  goodPassword,
  heading,
  invite,
  passwordField,
} from './people.ts'
import { picture } from './picture.ts'
import { useWorld, type Visit } from './world.ts'

/** What belongs to a person: the name, the password, the second proof, the sessions. */
const world = useWorld()
const at = (path: string) => world.url + path
const email = 'grace@example.com'
const fresh = 'another quiet evening by the lake'
const small = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

beforeAll(async () => {
  await addMember(world, { email, name: 'Grace Hopper', role: 'owner' })
})

async function signedIn(options: Parameters<typeof world.visit>[0] = {}, who = email): Promise<Visit> {
  const visit = await world.visit({ ...options, signedIn: false })
  await enterAs(visit.context, world, who)
  return visit
}

const region = (page: Page, name: string) =>
  page.locator('section', { has: page.getByRole('heading', { name, level: 2 }) })

test('a new name is at the top of the page at once', async () => {
  const { page } = await signedIn()
  await page.goto(at('/topics'))
  await page.getByRole('button', { name: /^Your account/ }).click()
  await page.getByRole('link', { name: 'Account and security' }).click()
  await heading(page, 'Account')
  await page.getByLabel('Name', { exact: true }).fill('Grace B. Hopper')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Your account: Grace B. Hopper' }).waitFor()
})

describe('sessions', () => {
  test('are listed; ending one elsewhere shows the sign-in there within 5 s, with a sentence', async () => {
    const [here, there] = [await signedIn(), await signedIn(small)]
    there.allow(/status of 401/)
    await there.page.goto(at('/topics'))
    await there.page.getByRole('button', { name: 'New topic' }).waitFor()
    await here.page.goto(at('/account'))
    const list = here.page.getByRole('list', { name: 'Sessions' })
    await list.getByText('Chrome on Linux').first().waitFor()
    expect(await list.getByText('this one').count()).toBe(1)
    await here.page.getByRole('button', { name: 'End all others' }).click()
    await here.page.getByRole('button', { name: 'End them' }).click()
    await here.page.getByText('Your other sessions are over').waitFor()
    const endedAt = performance.now()
    await heading(there.page, 'Sign in')
    await there.page.getByText('You were signed out').waitFor()
    expect(performance.now() - endedAt).toBeLessThan(5_000)
    expect(await list.getByRole('listitem').count()).toBe(1)
  })

  test('are ended one by one, too', async () => {
    const here = await signedIn()
    await signedIn()
    await here.page.goto(at('/account'))
    const list = here.page.getByRole('list', { name: 'Sessions' })
    await expect.poll(() => list.getByRole('listitem').count()).toBe(3)
    for (const left of [2, 1]) {
      await list
        .getByRole('button', { name: /^End the session/ })
        .first()
        .click()
      await expect.poll(() => list.getByRole('listitem').count()).toBe(left)
    }
  })
})

describe('the password', () => {
  test('is changed by the one before; what is wrong is said at its field, and other sessions are over', async () => {
    const [here, there] = [await signedIn(), await signedIn()]
    const { page, allow } = here
    allow(/status of 4(03|22) .*\/session\/account\/password/)
    there.allow(/status of 401/)
    await there.page.goto(at('/topics'))
    await page.goto(at('/account'))
    const card = region(page, 'Password')
    const change = async (current: string, password: string) => {
      await card.getByLabel('Password now').fill(current)
      await card.getByLabel('New password').fill(password)
      await page.keyboard.press('Enter')
    }
    await change('not the right one', fresh)
    await card.getByText('This is not your password.').waitFor()
    await change(goodPassword, email)
    await card.getByText('It must not be your name or address').waitFor()
    await change(goodPassword, fresh)
    await page.getByText('The password is changed').waitFor()
    await heading(there.page, 'Sign in')
    // Back, for what follows.
    await change(fresh, goodPassword)
    await expect.poll(() => card.getByLabel('New password').inputValue()).toBe('')
  })
})

describe('the second proof', () => {
  let recoveryCodes: string[] = []
  let secret = ''

  test('is set up with an app: a picture, the same as text, a code, and codes to keep', async () => {
    const { page, allow } = await signedIn()
    allow(/status of 403 .*\/two-factor/)
    await page.goto(at('/account'))
    await page.getByRole('button', { name: 'Set it up' }).press('Enter')
    await page.keyboard.type(goodPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code for the app' }).waitFor()
    secret = (await page.locator('[data-secret]').innerText()).replaceAll(/\s/g, '')
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(await faultsOf(page, 'set up')).toEqual([])
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.getByText('This is not the code of now.').waitFor()
    await page.getByRole('textbox', { name: 'Code' }).fill(appCode(secret).replace(/(...)/, '$1 '))
    await page.keyboard.press('Enter')
    const codes = page.getByRole('region', { name: 'Recovery codes' })
    await codes.waitFor()
    recoveryCodes = await codes.getByRole('listitem').allInnerTexts()
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await faultsOf(page, 'codes')).toEqual([])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('tidings-recovery-codes.txt')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await region(page, 'Two-factor sign-in').getByText('10 recovery codes are left').waitFor()
    await settled(page)
    await picture(page, 'account-1440-light')
    expect(await faultsOf(page, 'account')).toEqual([])
  })

  test('is asked for when one signs in: a code of the app, pasted with a space, or a code that was kept, once', async () => {
    const visit = await world.visit({ ...small, signedIn: false })
    allowRefusals(visit)
    const { page } = visit
    await page.goto(at('/env/development/topics'))
    await fillSignIn(page, email)
    await heading(page, 'The second proof')
    const code = page.getByRole('textbox', { name: 'Code' })
    expect(await code.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code')
    expect(await faultsOf(page, 'code')).toEqual([])
    await picture(page, 'sign-in-code-390-dark')
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.getByText('This is not the code of now.').waitFor()
    await code.fill(appCode(secret, 1).replace(/(...)/, '$1 '))
    await page.keyboard.press('Enter')
    await heading(page, 'Topics')
    await page.getByRole('button', { name: /^Your account/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    for (const [tried, isTaken] of [
      [recoveryCodes[0], true],
      [recoveryCodes[0], false],
      [recoveryCodes[1], true],
    ] as const) {
      await page.goto(at('/sign-in'))
      await fillSignIn(page, email)
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(tried ?? '')
      await page.keyboard.press('Enter')
      if (isTaken) await heading(page, 'Overview')
      else await page.getByText('This is not the code of now.').waitFor()
    }
    await page.goto(at('/account'))
    await page.getByText('8 recovery codes are left').waitFor()
    await settled(page)
    expect(await faultsOf(page, 'account small')).toEqual([])
    await picture(page, 'account-390-dark')
  })

  test('gets new codes, which end the old, and is turned off by password and code together', async () => {
    const visit = await world.visit({ signedIn: false })
    allowRefusals(visit)
    const { page } = visit
    await page.goto(at('/account'))
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[2] ?? '')
    await page.keyboard.press('Enter')
    await heading(page, 'Account')
    const prove = async (code = '') => {
      await passwordField(page).fill(goodPassword)
      await page.getByRole('textbox', { name: 'Code' }).fill(code)
      await page.keyboard.press('Enter')
    }
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await prove(recoveryCodes[3])
    await page.getByRole('region', { name: 'Recovery codes' }).waitFor()
    const renewed = await page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: 'Turn it off' }).click()
    await prove(recoveryCodes[4])
    await page.getByText('The password or the code is not right.').waitFor()
    await prove(renewed[0])
    await page.getByText('Two-factor sign-in is off').waitFor()
    await page.getByRole('button', { name: 'Set it up' }).waitFor()
  })
})

test('somebody known joins another organization by their own sign-in, and goes back and forth', async () => {
  const said = await world.command('environments', 'create', 'Elsewhere', 'Another house')
  const id =
    /^([0-9a-f-]{36}).* organization \S+ "Another house"/m.exec(await world.command('environments', 'list'))?.[1] ??
    said
  const key = /td_\w+/.exec(await world.command('keys', 'create', id, 'reaching', '--organization'))?.[0]
  const reply = await fetch(at('/v1/members/invitations'), {
    method: 'POST',
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, role: 'viewer' }),
  })
  const { link } = await reply.json()
  const stranger = await world.visit({ ...small, signedIn: false })
  allowRefusals(stranger)
  await stranger.page.goto(new URL(link, world.url).href)
  await heading(stranger.page, 'Join Another house')
  await settled(stranger.page)
  expect(await faultsOf(stranger.page, 'known')).toEqual([])
  expect(await stranger.page.getByLabel('E-mail').inputValue()).toBe(email)
  await passwordField(stranger.page).fill(goodPassword)
  await stranger.page.keyboard.press('Enter')
  await heading(stranger.page, 'Overview')
  await stranger.page.goto(at('/account'))
  await stranger.page.getByRole('list', { name: 'Organizations' }).getByText('Another house').waitFor()
  await stranger.page.getByRole('button', { name: 'Go to My organization' }).click()
  await heading(stranger.page, 'Overview')
  await stranger.page.getByRole('button', { name: 'Environment Development' }).waitFor()

  // The invitation of another is not theirs.
  await addMember(world, { email: 'ada@example.com', name: 'Ada', role: 'viewer' })
  const eve = await signedIn({}, 'ada@example.com')
  allowRefusals(eve)
  await eve.page.goto(await invite(world, { email: 'new@example.com', role: 'viewer' }))
  await heading(eve.page, 'This is for somebody else')
  expect(await faultsOf(eve.page, 'else')).toEqual([])
  await eve.page.getByRole('button', { name: 'Sign out and go on' }).click()
  await heading(eve.page, 'Join My organization')
  await eve.page.getByLabel('Your name').waitFor()
})
