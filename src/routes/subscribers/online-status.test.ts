import { afterEach, describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v1/subscribers/ada/online-status'
afterEach(() => {
  h.ctx.clock = () => new Date()
})

describe('PATCH /v1/subscribers/{subscriberId}/online-status', () => {
  test('nobody is online or offline before anything is said; then the last word holds', async () => {
    const env = await h.environment()
    const [first, second, third] = ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:02.000Z', '2026-01-01T00:00:03.000Z']
    const at = (time = '') => {
      h.ctx.clock = () => new Date(time)
    }
    const made = (await env.post('/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada' })).body
    expect(made).toMatchObject({ isOnline: null, lastOnlineAt: null })

    at(first)
    const online = await env.patch(path, { isOnline: true })
    expect(online.status).toBe(200)
    expect(online.body).toEqual({ ...made, isOnline: true, lastOnlineAt: first, updatedAt: first, __v: 1 })
    at(second)
    const offline = { ...made, isOnline: false, lastOnlineAt: second, updatedAt: second, __v: 2 }
    expect((await env.patch(path, { isOnline: false })).body).toEqual(offline)
    at(third)
    expect((await env.patch(path, { isOnline: false })).body, 'said again').toEqual(offline)
    expect((await env.get('/v2/subscribers/ada')).body).toEqual(offline)
    expect((await env.patch(path, { isOnline: true })).body).toMatchObject({ isOnline: true, lastOnlineAt: third })
  })

  test('422 for anything but a boolean, 404 for an unknown subscriber', async () => {
    const env = await h.environment()
    expect((await env.patch(path, { isOnline: true })).body.code).toBe('subscriber_not_found')
    await env.post('/v2/subscribers', { subscriberId: 'ada' })
    for (const isOnline of ['true', 1, null, undefined]) {
      expect((await env.patch(path, { isOnline })).status, String(isOnline)).toBe(422)
    }
  })
})
