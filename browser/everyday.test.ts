import { beforeAll, expect, test } from 'vitest'
import { useWorld } from './world.ts'

/** What somebody does on an ordinary day: find a person, ask why, change a condition. */
const world = useWorld()

beforeAll(async () => {
  const ada = { subscriberId: 'u-1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
  await world.api('POST', '/v2/subscribers', ada)
  await world.api('POST', '/v2/subscribers', { subscriberId: 'u-2', firstName: 'Grace', email: 'grace@example.com' })
  await world.api('PATCH', '/v2/subscribers/u-1/preferences', { channels: { email: false } })
  await world.api('POST', '/v2/workflows', {
    workflowId: 'reminder',
    name: 'Reminder',
    steps: [
      { stepId: 'inbox', name: 'Inbox', type: 'in_app', controlValues: { body: 'Look: {{ payload.title }}' } },
      {
        stepId: 'mail',
        name: 'Mail',
        type: 'email',
        controlValues: { subject: 'Look', body: 'Look here' },
        when: { stepId: 'inbox', is: 'unread' },
        filters: [
          {
            isNegated: false,
            type: 'GROUP',
            value: 'AND',
            children: [{ on: 'payload', field: 'priority', operator: 'EQUAL', value: 'high' }],
          },
        ],
      },
    ],
  })
})

test('somebody is found while their name is typed, in any case, with one request for each pause', async () => {
  const { page } = await world.visit()
  await page.goto(`${world.url}/subscribers`)
  const field = page.getByRole('searchbox', { name: 'Search subscribers' })
  const ada = page.getByRole('row', { name: /Ada Lovelace/ })
  const grace = page.getByRole('row', { name: /Grace/ })
  await grace.waitFor()
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/v2/subscribers' && search.includes('search=')) asked.push(search)
  })
  for (const typed of ['ad', 'ada', 'ada l', 'ADA', 'ada@EX']) {
    await field.fill('')
    await grace.waitFor()
    asked.length = 0
    await field.pressSequentially(typed, { delay: 20 })
    await grace.waitFor({ state: 'detached' })
    await ada.waitFor()
    expect(asked, typed).toHaveLength(1)
  }
})

test('Explain says what a step depends on, and what would stop it anyway', async () => {
  const { page } = await world.visit()
  await page.goto(`${world.url}/explain?workflow=reminder&subscriber=u-1`)
  // Conditions read the payload: the form begins with all that the workflow reads, also where only a condition does.
  const payload = page.getByRole('textbox', { name: /^Payload/ })
  await expect.poll(() => payload.inputValue()).toContain('"title"')
  expect(JSON.parse(await payload.inputValue())).toEqual({ title: 'title', priority: 'high' })
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('would be skipped').waitFor()
  await page.getByText(/turned off by/).waitFor()
  await page.getByText('It also needs step inbox to be unread.').waitFor()
  await page.getByRole('link', { name: 'See their preferences' }).waitFor()

  await payload.fill('{ "title": "x", "priority": "low" }')
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText(/payload.priority equals the value asked for/).waitFor()
})

test('an empty condition is told before saving, and saving stays where one is', async () => {
  const { page, allow } = await world.visit()
  allow(/status of 422 .*\/v2\/workflows/)
  await page.goto(`${world.url}/workflows/reminder`)
  await page.getByRole('tab', { name: 'Conditions' }).click()
  await page.getByRole('button', { name: 'Add a condition' }).click()
  const field = page.getByRole('textbox', { name: 'Field' })
  await field.focus()
  await page.getByRole('textbox', { name: 'Value' }).focus()
  await page.getByText('Name a field, or remove this condition.').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('alert').waitFor()
  expect(await page.getByRole('tab', { name: 'Conditions' }).getAttribute('aria-selected')).toBe('true')
  expect(await page.getByText('version 1', { exact: true }).count()).toBeGreaterThan(0)

  await field.fill('priority')
  await page.getByRole('textbox', { name: 'Value' }).fill('high')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved as version 2').waitFor()
  expect(await page.getByRole('tab', { name: 'Conditions' }).getAttribute('aria-selected')).toBe('true')
})
