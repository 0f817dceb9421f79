import * as pinned from '@novu/api'
import { afterAll, describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { refused, versions } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** What people choose, through the published client: it judges every reply by schemas of its own. */
const h = useHarness({ VENDOR_NAMES: 'novu' })
const subscriberId = 'ada'
const steps = [
  { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } },
  { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hello' } },
]
const schedule = {
  isEnabled: true,
  weeklySchedule: {
    monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
    sunday: { isEnabled: false },
  },
}

describe.each(versions)('@novu/api $version', ({ open, errors, operations }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start() {
    const env = await h.environment()
    await env.post('/v2/subscribers', { subscriberId })
    await env.post('/v2/workflows', { workflowId: 'news', name: 'News', steps })
    await env.post('/v2/workflows', { workflowId: 'alarm', name: 'Alarm', steps, critical: true })
    const novu = open({ serverURL: h.url, secretKey: env.key, onSuccess })
    // The one operation whose arguments changed between the versions.
    const list = (criticality?: 'all' | 'critical', of = subscriberId) =>
      novu instanceof pinned.Novu
        ? novu.subscribers.preferences.list(of, criticality)
        : novu.subscribers.preferences.list({ subscriberId: of, criticality })
    return { list, client: novu.subscribers.preferences }
  }

  test('list: by default without critical workflows', async () => {
    const { list } = await start()
    const { result } = await list()
    const on = { inApp: true, email: true, sms: true, chat: true, push: true }
    expect(result.global).toEqual({ enabled: true, channels: on })
    expect(result.workflows).toMatchObject([
      {
        enabled: true,
        channels: { inApp: true, email: true },
        workflow: { identifier: 'news', name: 'News', slug: 'news' },
      },
    ])
    const critical = await list('critical')
    expect(critical.result.workflows.map((it) => it.workflow.identifier)).toEqual(['alarm'])
    expect((await list('all')).result.workflows).toHaveLength(2)
    await refused(list('all', 'nobody'), errors.ErrorDto, 'subscriber_not_found')
  })

  test('update: in general, with a schedule, and for one workflow', async () => {
    const { client, list } = await start()
    const general = await client.update({ channels: { email: false, inApp: true }, schedule }, subscriberId)
    expect(general.result.global).toMatchObject({ enabled: true, channels: { email: false, inApp: true }, schedule })
    const own = await client.update({ workflowId: 'news', channels: { email: true, inApp: false } }, subscriberId)
    expect(own.result.workflows).toMatchObject([
      { channels: { email: true, inApp: false }, overrides: [{ source: 'subscriber' }, { source: 'subscriber' }] },
    ])
    expect((await list()).result).toEqual(own.result)
    const critical = client.update({ workflowId: 'alarm', channels: { email: false } }, subscriberId)
    await refused(critical, errors.ErrorDto, 'preference_read_only')
    const unknown = client.update({ workflowId: 'none', channels: { email: false } }, subscriberId)
    await refused(unknown, errors.ErrorDto, 'workflow_not_found')
    const monday = { isEnabled: true, hours: [{ start: 'nine', end: 'five' }] }
    const faulty = client.update({ schedule: { isEnabled: true, weeklySchedule: { monday } } }, subscriberId)
    await refused(faulty, errors.ValidationErrorDto, 'validation_failed')
  })

  test('bulkUpdate', async () => {
    const { client } = await start()
    const preferences = [{ workflowId: 'news', channels: { email: false } }]
    const { result } = await client.bulkUpdate({ preferences }, subscriberId)
    expect(result).toMatchObject([
      {
        level: 'template',
        enabled: true,
        channels: { email: false, inApp: true },
        workflow: { identifier: 'news', critical: false, severity: 'none', tags: [] },
      },
    ])
    await refused(client.bulkUpdate({ preferences: [] }, subscriberId), errors.ValidationErrorDto, 'validation_failed')
  })

  afterAll(() => {
    expect(notCalled('client-preferences.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})
