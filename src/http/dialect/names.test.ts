import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, client, type Harness, sender, useHarness } from '../../../test/harness.ts'
import { fromVendorNames, toVendorNames } from './names.ts'

const h = useHarness()
let vendor: Harness['send']

beforeAll(async () => {
  vendor = sender((await h.node({ VENDOR_NAMES: 'novu' })).url)
})

async function both(): Promise<{ ours: Client; theirs: Client }> {
  const ours = await h.environment()
  return { ours, theirs: { ...ours, ...client(vendor, ours.key) } }
}

describe('VENDOR_NAMES=novu', () => {
  test.each([
    ['novu-email', 'platform-email', 'email'],
    ['novu-sms', 'platform-sms', 'sms'],
    ['novu-slack', 'platform-slack', 'chat'],
    ['novu', 'platform', 'in_app'],
  ])('%s in is stored as %s and goes out as it came', async (name, stored, channel) => {
    const { ours, theirs } = await both()
    const made = await theirs.post('/v1/integrations', { providerId: name, channel, active: true })
    expect(made).toMatchObject({ status: 201, body: { data: { providerId: name, active: true } } })
    const { rows } = await sql<{ provider_id: string }>`
      select provider_id from integration where environment_id = ${ours.environmentId}`.execute(h.admin)
    expect(rows).toEqual([{ provider_id: stored }])
    expect((await theirs.get('/v1/integrations')).body.data[0].providerId).toBe(name)
    expect((await ours.get('/v1/integrations')).body[0].providerId).toBe(stored)
    expect((await theirs.put(`/v1/integrations/${made.body.data._id}`, { name: 'x' })).body.data.providerId).toBe(name)
  })

  test('our own name is understood too, and goes out as the vendor’s', async () => {
    const { theirs } = await both()
    const made = await theirs.post('/v1/integrations', { providerId: 'platform-email', channel: 'email' })
    expect(made.body.data.providerId).toBe('novu-email')
  })

  test('other providers keep their names', async () => {
    const { theirs } = await both()
    for (const [providerId, channel] of [
      ['sendgrid', 'email'],
      ['slack', 'chat'],
      ['novu-fax', 'sms'],
    ]) {
      expect((await theirs.post('/v1/integrations', { providerId, channel })).body.data.providerId).toBe(providerId)
    }
  })

  test('in a path and in a subscriber’s channels', async () => {
    const { ours, theirs } = await both()
    await theirs.post('/v2/subscribers', { subscriberId: 'ada' })
    const at = '/v1/subscribers/ada/credentials'
    const sent = { providerId: 'novu-slack', credentials: { webhookUrl: 'https://hooks.example.com/platform-slack' } }
    const set = await theirs.put(at, sent)
    expect(set.body.data.channels).toMatchObject([sent])
    expect((await ours.get('/v2/subscribers/ada')).body.channels[0].providerId).toBe('platform-slack')
    expect((await theirs.delete(`${at}/novu-slack`)).status).toBe(204)
    expect((await ours.get('/v2/subscribers/ada')).body.channels).toEqual([])
  })

  test('callers’ own data and names are left alone, both ways', async () => {
    const { ours, theirs } = await both()
    const data = { providerId: 'novu-email', origin: 'platform-cloud', list: [{ providerId: 'platform' }] }
    const made = await ours.post('/v2/subscribers', { subscriberId: 'novu', firstName: 'platform-email', data })
    expect(made.body).toMatchObject({ subscriberId: 'novu', firstName: 'platform-email', data })
    const again = await theirs.post('/v2/subscribers', { subscriberId: 'novu', firstName: 'platform-email', data })
    expect(again.body.data).toMatchObject({ subscriberId: 'novu', firstName: 'platform-email', data })
    expect((await theirs.get('/v2/subscribers')).body.data).toMatchObject([{ subscriberId: 'novu', data }])
    const named = await theirs.post('/v1/integrations', {
      providerId: 'novu-email',
      channel: 'email',
      name: 'platform-email',
      identifier: 'novu-email',
      credentials: { apiKey: 'novu-email' },
    })
    expect(named.body.data).toMatchObject({
      name: 'platform-email',
      identifier: 'novu-email',
      credentials: { apiKey: 'novu-email' },
    })
    expect((await theirs.post('/v1/tenants', { identifier: 'novu-sms', data })).body.data).toMatchObject({
      identifier: 'novu-sms',
      data,
    })
  })

  test('types of contexts and words of translations are the caller’s, though they are fields', async () => {
    const { ours, theirs } = await both()
    const steps = [{ name: 'Bell', type: 'in_app', controlValues: { body: '{{t.origin}}' } }]
    await theirs.post('/v2/workflows', { name: 'Hello', workflowId: 'hello', steps, isTranslationEnabled: true })
    await theirs.post('/v2/contexts', { type: 'origin', id: 'novu', data: { plan: 'gold' } })
    const named = { resourceType: 'workflow', resourceId: 'hello', locale: 'en_US' }
    const made = await theirs.post('/v2/translations', { ...named, content: { origin: 'novu' } })
    expect(made.status, made.text).toBe(200)
    const masterJson = { workflows: { hello: { providerId: 'platform' } } }
    await theirs.post('/v2/translations/master-json', { locale: 'de_DE', masterJson })
    expect((await theirs.get('/v2/translations/master-json?locale=de_DE')).text).toContain('"providerId":"platform"')
    expect((await ours.get('/v2/translations/workflow/hello/en_US')).body.content).toEqual({ origin: 'novu' })
    const event = { name: 'hello', to: 'ada', context: { origin: 'novu' } }
    expect((await theirs.post('/v1/events/trigger', event)).status).toBe(201)
    expect((await ours.get('/v2/contexts')).body.data).toMatchObject([{ type: 'origin', id: 'novu' }])
  })

  test('a name in a query is translated', async () => {
    const { ours, theirs } = await both()
    const read = async (env: Client, providerId: string) =>
      (await env.get(`/v1/channel-connections?providerId=${providerId}`)).status
    expect([await read(theirs, 'novu-slack'), await read(ours, 'platform-slack')]).toEqual([200, 200])
  })

  test('errors and replays speak it as well; either name is the same request', async () => {
    const { ours, theirs } = await both()
    const refused = await theirs.post('/v1/integrations', { providerId: 'novu-email', channel: 'sms' })
    expect(refused.status).toBe(422)
    const key = { 'idempotency-key': 'k' }
    const first = await theirs.post('/v1/integrations', { providerId: 'novu-sms', channel: 'sms' }, key)
    const again = await theirs.post('/v1/integrations', { providerId: 'novu-sms', channel: 'sms' }, key)
    expect(again.text).toBe(first.text)
    const asOurs = await ours.post('/v1/integrations', { providerId: 'platform-sms', channel: 'sms' }, key)
    expect(asOurs.headers.get('idempotency-replay')).toBe('true')
    expect(asOurs.body.providerId).toBe('platform-sms')
  })

  test('without it the vendor’s names are free strings like any other', async () => {
    const ours = await h.environment()
    const made = await ours.post('/v1/integrations', { providerId: 'novu-email', channel: 'email' })
    expect(made.body.providerId).toBe('novu-email')
    const active = await ours.post('/v1/integrations', { providerId: 'novu-email', channel: 'email', active: true })
    expect(active.status).toBe(422)
  })
})

test('origins of workflows are translated, payloads are not', () => {
  const workflow = {
    origin: 'platform-cloud',
    payload: { origin: 'platform-cloud' },
    overrides: { email: { providerId: 'platform-email' } },
    steps: [{ providerId: 'platform' }],
  }
  const theirs = { ...workflow, origin: 'novu-cloud', steps: [{ providerId: 'novu' }] }
  expect(toVendorNames(workflow)).toEqual(theirs)
  expect(fromVendorNames(theirs)).toEqual(workflow)
  expect(fromVendorNames(undefined)).toBeUndefined()
  expect(fromVendorNames([{ origin: 'novu-cloud-v1' }, 'novu', null])).toEqual([
    { origin: 'platform-cloud-v1' },
    'novu',
    null,
  ])
})
