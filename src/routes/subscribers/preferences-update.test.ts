import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, useSharedHarness } from '../../../test/harness.ts'
import { exportPreferences } from '../../core/replies/preference-json.ts'
import { loadPreferences, unsubscribeFromWorkflow } from '../../core/subscribers/preferences.ts'
import { loadSchedules, nextOpening } from '../../core/subscribers/schedule.ts'
import { getWorkflows, type Workflow } from '../../core/workflows/workflow.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Env } from '../../store/database.ts'

const h = useSharedHarness()
const path = '/v2/subscribers/ada/preferences'
const steps = [
  { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } },
  { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hello' } },
]

type Stage = { client: Client; env: Env; adaId: string; newsId: string }

async function start(): Promise<Stage> {
  const client = await h.environment()
  const ada = await client.post('/v2/subscribers', { subscriberId: 'ada', timezone: 'Europe/Berlin' })
  const news = await client.post('/v2/workflows', { workflowId: 'news', name: 'News', steps })
  const env = { environmentId: client.environmentId, organizationId: client.organizationId, keyId: uuid7(new Date()) }
  return { client, env, adaId: ada.body._id, newsId: news.body._id }
}

const read = <T>(env: Env, work: Parameters<typeof h.ctx.database.read<T>>[1]) => h.ctx.database.read(env, work)

async function newsOf({ env, newsId }: Stage): Promise<Workflow> {
  const ref = { id: newsId, version: 1 }
  const workflow = (await read(env, (db) => getWorkflows(db, env, [ref]))).of(ref)
  if (!workflow) throw new Error('no workflow')
  return workflow
}

describe('choices', () => {
  test('in general, then for one workflow, then taken back one by one', async () => {
    const { client } = await start()
    const general = await client.patch(path, { channels: { email: false } })
    expect(general.body).toMatchObject({
      global: { enabled: true, channels: { email: false, in_app: true } },
      workflows: [{ channels: { email: false, in_app: true } }],
    })
    const own = await client.patch(path, { workflowId: 'news', channels: { email: true, in_app: false } })
    expect(own.body.global.channels.email).toBe(false)
    expect(own.body.workflows).toMatchObject([
      { channels: { email: true, in_app: false }, updatedAt: expect.any(String) },
    ])
    const back = await client.patch(path, { workflowId: 'news', channels: { email: null } })
    expect(back.body.workflows[0].channels).toEqual({ email: false, in_app: false })
    expect((await client.get(path)).body).toEqual(back.body)
  })

  test('`enabled` speaks for every channel that has no choice of its own', async () => {
    const { client } = await start()
    const { body } = await client.patch(path, { enabled: false, channels: { email: true } })
    expect(body.global).toEqual({
      enabled: false,
      channels: { in_app: false, email: true, sms: false, chat: false, push: false },
    })
    expect(body.workflows).toMatchObject([{ enabled: false, channels: { in_app: false, email: true } }])
  })

  test('a workflow is named by its workflowId or its _id, in capitals too', async () => {
    const { client, newsId } = await start()
    for (const [workflowId, email] of [
      ['news', false],
      [newsId, true],
      [newsId.toUpperCase(), false],
    ] as const) {
      const { body } = await client.patch(path, { workflowId, channels: { email } })
      expect(body.workflows[0].channels.email).toBe(email)
    }
  })

  test('404 for a workflow that is unknown, deleted or of another environment', async () => {
    const [{ client }, other] = [await start(), await start()]
    await client.post('/v2/workflows', { workflowId: 'gone', name: 'Gone', steps })
    const gone = (await client.get('/v2/workflows/gone')).body._id
    await client.delete('/v2/workflows/gone')
    for (const workflowId of ['none', 'gone', gone, other.newsId]) {
      const { body } = await client.patch(path, { workflowId, channels: { email: false } })
      expect(body.code).toBe('workflow_not_found')
    }
  })

  test('400 for a workflow that leaves no choice; nothing is stored', async () => {
    const { client, env, adaId } = await start()
    await client.post('/v2/workflows', { workflowId: 'alarm', name: 'Alarm', steps, critical: true })
    const { body } = await client.patch(path, { workflowId: 'alarm', channels: { email: false } })
    expect(body.code).toBe('preference_read_only')
    expect((await read(env, (db) => exportPreferences(db, env, adaId))).choices).toEqual([])
  })

  test('fifty changes of different channels at once lose nothing', async () => {
    const { client } = await start()
    const names = ['in_app', 'email', 'sms', 'chat', 'push']
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => client.patch(path, { channels: { [names[n % 5] ?? '']: false } })),
    )
    expect(replies.every((reply) => reply.status === 200)).toBe(true)
    const { channels } = (await client.get(path)).body.global
    expect(channels).toEqual({ in_app: false, email: false, sms: false, chat: false, push: false })
  })

  test('saying the same again changes nothing, not even the time', async () => {
    const { client } = await start()
    const body = { workflowId: 'news', channels: { email: false } }
    const first = await client.patch(path, body)
    expect((await client.patch(path, body)).body).toEqual(first.body)
  })
})

describe('the schedule', () => {
  const weeklySchedule = { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } }

  test('is kept as sent; the hours stay while it is switched off; null removes it', async () => {
    const { client } = await start()
    const schedule = { isEnabled: true, weeklySchedule }
    expect((await client.patch(path, { schedule })).body.global.schedule).toEqual(schedule)
    const off = await client.patch(path, { schedule: { isEnabled: false } })
    expect(off.body.global.schedule).toEqual({ isEnabled: false, weeklySchedule })
    const other = { isEnabled: true, weeklySchedule: { friday: { isEnabled: false } } }
    expect((await client.patch(path, { schedule: other })).body.global.schedule).toEqual(other)
    expect((await client.patch(path, { schedule: null })).body.global).not.toHaveProperty('schedule')
  })

  test('is read for many at once, by the clocks of the subscriber', async () => {
    const { client, env, adaId } = await start()
    const eve = (await client.post('/v2/subscribers', { subscriberId: 'eve' })).body._id
    await client.patch(path, { schedule: { isEnabled: true, weeklySchedule } })
    const schedules = await read(env, (db) => loadSchedules(db, env, [adaId, eve, adaId]))
    expect([...schedules.keys()]).toEqual([adaId])
    const sunday = new Date('2026-06-14T12:00:00Z')
    expect(nextOpening(schedules.get(adaId), sunday, 'Europe/Berlin')).toEqual(new Date('2026-06-15T07:00:00Z'))
    expect(nextOpening(schedules.get(eve), sunday, null)).toBeNull()
  })

  test('422 names every time that is none', async () => {
    const { client } = await start()
    const hours = [
      { start: 'nine', end: '17:00' },
      { start: '18:00', end: '99:00' },
    ]
    const { status, body } = await client.patch(path, {
      channels: { email: false },
      schedule: { isEnabled: true, weeklySchedule: { sunday: { isEnabled: true, hours } } },
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([
      'schedule.weeklySchedule.sunday.hours.0.start',
      'schedule.weeklySchedule.sunday.hours.1.end',
    ])
    expect((await client.get(path)).body.global.channels.email).toBe(true)
  })
})

describe('for the pipeline', () => {
  test('what a page of people chose is read at once and decides person by person', async () => {
    const stage = await start()
    const { client, env, adaId, newsId } = stage
    const eve = (await client.post('/v2/subscribers', { subscriberId: 'eve' })).body._id
    await client.patch(path, { channels: { email: false } })
    await client.patch('/v2/subscribers/eve/preferences', { workflowId: 'news', channels: { in_app: false } })
    const news = await newsOf(stage)
    const preferences = await read(env, (db) => loadPreferences(db, env, [adaId, eve, adaId], [newsId]))
    expect(preferences.decide(adaId, news, 'email')).toEqual({
      enabled: false,
      by: 'subscriber',
      why: 'E-mail is turned off by the subscriber for all workflows',
    })
    expect(preferences.decide(adaId, news, 'in_app').enabled).toBe(true)
    expect(preferences.decide(eve, news, 'in_app').enabled).toBe(false)
    expect(preferences.decide(eve, news, 'email').enabled).toBe(true)
    expect(preferences.decide(uuid7(new Date()), news, 'email').enabled).toBe(true)
  })

  test('another environment sees nothing of it', async () => {
    const [stage, other] = [await start(), await start()]
    await stage.client.patch(path, { enabled: false })
    const news = await newsOf(stage)
    const preferences = await read(other.env, (db) => loadPreferences(db, other.env, [stage.adaId], [stage.newsId]))
    expect(preferences.decide(stage.adaId, news, 'email').enabled).toBe(true)
  })

  test('an unsubscribe link lands here: this workflow, this channel; and says when nobody is left', async () => {
    const { client, env, adaId, newsId } = await start()
    const choice = { subscriberId: adaId, workflowId: newsId, channel: 'email' as const }
    const leave = () => h.ctx.database.write(env, (db) => unsubscribeFromWorkflow(db, env, choice, new Date()))
    expect(await leave()).toBe(true)
    expect(await leave()).toBe(true)
    const { body } = await client.get(path)
    expect(body).toMatchObject({
      global: { channels: { email: true } },
      workflows: [{ channels: { email: false, in_app: true } }],
    })
    await client.delete('/v2/subscribers/ada')
    expect(await leave()).toBe(false)
  })

  test('the export holds what was chosen, also for a workflow deleted since', async () => {
    const { client, env, adaId } = await start()
    const schedule = { isEnabled: true, weeklySchedule: {} }
    await client.patch(path, { enabled: true, channels: { sms: false, push: null }, schedule })
    await client.patch(path, { workflowId: 'news', channels: { email: false } })
    await client.delete('/v2/workflows/news')
    const { choices, ...rest } = await read(env, (db) => exportPreferences(db, env, adaId))
    expect(rest).toEqual({ schedule })
    expect(choices).toHaveLength(2)
    expect(choices).toContainEqual({ enabled: true, channels: { sms: false }, updatedAt: expect.any(String) })
    expect(choices).toContainEqual({ workflowId: 'news', channels: { email: false }, updatedAt: expect.any(String) })
  })

  test('deleting the subscriber erases choices and schedule at once', async () => {
    const { client } = await start()
    await client.patch(path, { workflowId: 'news', channels: { email: false } })
    await client.patch(path, { channels: { email: false }, schedule: { isEnabled: true } })
    await client.delete('/v2/subscribers/ada')
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from subscriber_preference where environment_id = ${client.environmentId})::int
        + (select count(*) from subscriber_schedule where environment_id = ${client.environmentId})::int as left`.execute(
      h.admin,
    )
    expect(rows).toEqual([{ left: 0 }])
    await client.post('/v2/subscribers', { subscriberId: 'ada' })
    expect((await client.get(path)).body.global).toMatchObject({ channels: { email: true } })
  })

  test('choosing while being deleted is 200 or 404, never a fault, twenty rounds', async () => {
    const { client } = await start()
    for (let round = 0; round < 20; round++) {
      await client.post('/v2/subscribers', { subscriberId: 'ada' })
      const calls = [
        client.patch(path, { channels: { email: false }, schedule: { isEnabled: true } }),
        client.patch(path, { workflowId: 'news', channels: { email: false } }),
        client.delete('/v2/subscribers/ada'),
      ]
      for (const { status } of await Promise.all(calls)) expect([200, 404]).toContain(status)
    }
  })
})
