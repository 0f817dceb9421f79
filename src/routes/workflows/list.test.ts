import { describe, expect, test } from 'vitest'
import { workflowBody } from '../../../test/fixture-makers.ts'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()

async function makeMany(env: Client): Promise<void> {
  for (const [workflowId, more] of [
    ['w1', { name: 'Beta', tags: ['x'] }],
    ['w2', { name: 'Alpha', active: false, tags: ['x', 'y'] }],
    ['w3', { name: 'Gamma', tags: ['z'] }],
    ['w4', { name: 'alphabet' }],
    ['w5', { name: 'Delta' }],
  ] as const) {
    await env.post('/v2/workflows', { ...workflowBody, workflowId, ...more })
  }
}

const idsOf = (reply: Json): string[] => reply.body.data.map((it: Json) => it.workflowId)

describe('GET /v2/workflows', () => {
  test('newest first, in the cursor envelope, and as `workflows` for clients that look there', async () => {
    const env = await h.environment()
    await makeMany(env)
    const reply = await env.get('/v2/workflows')
    expect(reply.status).toBe(200)
    expect(idsOf(reply)).toEqual(['w5', 'w4', 'w3', 'w2', 'w1'])
    expect(reply.body).toMatchObject({ next: null, previous: null, totalCount: 5, totalCountCapped: false })
    expect(reply.body.workflows).toEqual(reply.body.data)
    expect(reply.body.data[3]).toEqual({
      _id: expect.any(String),
      workflowId: 'w2',
      slug: 'w2',
      name: 'Alpha',
      tags: ['x', 'y'],
      active: false,
      status: 'INACTIVE',
      version: 1,
      origin: 'platform-cloud',
      isTranslationEnabled: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      stepTypeOverviews: ['in_app'],
      steps: [{ slug: 'in-app', type: 'in_app' }],
    })
  })

  test.each<[string, string[]]>([
    ['orderBy=name&orderDirection=ASC', ['w2', 'w1', 'w5', 'w3', 'w4']],
    ['orderBy=workflowId&orderDirection=ASC&limit=2', ['w1', 'w2']],
    ['query=lpha', ['w4', 'w2']],
    ['query=w3', ['w3']],
    ['tags=y&tags=z', ['w3', 'w2']],
    ['status=INACTIVE', ['w2']],
    ['status=ACTIVE&status=INACTIVE&tags=x', ['w2', 'w1']],
    ['status=ERROR', []],
    ['offset=3', ['w2', 'w1']],
    ['offset=1&limit=2', ['w4', 'w3']],
    ['offset=1&limit=1&tags=x', ['w1']],
    ['offset=5', []],
    ['offset=99999', []],
  ])('?%s', async (query, expected) => {
    const env = await h.environment()
    await makeMany(env)
    const reply = await env.get(`/v2/workflows?${query}`)
    expect(reply.status).toBe(200)
    expect(idsOf(reply)).toEqual(expected)
  })

  test('cursors walk there and back, also from an offset', async () => {
    const env = await h.environment()
    await makeMany(env)
    const first = await env.get('/v2/workflows?limit=2&offset=1')
    const second = await env.get(`/v2/workflows?limit=2&after=${first.body.next}`)
    expect([idsOf(first), idsOf(second)]).toEqual([
      ['w4', 'w3'],
      ['w2', 'w1'],
    ])
    expect(idsOf(await env.get(`/v2/workflows?limit=2&before=${second.body.previous}`))).toEqual(['w4', 'w3'])
    expect(first.body.totalCount).toBe(5)
  })

  test('422 for an order or status that does not exist', async () => {
    const env = await h.environment()
    for (const query of ['orderBy=lastTriggeredAt', 'status=BUSY', 'offset=-1', 'limit=101']) {
      expect((await env.get(`/v2/workflows?${query}`)).status, query).toBe(422)
    }
  })
})

describe('GET and DELETE /v2/workflows/{workflowId}', () => {
  test('by workflowId or _id; a workflowId that looks like an id goes first', async () => {
    const env = await h.environment()
    const one = (await env.post('/v2/workflows', { ...workflowBody, workflowId: 'a/b ü' })).body
    const path = `/v2/workflows/${encodeURIComponent('a/b ü')}`
    expect((await env.get(path)).body).toEqual(one)
    expect((await env.get(`/v2/workflows/${one._id}`)).body).toEqual(one)
    const two = (await env.post('/v2/workflows', { ...workflowBody, workflowId: one._id })).body
    expect((await env.get(`/v2/workflows/${one._id}`)).body).toEqual(two)
  })

  test('a deleted one is unknown, in no list, and its workflowId is free again', async () => {
    const env = await h.environment()
    const made = (await env.post('/v2/workflows', { ...workflowBody, workflowId: 'a' })).body
    const deleted = await env.delete(`/v2/workflows/${made._id}`)
    expect({ status: deleted.status, text: deleted.text }).toEqual({ status: 204, text: '' })
    for (const ref of ['a', made._id]) {
      expect((await env.get(`/v2/workflows/${ref}`)).body.code).toBe('workflow_not_found')
      expect((await env.put(`/v2/workflows/${ref}`, workflowBody)).status).toBe(404)
      expect((await env.delete(`/v2/workflows/${ref}`)).status).toBe(404)
    }
    expect((await env.get('/v2/workflows')).body.totalCount).toBe(0)
    const again = await env.post('/v2/workflows', { ...workflowBody, workflowId: 'a' })
    expect(again.status).toBe(201)
    expect(again.body._id).not.toBe(made._id)
  })
})
