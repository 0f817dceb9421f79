import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { discovery } from '../../../test/bridge/discovery.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing } from '../../../test/outside.ts'
import { type Scripted, startHttpReceiver } from '../../../test/peers/http-receiver.ts'

const bridge = await startHttpReceiver()
const h = useHarness(allowing(bridge.port))
afterAll(() => bridge.close())

let env: Client
beforeEach(async () => {
  bridge.cut()
  env = await h.environment()
})

async function sync(given: Parameters<typeof discovery>[0] = {}) {
  bridge.answer = discovery(given)
  const reply = await env.post('/v1/bridge/sync', { bridgeUrl: `${bridge.url}/api/novu` })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

describe('sync', () => {
  test.each<[string, Scripted, string]>([
    [
      'refuses the signature',
      { status: 401, json: { message: 'bad', code: 'SignatureMismatchError' } },
      'SignatureMismatchError',
    ],
    ['answers something else', { json: { status: 'ok' } }, 'workflows'],
    ['answers no JSON', { body: '<html>' }, 'without JSON'],
    ['answers without end', 'endless', 'without JSON'],
    ['leads elsewhere', { status: 302, headers: { location: 'http://169.254.169.254/' } }, '302'],
    ['has a step that does not exist here', discovery({ steps: [{ stepId: 'a', type: 'tool' }] }), 'type tool'],
    [
      'has two steps of one id',
      discovery({
        steps: [
          { stepId: 'a', type: 'sms' },
          { stepId: 'a', type: 'sms' },
        ],
      }),
      'two steps',
    ],
    ['says what cannot be stored', discovery({ more: { name: 'a\u0000b' } }), 'NUL'],
    [
      'has too many steps',
      discovery({ steps: Array.from({ length: 51 }, (_, n) => ({ stepId: `${n}`, type: 'sms' })) }),
      'steps',
    ],
  ])('a bridge that %s is told of with 400, and nothing is changed', async (_what, answer, words) => {
    await sync()
    bridge.answer = answer
    const reply = await env.post('/v1/bridge/sync', { bridgeUrl: bridge.url })
    expect([reply.status, reply.body.code]).toEqual([400, 'bridge_failed'])
    expect(reply.body.message).toContain(words)
    expect((await env.get('/v2/workflows/coded')).status).toBe(200)
    expect((await env.get('/v1/bridge')).body.bridgeUrl).toBe(`${bridge.url}/api/novu`)
  })

  test('of an address we do not connect to is refused', async () => {
    for (const bridgeUrl of ['http://10.0.0.1/api/novu', 'http://localhost:1/x', 'http://user:pass@example.com/']) {
      expect((await env.post('/v1/bridge/sync', { bridgeUrl })).status).toBe(422)
    }
  })

  test('makes versions only of what changed, deletes what vanished, and leaves our own workflows alone', async () => {
    await sync()
    const reply = await sync({ workflowId: 'other', steps: [{ stepId: 'mail', type: 'email' }] })
    expect(reply).toMatchObject({ created: ['other'], deleted: ['coded'] })
    expect((await env.get('/v2/workflows/coded')).status).toBe(404)
    expect((await sync({ workflowId: 'other', steps: [{ stepId: 'mail', type: 'sms' }] })).updated).toEqual(['other'])
    expect((await env.get('/v2/workflows/other')).body).toMatchObject({ version: 2, origin: 'external' })
    await env.post('/v2/workflows', { workflowId: 'ours', name: 'Ours', steps: [] })
    bridge.answer = discovery({ workflowId: 'ours' })
    const taken = await env.post('/v1/bridge/sync', { bridgeUrl: bridge.url })
    expect([taken.status, taken.body.code]).toEqual([400, 'workflow_not_external'])
    expect((await env.get('/v2/workflows/other')).status).toBe(200)
    const diff = await env.post('/v1/bridge/diff', { bridgeUrl: bridge.url })
    expect(diff.body.code).toBe('workflow_not_external')
  })

  test('its workflows are switched here and changed only there', async () => {
    await sync()
    const put = await env.put('/v2/workflows/coded', { name: 'x', steps: [] })
    expect([put.status, put.body.code]).toEqual([400, 'workflow_external'])
    expect((await env.patch('/v2/workflows/coded', { name: 'x' })).body.code).toBe('workflow_external')
    expect((await env.patch('/v2/workflows/coded', { active: false })).body.active).toBe(false)
    expect((await sync()).unchanged).toEqual(['coded'])
    expect((await env.get('/v2/workflows/coded')).body.active).toBe(false)
    const file = { workflowId: 'coded', name: 'x', steps: [] }
    expect((await env.post('/v1/content', { resources: [file] })).status).toBe(422)
    expect((await env.get('/v1/content')).text).not.toContain('coded')
  })

  test('a protected environment learns where its bridge is, and nothing else', async () => {
    await sync()
    await sql`update environment set protected = true where id = ${env.environmentId}`.execute(h.admin)
    expect((await sync()).unchanged).toEqual(['coded'])
    bridge.answer = discovery({ workflowId: 'more' })
    expect((await env.post('/v1/bridge/sync', { bridgeUrl: bridge.url })).body.code).toBe('environment_protected')
  })
})
