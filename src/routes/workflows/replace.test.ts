import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { unique, workflowBody } from '../../../test/fixture-makers.ts'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()

const step = (stepId: string, body = 'B') => ({ stepId, name: stepId, type: 'in_app', controlValues: { body } })

async function make(env: Client, more: object = {}): Promise<Json> {
  return (await env.post('/v2/workflows', { workflowId: unique('workflow'), ...workflowBody, ...more })).body
}

describe('PUT /v2/workflows/{workflowId}', () => {
  test('makes a new version; steps keep their ids for as long as they keep their stepId', async () => {
    const env = await h.environment()
    const made = await make(env, { steps: [step('a'), step('b')] })
    const { status, body } = await env.put(`/v2/workflows/${made.workflowId}`, {
      name: 'Two',
      steps: [step('c'), step('b', 'other')],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ _id: made._id, workflowId: made.workflowId, name: 'Two', version: 2 })
    expect(body.steps[1]._id).toBe(made.steps[1]._id)
    expect(made.steps.map((it: Json) => it._id)).not.toContain(body.steps[0]._id)
    expect((await env.get(`/v2/workflows/${made._id}`)).body).toEqual(body)
  })

  test('a step sent back by its _id keeps its stepId under another name', async () => {
    const env = await h.environment()
    const made = await make(env)
    const sent = { ...workflowBody.steps[0], _id: made.steps[0]._id, name: 'Something else' }
    const { body } = await env.put(`/v2/workflows/${made.workflowId}`, { name: 'A', steps: [sent] })
    expect(body.steps[0]).toMatchObject({ _id: made.steps[0]._id, stepId: 'in-app', name: 'Something else' })
  })

  test('the same again changes nothing: no version, no updatedAt', async () => {
    const env = await h.environment()
    const made = await make(env, { payloadSchema: { properties: { b: {}, a: {} } }, tags: ['x'] })
    const { body } = await env.put(`/v2/workflows/${made.workflowId}`, {
      ...workflowBody,
      payloadSchema: { properties: { a: {}, b: {} } },
      tags: ['x'],
    })
    expect(body).toEqual(made)
  })

  test('what GET shows can be sent back: a workflow with every field stays as it is, to the version', async () => {
    const env = await h.environment()
    const when = (field: string) => [
      {
        isNegated: false,
        type: 'GROUP',
        value: 'AND',
        children: [{ on: 'payload', field, operator: 'EQUAL', value: 'x' }],
      },
    ]
    const made = await make(env, {
      description: 'D',
      active: false,
      tags: ['x', 'y'],
      severity: 'high',
      critical: false,
      validatePayload: false,
      payloadSchema: { type: 'object', properties: { orderId: { type: 'string' } } },
      preferences: {
        user: { channels: { sms: { enabled: false } } },
        workflow: { channels: { email: { enabled: false } } },
      },
      ttl: { amount: 2, unit: 'hours' },
      steps: [
        step('a'),
        {
          ...step('b'),
          active: false,
          shouldStopOnFail: true,
          filters: when('priority'),
          when: { stepId: 'a', is: 'unread' },
          variants: [{ name: 'V', filters: when('plan'), controlValues: { body: 'W' } }],
          replyCallback: { active: true, url: 'https://example.com/reply' },
        },
      ],
    })
    const { status, body } = await env.put(`/v2/workflows/${made.workflowId}`, made)
    expect(status).toBe(200)
    expect(body).toEqual(made)
    expect(body.preferences.default.channels).toMatchObject({ email: { enabled: false }, sms: { enabled: true } })
  })

  test('the layer of GET is changed where it was read; one that says nothing makes no preferences', async () => {
    const env = await h.environment()
    const made = await make(env)
    expect((await env.put(`/v2/workflows/${made.workflowId}`, made)).body).toEqual(made)
    const layer = {
      ...made.preferences.default,
      channels: { ...made.preferences.default.channels, push: { enabled: false } },
    }
    const changed = { ...made, preferences: { ...made.preferences, default: layer } }
    const { body } = await env.put(`/v2/workflows/${made.workflowId}`, changed)
    expect(body).toMatchObject({ version: 2, preferences: { user: null, default: layer } })
    const both = { ...changed, preferences: { ...changed.preferences, workflow: null } }
    expect((await env.put(`/v2/workflows/${made.workflowId}`, both)).body.preferences).toEqual(made.preferences)
  })

  test('what is not said is as on creation, but for active', async () => {
    const env = await h.environment()
    const made = await make(env, { active: false, description: 'D', tags: ['x'], severity: 'high', critical: true })
    const { body } = await env.put(`/v2/workflows/${made.workflowId}`, workflowBody)
    expect(body).toMatchObject({ active: false, description: '', tags: [], severity: 'none', critical: false })
  })

  test('ten at once: ten versions, one after the other', async () => {
    const env = await h.environment()
    const made = await make(env)
    const names = Array.from({ length: 10 }, (_, n) => `Name ${n}`)
    const replies = await Promise.all(
      names.map((name) => env.put(`/v2/workflows/${made.workflowId}`, { ...workflowBody, name })),
    )
    expect(replies.map((it) => it.body.version).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    const { rows } = await sql<{ version: number; name: string }>`
      select version, definition ->> 'name' as name from workflow_version
      where environment_id = ${env.environmentId} and workflow_id = ${made._id}`.execute(h.admin)
    for (const { body } of replies) expect(rows).toContainEqual({ version: body.version, name: body.name })
  })

  test('a refused one leaves everything as it was', async () => {
    const env = await h.environment()
    const made = await make(env)
    const wait = { name: 'Wait', type: 'delay', controlValues: { type: 'timed', cron: 'never' } }
    const reply = await env.put(`/v2/workflows/${made.workflowId}`, { name: 'A', steps: [wait] })
    expect(Object.keys(reply.body.errors)).toEqual(['steps.0.controlValues.cron'])
    expect((await env.get(`/v2/workflows/${made.workflowId}`)).body).toEqual(made)
  })
})

describe('PATCH /v2/workflows/{workflowId}', () => {
  test('active is no part of a version', async () => {
    const env = await h.environment()
    const made = await make(env)
    const { status, body } = await env.patch(`/v2/workflows/${made.workflowId}`, { active: false })
    expect(status).toBe(200)
    expect(body).toEqual({ ...made, active: false, status: 'INACTIVE', updatedAt: expect.any(String) })
  })

  test('the rest makes one, and leaves what is not named', async () => {
    const env = await h.environment()
    const made = await make(env, { description: 'D', tags: ['x'], payloadSchema: { type: 'object' } })
    const changed = await env.patch(`/v2/workflows/${made.workflowId}`, { name: 'New', tags: [], payloadSchema: null })
    const expected = { ...made, name: 'New', tags: [], payloadSchema: null, version: 2 }
    expect(changed.body).toEqual({ ...expected, updatedAt: expect.any(String) })
    expect((await env.patch(`/v2/workflows/${made.workflowId}`, { name: 'New' })).body).toEqual(changed.body)
    expect((await env.patch(`/v2/workflows/${made.workflowId}`, {})).body).toEqual(changed.body)
  })
})
