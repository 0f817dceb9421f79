import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration, storyOf } from '../../../test/outside.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { startTeams, teamsApp } from '../../../test/vendors/msteams.ts'

const publicUrl = 'https://tidings.example.com'
const teams = await startTeams({ redirectUris: [`${publicUrl}/v1/integrations/chat/oauth/callback`] })
// Its clock is another one's by default.
teams.advance(Date.now() - teams.now().getTime())
afterAll(() => teams.close())
const h = useHarness({ ...allowing(teams.port), PUBLIC_URL: publicUrl }, { worker: true })

const customer = '44444444-dddd-4000-8000-000000000001'
const neighbour = '44444444-dddd-4000-8000-000000000002'
const ada = '33333333-cccc-4000-8000-00000000000a'
const eve = '33333333-cccc-4000-8000-00000000000e'

beforeEach(() => {
  teams.posted.length = 0
})

async function arrange(): Promise<Client> {
  const env = await h.environment()
  const step = { name: 'Chat', type: 'chat', controlValues: { body: 'Order {{payload.order}}' } }
  await makeWorkflow(env, 'hello', { steps: [step] })
  await makeSubscribers(env, ['ada'])
  const { clientId, secretKey, tenant: domain } = teamsApp
  const credentials = { clientId, secretKey, domain, host: teams.authority, baseUrl: teams.serviceUrl }
  await makeIntegration(env, { providerId: 'msteams', channel: 'chat', credentials })
  return env
}

async function start(env: Client): Promise<string> {
  const body = { integrationIdentifier: 'msteams', subscriberId: 'ada', connectionIdentifier: 'customer' }
  return (await env.post('/v1/integrations/channel-connections/oauth', body)).body.url
}

/** Somebody presses a button at Microsoft's and comes back to us. */
async function press(url: string, button = 'Accept') {
  const answer = await fetch(`${url}&button=${button}`, { redirect: 'manual' })
  const { pathname, search } = new URL(answer.headers.get('location') ?? '')
  return fetch(h.url + pathname + search, { redirect: 'manual' })
}

test('an administrator consents and signs in: the tenant is connected, and its people are reached', async () => {
  const env = await arrange()
  teams.visitedBy(ada, customer)
  teams.addPerson(ada, customer)
  const consented = await press(await start(env))
  expect(consented.status).toBe(303)
  expect((await env.get('/v1/channel-connections')).body.data).toEqual([])
  const signedIn = await press(consented.headers.get('location') ?? '')
  expect(await signedIn.text()).toContain('is connected.')
  expect((await env.get('/v1/channel-connections')).body.data).toMatchObject([
    { identifier: 'customer', workspace: { id: customer }, auth: { accessToken: '' } },
  ])
  teams.addChannel('19:orders@thread.tacv2', customer)
  const place: Json = { type: 'ms_teams_channel', endpoint: { teamId: 'T1', channelId: '19:orders@thread.tacv2' } }
  const made = await env.post('/v1/channel-endpoints', {
    subscriberId: 'ada',
    integrationIdentifier: 'msteams',
    ...place,
  })
  expect(made.body.connectionIdentifier).toBe('customer')
  const { transactionId } = await trigger(env, { to: 'ada', payload: { order: 7 } })
  await h.settled()
  const { messages } = await storyOf(env, transactionId)
  expect(messages.map((it) => it.status)).toEqual(['sent', 'sent'])
  expect(teams.posted.map((it) => it.to).sort()).toEqual(['19:orders@thread.tacv2', ada].sort())
})

test('who writes the tenant of another customer into the address does not get it', async () => {
  const env = await arrange()
  teams.visitedBy(ada, neighbour)
  await press(await start(env))
  // The neighbour has consented. Eve has not, and names the neighbour.
  const state = new URL(await start(env)).searchParams.get('state')
  const forged = `/v1/integrations/chat/oauth/callback?admin_consent=True&tenant=${neighbour}&state=${state}`
  const sentOn = await fetch(h.url + forged, { redirect: 'manual' })
  expect(sentOn.status).toBe(303)
  teams.visitedBy(eve, customer)
  const page = await press(sentOn.headers.get('location') ?? '')
  expect(await page.text()).toContain(`You are not in ${neighbour}`)
  expect((await env.get('/v1/channel-connections')).body.data).toEqual([])
})
