import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
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

/** From nobody to a team: a first start, invitations, roles, and the end of a membership. The tests build on each other. */
const world = useWorld()
const at = (path: string) => world.url + path
const grace = { email: 'grace@example.com', name: 'Grace Hopper' }
const ada = { email: 'ada@example.com', name: 'Ada Lovelace', id: '' }
let productionId = ''

const small = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const
const ownName = (page: Page, name: string) => page.getByRole('button', { name: `Your account: ${name}` })

describe('a first start', () => {
  test('lets whoever runs it invite themselves as owner, by keys alone', async () => {
    const { page, allow } = await world.visit()
    allow(/status of 422 .*\/session\/accept/)
    await page.goto(at('/members'))
    await page.getByText('Nobody has an account here yet').waitFor()
    expect(await faultsOf(page, 'nobody')).toEqual([])
    await picture(page, 'members-nobody-1440-light')
    await page.getByRole('button', { name: 'Invite yourself as owner' }).press('Enter')
    await page.keyboard.type(grace.email)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Choose a name and a password' }).press('Enter')
    await heading(page, 'Join My organization')
    expect(await page.getByLabel('E-mail').inputValue()).toBe(grace.email)
    await page.keyboard.type(grace.name)
    await page.keyboard.press('Tab')
    await page.keyboard.type('too short')
    await page.keyboard.press('Enter')
    await page.getByText('It is too short.').waitFor()
    await page.getByText('3 more to go').waitFor()
    await passwordField(page).fill(`${grace.name}`)
    await page.keyboard.press('Enter')
    // Said by the server: until then the button is busy.
    await page.getByText('It must not be your name or address.').waitFor()
    await passwordField(page).fill(goodPassword)
    await page.keyboard.press('Enter')
    await heading(page, 'Overview')
    await ownName(page, grace.name).press('Enter')
    const menu = page.getByRole('dialog', { name: 'Your account' })
    await menu.getByText('owner in Development').waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    const { data } = await world.api('GET', '/v1/members')
    expect(data).toMatchObject([{ ...grace, role: 'owner' }])
  })
})

describe('an invitation', () => {
  test('names a role for each place; the link is shown once and opens the page of whoever holds it', async () => {
    const visit = await world.visit({ signedIn: false })
    const { page, context } = visit
    await enterAs(context, world, grace.email)
    await page.goto(at('/members'))
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
    await dialog.getByLabel('E-mail address').fill(ada.email)
    await dialog.getByRole('radio', { name: 'Author everywhere' }).check()
    expect(await dialog.getByRole('radio', { name: 'Author in Production' }).isChecked()).toBe(true)
    await dialog.getByRole('radio', { name: 'Viewer in Production' }).check()
    await dialog.getByText('workflows, layouts and languages; no credentials').waitFor()
    expect(await faultsOf(page, 'invite')).toEqual([])
    await picture(page, 'members-invite-1440-light')
    await page.keyboard.press('Enter')
    const shown = page.getByRole('group', { name: 'Link of the invitation' })
    const link = (await shown.textContent()) ?? ''
    expect(link).toMatch(new RegExp(`^${world.url}/accept#token=`))
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /^ada@example.com .* by Grace Hopper Author viewer in Production/ }).waitFor()
    expect(await page.getByText(link).count()).toBe(0)

    const other = await world.visit({ ...small, signedIn: false })
    allowRefusals(other)
    await acceptAs(other, link)
  })

  /** The token leaves the address before anything is drawn, and is in no request but the two that need it. */
  async function acceptAs({ page }: Visit, link: string): Promise<void> {
    const token = link.split('#token=')[1] ?? ''
    const sent: string[] = []
    page.on('request', (request) => {
      const told = [request.url(), request.headers().referer ?? '', request.postData() ?? ''].join(' ')
      if (told.includes(token)) sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    await page.goto(link)
    await heading(page, 'Join My organization')
    expect(page.url()).toBe(at('/accept'))
    expect(
      await page.evaluate(() => JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }])),
    ).not.toContain(token)
    await settled(page)
    expect(await faultsOf(page, 'accept')).toEqual([])
    await picture(page, 'accept-390-dark')
    await page.getByLabel('Your name').fill(ada.name)
    expect(await passwordField(page).getAttribute('autocomplete')).toBe('new-password')
    await passwordField(page).fill(goodPassword)
    await page.getByRole('button', { name: 'Join' }).click()
    await heading(page, 'Overview')
    await page.goto(at('/accept'))
    await heading(page, 'The link is not whole')
    expect(sent).toEqual(['POST /session/invitation', 'POST /session/accept'])
  }

  test('that was used says so in words, and leads to the sign-in', async () => {
    const link = await invite(world, { email: 'eve@example.com', role: 'viewer' })
    const { data } = await world.api('GET', '/v1/members/invitations')
    await world.api('DELETE', `/v1/members/invitations/${data[0].id}`)
    const visit = await world.visit({ ...small, signedIn: false })
    allowRefusals(visit)
    const { page } = visit
    await page.goto(link)
    await heading(page, 'This link opens nothing any more')
    expect(await faultsOf(page, 'used')).toEqual([])
    await page.getByRole('link', { name: 'To the sign-in' }).click()
    await heading(page, 'Sign in')
  })

  test('is renewed, which ends the link before, and taken back', async () => {
    const { page, context } = await world.visit({ signedIn: false })
    await enterAs(context, world, grace.email)
    const before = await invite(world, { email: 'eve@example.com', role: 'viewer' })
    await page.goto(at('/members'))
    await page.getByRole('button', { name: 'New link for eve@example.com' }).click()
    const after = await page.getByRole('group', { name: 'Link of the invitation' }).textContent()
    expect(after).not.toBe(before)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke the invitation of eve@example.com' }).click()
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByRole('table', { name: 'Invitations' }).waitFor({ state: 'detached' })
  })
})

describe('signing in', () => {
  test('begins with the address; what is wrong is not told, and one waits after too many tries', async () => {
    await addMember(world, { email: 'guessed@example.com', name: 'Guessed', role: 'viewer' })
    const visit = await world.visit({ ...small, signedIn: false })
    allowRefusals(visit)
    const { page } = visit
    await page.goto(at('/env/production/topics'))
    await heading(page, 'Sign in')
    expect(await page.getByLabel('E-mail').evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await page.getByLabel('E-mail').getAttribute('autocomplete')).toBe('username')
    expect(await passwordField(page).getAttribute('autocomplete')).toBe('current-password')
    expect(await faultsOf(page, 'sign-in')).toEqual([])
    await picture(page, 'sign-in-people-390-dark')
    const refusal = page.getByText('This address and this password do not belong together.')
    for (const email of ['nobody@example.com', grace.email]) {
      await fillSignIn(page, email, 'not the right one')
      await refusal.waitFor()
      // Ready for the next try.
      expect(await passwordField(page).evaluate((it) => it === document.activeElement)).toBe(true)
      await page.reload()
    }
    // The pauses double: a slow machine, whose tries are seconds apart, comes to one that it cannot wait out as well.
    for (let tries = 0, status = 0; tries < 12 && status !== 429; tries++) {
      const answer = page.waitForResponse(
        (reply) => reply.url().endsWith('/session') && reply.request().method() === 'POST',
      )
      await fillSignIn(page, 'guessed-nobody@example.com', 'not the right one')
      status = (await answer).status()
      await page.getByRole('button', { name: 'Sign in' }).and(page.locator(':not(:has(svg))')).waitFor()
    }
    await page.getByRole('timer').waitFor()
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true)
    expect(await faultsOf(page, 'waiting')).toEqual([])
    await page.getByRole('timer').waitFor({ state: 'detached', timeout: 60_000 })
    await fillSignIn(page, grace.email)
    await heading(page, 'Topics')
    expect(page.url()).toBe(at('/env/production/topics'))
  })

  test('with a key is one press away, and keeps where one wanted to go', async () => {
    const visit = await world.visit({ signedIn: false })
    allowRefusals(visit)
    const { page } = visit
    await page.goto(at('/env/development/topics'))
    await page.getByRole('link', { name: 'Use an API key' }).click()
    await page.getByLabel('API key').fill(world.key)
    await page.keyboard.press('Enter')
    await heading(page, 'Topics')
  })
})

describe('a role', () => {
  test('that is changed is followed by open pages within 5 s, with a sentence', async () => {
    const { data } = await world.api('GET', '/v1/members')
    ada.id = data.find(({ email }: { email: string }) => email === ada.email).personId
    const [owner, author] = [await world.visit({ signedIn: false }), await world.visit({ signedIn: false })]
    await enterAs(owner.context, world, grace.email)
    await enterAs(author.context, world, ada.email)
    await author.page.goto(at('/env/development/layouts'))
    await author.page.getByRole('button', { name: 'New layout' }).first().waitFor()
    await owner.page.goto(at('/members'))
    await owner.page.getByRole('button', { name: ada.name }).click()
    const drawer = owner.page.getByRole('dialog', { name: ada.name })
    await drawer.getByRole('radio', { name: 'Viewer everywhere' }).check()
    expect(await faultsOf(owner.page, 'member')).toEqual([])
    await picture(owner.page, 'members-role-1440-light')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await owner.page.getByText('The role of Ada Lovelace is changed').waitFor()
    const changedAt = performance.now()
    await author.page.getByText('Somebody changed your role: in Development you are a viewer now.').waitFor()
    expect(performance.now() - changedAt).toBeLessThan(5_000)
    await author.page.getByRole('region', { name: 'What you may do here' }).waitFor()
    expect(await author.page.getByRole('button', { name: 'New layout' }).count()).toBe(0)
    expect(await author.page.getByRole('link', { name: 'Members' }).count()).toBe(0)
    await author.page.goto(at('/members'))
    await author.page.getByText('changing people and their roles is for owners and admins').waitFor()
    await owner.page.getByRole('row', { name: /^Ada Lovelace ada@example.com Viewer/ }).waitFor()
    await settled(owner.page)
    await picture(owner.page, 'members-1440-light')
  })

  test('is given by nobody beyond their own, and the last owner stays: it says so before one tries', async () => {
    const environments: { _id: string; slug: string }[] = await world.api('GET', '/v1/environments')
    productionId = environments.find(({ slug }) => slug === 'production')?._id ?? ''
    const less = [{ environmentId: productionId, role: 'viewer' }]
    await addMember(world, { email: 'alan@example.com', name: 'Alan', role: 'admin', environments: less })
    const { page, context } = await world.visit({ signedIn: false })
    await enterAs(context, world, 'alan@example.com')
    await page.goto(at('/env/development/members'))
    await page.getByRole('button', { name: grace.name }).click()
    await page.getByText('Grace Hopper is the last owner of My organization.').waitFor()
    expect(await page.getByRole('radio', { disabled: false }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: ada.name }).click()
    const drawer = page.getByRole('dialog', { name: ada.name })
    expect(await drawer.getByRole('radio', { name: 'Owner everywhere' }).isDisabled()).toBe(true)
    expect(await drawer.getByRole('radio', { name: 'Author in Production' }).isDisabled()).toBe(true)
    await drawer.getByRole('radio', { name: 'Admin everywhere' }).check()
    // Production names its own already.
    await drawer.getByRole('radio', { name: 'Nothing in Production' }).check()
    expect(await drawer.getByRole('button', { name: 'Save' }).isDisabled()).toBe(false)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
    await dialog.getByLabel('E-mail address').fill('friend@example.com')
    await dialog.getByRole('radio', { name: 'Author everywhere' }).check()
    await dialog.getByText('Nobody gives more than they have. In Production you are a viewer.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Invite' }).isDisabled()).toBe(true)
    await dialog.getByRole('radio', { name: 'Viewer in Production' }).check()
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await page.getByText('friend@example.com is invited').waitFor()
  })

  test('on a narrow window is chosen from lists', async () => {
    const { page, context } = await world.visit({ ...small, signedIn: false })
    await enterAs(context, world, grace.email)
    await page.goto(at('/members'))
    await page.getByRole('button', { name: ada.name }).click()
    await page.getByLabel('Everywhere').selectOption('Operator')
    await page.getByLabel('In Production').selectOption('As everywhere: operator')
    expect(await faultsOf(page, 'member small')).toEqual([])
    await picture(page, 'members-role-390-dark')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /^Ada Lovelace ada@example.com Operator$/ }).waitFor()
  })
})

describe('the end of a membership', () => {
  test('is asked about with what ends; the open page of whoever was removed shows the sign-in, and why', async () => {
    const [owner, gone] = [await world.visit({ signedIn: false }), await world.visit({ signedIn: false })]
    gone.allow(/status of 401/)
    await enterAs(owner.context, world, grace.email)
    await enterAs(gone.context, world, ada.email)
    await gone.page.goto(at('/topics'))
    await gone.page
      .getByText('Live', { exact: true })
      .or(gone.page.getByRole('button', { name: 'New topic' }))
      .first()
      .waitFor()
    await owner.page.goto(at('/members'))
    await owner.page.getByRole('button', { name: ada.name }).click()
    await owner.page.getByRole('button', { name: 'Remove from My organization' }).click()
    const dialog = owner.page.getByRole('dialog', { name: 'Remove Ada Lovelace?' })
    await dialog.getByText('API keys go on working').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await owner.page.getByText('Ada Lovelace is removed').waitFor()
    await heading(gone.page, 'Sign in')
    await gone.page.getByText('You were signed out').waitFor()
    await fillSignIn(gone.page, ada.email)
    await gone.page.getByText('This address and this password do not belong together.').waitFor()
  })
})
