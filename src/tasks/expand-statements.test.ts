import pg from 'pg'
import { expect, test } from 'vitest'
import { underRowLevelSecurity, useHarness } from '../../test/harness.ts'
import { makeWorkflow, messagesBySubscriber, trigger } from '../../test/pipeline.ts'

const h = useHarness({}, { worker: true })

/** Every statement of this process: of the API, the worker, and the engine with its maintenance of the queues. */
function countStatements(): () => number {
  let count = 0
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    // Not the test's own waiting.
    if (!JSON.stringify(args[0] ?? '').includes('dead-letters')) count++
    return Reflect.apply(query, this, args)
  } as typeof query
  return () => {
    pg.Client.prototype.query = query
    return count
  }
}

test('a page costs statements, not its people: under 0.5 per notification at 100 recipients per event', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const events = 30
  const stop = countStatements()
  for (let n = 0; n < events; n++) {
    const to = Array.from({ length: 100 }, (_, i) => ({ subscriberId: `p-${n}-${i}`, firstName: 'Ada' }))
    expect((await trigger(env, { to })).status).toBe('processed')
  }
  await h.drain()
  const statements = stop()
  const notifications = Object.keys(await messagesBySubscriber(env)).length
  expect(notifications).toBe(events * 100)
  console.log(
    `${statements} statements for ${notifications} notifications: ${(statements / notifications).toFixed(3)} each`,
  )
  // There each transaction names its environment first.
  expect(statements / notifications).toBeLessThan(underRowLevelSecurity ? 0.6 : 0.5)
})

test('so do small events that come together: under one for each of a hundred in a bulk', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const events = Array.from({ length: 100 }, (_, n) => ({ name: 'hello', to: `p${n}`, payload: {} }))
  const stop = countStatements()
  expect((await env.post('/v1/events/trigger/bulk', { events })).status).toBe(201)
  await h.drain()
  const statements = stop()
  expect(Object.keys(await messagesBySubscriber(env))).toHaveLength(100)
  console.log(`${statements} statements for a bulk of 100 events`)
  expect(statements).toBeLessThan(100)
})
