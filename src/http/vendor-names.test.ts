import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, client, type Harness, sender, useHarness } from '../../test/harness.ts'
import { fromVendorNames, toVendorNames } from './vendor-names.ts'

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
    expect(made).toMatchObject({ status: 201, body: { providerId: name, active: true } })
    const { rows } = await sql<{ provider_id: string }>`
      select provider_id from integration where environment_id = ${ours.environmentId}`.execute(h.admin)
    expect(rows).toEqual([{ provider_id: stored }])
    expect((await theirs.get('/v1/integrations')).body[0].providerId).toBe(name)
    expect((await ours.get('/v1/integrations')).body[0].providerId).toBe(stored)
    expect((await theirs.put(`/v1/integrations/${made.body._id}`, { name: 'x' })).body.providerId).toBe(name)
  })

  test('our own name is understood too, and goes out as the vendor’s', async () => {
    const { theirs } = await both()
    const made = await theirs.post('/v1/integrations', { providerId: 'platform-email', channel: 'email' })
    expect(made.body.providerId).toBe('novu-email')
  })

  test('other providers keep their names', async () => {
    const { theirs } = await both()
    for (const [providerId, channel] of [
      ['sendgrid', 'email'],
      ['slack', 'chat'],
      ['novu-fax', 'sms'],
    ]) {
      expect((await theirs.post('/v1/integrations', { providerId, channel })).body.providerId).toBe(providerId)
    }
  })

  test('in a path and in a subscriber’s channels', async () => {
    const { ours, theirs } = await both()
    await theirs.post('/v2/subscribers', { subscriberId: 'ada' })
    const at = '/v1/subscribers/ada/credentials'
    const sent = { providerId: 'novu-slack', credentials: { webhookUrl: 'https://hooks.example.com/platform-slack' } }
    const set = await theirs.put(at, sent)
    expect(set.body.channels).toMatchObject([sent])
    expect((await ours.get('/v2/subscribers/ada')).body.channels[0].providerId).toBe('platform-slack')
    expect((await theirs.delete(`${at}/novu-slack`)).status).toBe(204)
    expect((await ours.get('/v2/subscribers/ada')).body.channels).toEqual([])
  })

  test('callers’ own data and names are left alone, both ways', async () => {
    const { ours, theirs } = await both()
    const data = { providerId: 'novu-email', origin: 'platform-cloud', list: [{ providerId: 'platform' }] }
    for (const env of [ours, theirs]) {
      const made = await env.post('/v2/subscribers', { subscriberId: 'novu', firstName: 'platform-email', data })
      expect(made.body).toMatchObject({ subscriberId: 'novu', firstName: 'platform-email', data })
    }
    expect((await theirs.get('/v2/subscribers')).body.data).toMatchObject([{ subscriberId: 'novu', data }])
    const made = await theirs.post('/v1/integrations', {
      providerId: 'novu-email',
      channel: 'email',
      name: 'platform-email',
      identifier: 'novu-email',
      credentials: { apiKey: 'novu-email' },
    })
    expect(made.body).toMatchObject({
      name: 'platform-email',
      identifier: 'novu-email',
      credentials: { apiKey: 'novu-email' },
    })
    expect((await theirs.post('/v1/tenants', { identifier: 'novu-sms', data })).body).toMatchObject({
      identifier: 'novu-sms',
      data,
    })
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
    steps: [{ providerId: 'platform' }],
  }
  const theirs = { ...workflow, origin: 'novu-cloud', steps: [{ providerId: 'novu' }] }
  expect(JSON.parse(toVendorNames(JSON.stringify(workflow)))).toEqual(theirs)
  expect(fromVendorNames(theirs)).toEqual(workflow)
  expect(fromVendorNames(undefined)).toBeUndefined()
  expect(fromVendorNames([{ origin: 'novu-cloud-v1' }, 'novu', null])).toEqual([
    { origin: 'platform-cloud-v1' },
    'novu',
    null,
  ])
})
