import { afterEach, describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v2/topics'
afterEach(() => {
  h.ctx.clock = () => new Date()
})

describe('GET /v2/topics/{topicKey}', () => {
  test('shows the topic; 404 for a key nobody made, of another case, or that no topic can have', async () => {
    const env = await h.environment()
    const made = (await env.post(path, { key: 'news', name: 'News' })).body
    expect(await env.get(`${path}/news`)).toMatchObject({ status: 200, body: made })
    for (const key of ['old', 'NEWS', 'news%20', 'k'.repeat(101), '%20', made._id, '😀']) {
      expect((await env.get(`${path}/${key}`)).body.code, key).toBe('topic_not_found')
    }
    expect((await env.get(`${path}/a%00b`)).status).toBe(404)
  })
})

describe('PATCH /v2/topics/{topicKey}', () => {
  test('renames; only a real change moves updatedAt; key and _id stay whatever is sent', async () => {
    const env = await h.environment()
    h.ctx.clock = () => new Date('2026-01-01T00:00:00.001Z')
    const made = (await env.post(path, { key: 'news', name: 'News' })).body
    h.ctx.clock = () => new Date('2026-01-01T00:00:00.002Z')
    for (const same of [{}, { name: 'News' }, { key: 'other', _id: 'x', createdAt: 'never' }]) {
      expect(await env.patch(`${path}/news`, same), JSON.stringify(same)).toMatchObject({ status: 200, body: made })
    }
    const renamed = { ...made, name: 'Latest', updatedAt: '2026-01-01T00:00:00.002Z' }
    expect((await env.patch(`${path}/news`, { name: 'Latest' })).body).toEqual(renamed)
    expect((await env.get(`${path}/news`)).body).toEqual(renamed)
    expect((await env.get(`${path}/other`)).status).toBe(404)
  })

  test('a name may be given to a topic without one, be empty, and have 100 characters', async () => {
    const env = await h.environment()
    await env.post(path, { key: 'news' })
    for (const name of ['', 'n'.repeat(100), '😀'.repeat(100)]) {
      expect((await env.patch(`${path}/news`, { name })).body.name).toBe(name)
    }
    for (const name of ['n'.repeat(101), null, 1]) {
      expect((await env.patch(`${path}/news`, { name })).status, String(name)).toBe(422)
    }
  })

  test('404 for an unknown topic, with or without a name', async () => {
    const env = await h.environment()
    for (const body of [{}, { name: 'News' }]) {
      expect((await env.patch(`${path}/news`, body)).body.code).toBe('topic_not_found')
    }
  })
})
