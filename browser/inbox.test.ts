import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useWorld } from './world.ts'

/** Somebody's bell, looked at from the dashboard: it changes by itself, and looking changes nothing. */
const world = useWorld()

beforeAll(async () => {
  const { api } = world
  await api('POST', '/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace' })
  await api('POST', '/v2/subscribers', { subscriberId: 'grace', firstName: 'Grace' })
  await api('POST', '/v2/subscribers', { subscriberId: 'hedy', firstName: 'Hedy' })
  await api('POST', '/v2/workflows', {
    workflowId: 'note',
    name: 'Note',
    steps: [
      {
        name: 'In-app',
        type: 'in_app',
        controlValues: { subject: '{{ payload.title }}', body: 'Look here', primaryAction: { label: 'Press me' } },
      },
    ],
  })
})

const trigger = (title: string, to = 'ada') =>
  world.api('POST', '/v1/events/trigger', { name: 'note', to, payload: { title } })
const feed = async (who = 'ada') => (await world.api('GET', `/v2/subscribers/${who}/notifications?limit=50`)).data
const unread = (page: Page, count: number) => page.getByRole('img', { name: `Bell: ${count} unread` }).waitFor()
const item = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: text })

test('somebody is chosen, and the bell changes by itself while nothing becomes seen or read', async () => {
  const { page } = await world.visit()
  const written: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') written.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  await page.goto(`${world.url}/inbox`)
  await page.getByText('Choose somebody', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Whose inbox' }).fill('Lovelace')
  await page.getByRole('option', { name: /Ada Lovelace/ }).click()
  expect(new URL(page.url()).search).toBe('?subscriberId=ada')
  await page.getByRole('heading', { name: 'As Ada Lovelace sees it' }).waitFor()
  await page.getByText('Ada Lovelace has no notifications').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  await trigger('The first')
  await unread(page, 1)
  await item(page, 'The first').getByText('Press me').waitFor()
  await trigger('The second')
  await trigger('For somebody else', 'grace')
  await unread(page, 2)
  await item(page, 'The second').getByText('not seen yet').waitFor()
  expect(await page.getByText('For somebody else').count()).toBe(0)

  // It has been looked at, also after a visit elsewhere.
  await item(page, 'The second').getByText('Press me').click({ force: true })
  await page.reload()
  await unread(page, 2)
  const states: { isSeen: boolean; isRead: boolean; primaryAction: { isCompleted: boolean } }[] = await feed()
  expect(states.map(({ isSeen, isRead }) => [isSeen, isRead])).toEqual([
    [false, false],
    [false, false],
  ])
  expect(states.some(({ primaryAction }) => primaryAction.isCompleted)).toBe(false)
  expect(new Set(written)).toEqual(new Set(['POST /v2/subscribers/ada/inbox-session']))

  // What the person does elsewhere is seen here.
  const [newest] = await feed()
  await world.api('PATCH', `/v2/subscribers/ada/notifications/${newest.id}/read`)
  await unread(page, 1)
  await item(page, 'The second').getByText('read', { exact: true }).waitFor()
})

test('the snippets are whole: the identifier, both addresses, the person, and no key', async () => {
  const { page, context } = await world.visit()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { identifier } = (await world.api('GET', '/v1/environment')).data
  await page.goto(`${world.url}/subscribers/ada`)
  await page.getByRole('main').getByRole('link', { name: 'Inbox' }).click()
  const copied = async (label: string) => {
    const box = page.getByRole('group', { name: label }).locator('..')
    await box.getByRole('button', { name: 'Copy' }).click()
    await box.getByRole('button', { name: 'Copied' }).waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const react = await copied('React component')
  expect(react).toContain(`applicationIdentifier="${identifier}"`)
  expect(react).toContain('subscriberId="ada"')
  expect(react).toContain(`backendUrl="${world.url}"`)
  expect(react).toContain(`socketUrl="${world.url}"`)
  await page.getByRole('tab', { name: 'JavaScript' }).click()
  const client = await copied('JavaScript client')
  expect(client).toContain(identifier)
  expect(client).toContain(`url: '${world.url}'`)
  expect(await copied('Hash on the server')).toContain("update('ada')")
  await page.getByRole('button', { name: 'Copy identifier' }).click()
  await page.getByRole('definition').getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(identifier)
  await page.getByText('optional', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(world.key)
})

test('a connection that cannot be made is told, and comes with what happened meanwhile', async () => {
  const { page, allow } = await world.visit()
  allow(/ERR_FAILED/)
  const stream = `${world.url}/v1/inbox/stream`
  await page.route(stream, (route) => route.abort())
  await page.goto(`${world.url}/inbox?subscriberId=hedy`)
  await page.getByText('Connecting again…').waitFor()
  await page.getByText('Hedy has no notifications').waitFor()
  await trigger('Meanwhile', 'hedy')
  await page.unroute(stream)
  await page.getByText('Live', { exact: true }).waitFor()
  await unread(page, 1)
  await item(page, 'Meanwhile').waitFor()
})

test('somebody unknown, and a session that is refused: what to do is said', async () => {
  const { page, allow } = await world.visit()
  allow(/status of 40[14] .*\/(subscribers|inbox)\//)
  await page.goto(`${world.url}/inbox?subscriberId=nobody`)
  await page.getByText('Nobody has the id “nobody”').waitFor()
  await page.getByRole('link', { name: 'All subscribers' }).waitFor()
  await trigger('Farewell', 'grace')
  const stream = `${world.url}/v1/inbox/stream`
  await page.route(stream, (route) => route.fulfill({ status: 401, json: { code: 'inbox_unauthorized' } }))
  await page.goto(`${world.url}/inbox?subscriberId=grace`)
  await item(page, 'Farewell').waitFor()
  const ended = page.getByRole('alert').filter({ hasText: 'This look has ended' })
  await ended.getByRole('button', { name: 'Open again' }).waitFor()
  await page.unroute(stream)
  await ended.getByRole('button', { name: 'Open again' }).click()
  await page.getByText('Live', { exact: true }).waitFor()

  await world.api('DELETE', '/v2/subscribers/grace')
  await page.reload()
  await page.getByText('Nobody has the id “grace”').waitFor()
})
