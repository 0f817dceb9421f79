import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'

const h = useHarness()
const original = pg.Client.prototype.query
afterEach(() => {
  pg.Client.prototype.query = original
})

// What Node tells of a TLS connection on which a record arrives damaged: a code, no syscall.
const damaged = () =>
  Object.assign(new Error('error:0A000119:SSL routines::decryption failed or bad record mac'), {
    code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  })

test('a commit whose answer is lost is not made a second time', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  let left = 1
  const sawEvent = new WeakSet<object>()
  pg.Client.prototype.query = function (this: object, ...args: unknown[]) {
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text?: string })?.text
    if (text?.includes('insert into event_key')) sawEvent.add(this)
    const result = (original as (...given: unknown[]) => unknown).apply(this, args)
    if (text?.endsWith('commit') && sawEvent.has(this) && left-- > 0) {
      return Promise.resolve(result).then(() => {
        throw damaged()
      })
    }
    return result
  } as typeof original
  const reply = await env.post('/v1/events/trigger', { name: 'hello', to: 'ada' })
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from event
    where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(left).toBeLessThanOrEqual(0)
  expect({ status: reply.status, events: rows[0]?.n }).toEqual({ status: 503, events: 1 })
})
