import pg from 'pg'
import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { makeWorkflow, messagesBySubscriber } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })

/** The statements of this process about contexts and variables. */
function watchStatements(): () => string[] {
  const seen: string[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const text = JSON.stringify(args[0] ?? '')
    if (/\b(into|from|join) (context|environment_variable)\b/.test(text)) seen.push(text)
    return Reflect.apply(query, this, args)
  } as typeof query
  return () => {
    pg.Client.prototype.query = query
    return seen
  }
}

const body = '{{context.tenant.data.plan}} at {{env.SHOP}}'
const steps = [{ name: 'Bell', type: 'in_app', controlValues: { body } }]

test('a call keeps its contexts by one statement, and a page reads contexts and variables once, however many it is', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps })
  const values = [{ _environmentId: env.environmentId, value: 'Tea' }]
  await env.post('/v1/environment-variables', { key: 'SHOP', values })
  await env.post('/v2/contexts', { type: 'tenant', id: 'acme', data: { plan: 'gold' } })
  const to = (n: number) => Array.from({ length: 3 }, (_, i) => `p-${n}-${i}`)
  const context = { tenant: 'acme', app: 'crm' }
  const events = Array.from({ length: 100 }, (_, n) => ({ name: 'hello', to: to(n), context }))
  const stop = watchStatements()
  expect((await env.post('/v1/events/trigger/bulk', { events })).status).toBe(201)
  await h.drain()
  const seen = stop()
  expect(Object.keys(await messagesBySubscriber(env))).toHaveLength(300)
  expect((await env.get('/v1/messages?limit=1')).body.data[0].content).toBe('gold at Tea')
  expect(seen.filter((text) => text.includes('insert into context'))).toHaveLength(1)
  // 300 people are a page; the queue may have made two of it.
  expect(seen.length).toBeLessThanOrEqual(1 + 2 * 2)
})
