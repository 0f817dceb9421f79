import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { discovery } from '../../../test/bridge/discovery.ts'
import { longestBlock } from '../../../test/event-loop.ts'
import { bestOfFive } from '../../../test/fastest.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { trigger } from '../../../test/pipeline.ts'

const bridge = await startHttpReceiver()
const h = useHarness(allowing(bridge.port), { worker: true })
afterAll(() => bridge.close())

const people = Array.from({ length: 40 }, (_, n) => `p${n}`)
const data = (count: number, size: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'y'.repeat(size)]))

async function ended(env: Client): Promise<string[]> {
  const { rows } = await sql<{ status: string }>`
    select status from job where environment_id = ${env.environmentId} and status <> all ('{pending,queued}')`.execute(
    h.admin,
  )
  return rows.map(({ status }) => status)
}

test.each<[string, object, string]>([
  ['as many values as there may be', data(1_900, 250), 'completed'],
  ['too many', data(40_000, 1), 'failed'],
])(
  'answers of half a megabyte to all at once, with %s: nobody is held up',
  { ...bestOfFive, timeout: 60_000 },
  async (_what, given, status) => {
    const env = await h.environment()
    bridge.answer = discovery()
    expect((await env.post('/v1/bridge/sync', { bridgeUrl: bridge.url })).status).toBe(201)
    const body = Buffer.from(JSON.stringify({ outputs: { body: 'B', data: given }, options: {} }))
    bridge.answer = { headers: { 'content-type': 'application/json' }, body, delayMs: 200 }
    let id = ''
    const { blockedMs } = await longestBlock(async () => {
      id = (await trigger(env, { name: 'coded', to: people, payload: {} })).transactionId
      await expect.poll(async () => (await ended(env)).length, { timeout: 30_000 }).toBe(people.length)
    })
    expect(new Set(await ended(env))).toEqual(new Set([status]))
    expect(blockedMs).toBeLessThan(250)
    const words = JSON.stringify((await storyOf(env, id)).jobs[0].executionDetails)
    if (status === 'failed') expect(words).toContain('has more than the 2000 values')
  },
)
