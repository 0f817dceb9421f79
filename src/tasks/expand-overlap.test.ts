import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { makeSubscribers, makeWorkflow, messagesBySubscriber, subscribe, trigger } from '../../test/pipeline.ts'

const h = useHarness({}, { worker: true })

test('the same people by id, inline with channels and by a topic: pages of one event do not wait for each other', async () => {
  const env = await h.environment()
  const lines: string[] = []
  h.ctx.log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  await makeWorkflow(env)
  const ids = Array.from({ length: 300 }, (_, n) => `p${n}`)
  await makeSubscribers(env, ids)
  await subscribe(env, 'all', ids)
  // Channels take their time: the third page is written before the second.
  const channels = [{ providerId: 'fcm', credentials: { deviceTokens: ['t1'] } }]
  const inline = ids.map((subscriberId, n) => ({ subscriberId, firstName: 'Ada', ...(n < 60 && { channels }) }))
  await trigger(env, { to: [...ids, ...inline, { type: 'Topic', topicKey: 'all' }] })
  await expect
    .poll(() => stateOf(env.environmentId), { timeout: 60_000, interval: 50 })
    .toEqual({
      state: 'expanded',
      notified: 300,
    })
  expect(Object.keys(await messagesBySubscriber(env))).toHaveLength(300)
  // It also ends when they do wait for each other, but after a statement was canceled for its time.
  expect(lines).toEqual([])
}, 90_000)

async function stateOf(environmentId: string): Promise<unknown> {
  const { rows } = await sql`select state, notified_count as notified from event
    where environment_id = ${environmentId}`.execute(h.admin)
  return rows[0]
}
