import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readAway } from '../../test/client/read-away.ts'
import { longestBlock } from '../../test/event-loop.ts'
import { bestOfFive } from '../../test/fastest.ts'
import { useHarness } from '../../test/harness.ts'
import { makeWorkflow, trigger } from '../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const half = 'abcdefghij'.repeat(50_000)

test('a list of a hundred megabytes leaves row by row, and everybody else has their turns meanwhile', {
  timeout: 180_000,
  ...bestOfFive,
}, async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await trigger(env, { to: Array.from({ length: 200 }, (_, n) => `p${n}`), payload: { text: half } })
  await h.drain()
  const { result, blockedMs } = await longestBlock(() => readAway(h.url, '/v1/messages?limit=200', env))
  expect(result.status).toBe(200)
  expect(result.bytes).toBeGreaterThan(200 * half.length)
  expect(blockedMs).toBeLessThan(250)
})

test('a reply longer than any string is sent all the same', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await trigger(env, { to: Array.from({ length: 24 }, (_, n) => `p${n}`) })
  await h.drain()
  // An event from before overrides had a limit.
  await sql`
    update event set overrides = jsonb_build_object('email', jsonb_build_object('html', repeat(${half}, 48)))
    where environment_id = ${env.environmentId}`.execute(h.admin)
  const read = await readAway(h.url, '/v1/messages?limit=24', env)
  expect(read).toMatchObject({ status: 200 })
  expect(read.bytes).toBeGreaterThan(24 * 48 * half.length)
}, 300_000)
