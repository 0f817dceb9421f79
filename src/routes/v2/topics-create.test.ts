import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'

const h = useHarness()

describe('POST /v2/topics', () => {
  test('creates, then renames the topic with the same key', async () => {
    const env = await h.environment()
    const created = await env.post('/v2/topics', { key: 'news', name: 'News' })
    expect(created.status).toBe(200)
    const renamed = await env.post('/v2/topics', { key: 'news', name: 'Latest' })
    expect(renamed.body).toMatchObject({ _id: created.body._id, key: 'news', name: 'Latest' })
  })
})
