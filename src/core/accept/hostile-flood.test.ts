import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'

// Sixteen slow calls, eight connections: if they took them all, somebody else would wait for seconds.
const h = useHarness({}, { worker: true })
const path = '/v1/events/trigger'
afterEach(() => sql`drop function if exists planted cascade`.execute(h.admin))

async function timesOf(env: Client, count: number, to = 'ada'): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    const reply = await env.post(path, { name: 'hello', to })
    expect(reply.status, reply.text).toBe(201)
    times.push(performance.now() - began)
    await sleep(10)
  }
  return times.sort((a, b) => a - b)
}

test.each([
  ['singles', (n: number) => ({ url: path, body: { name: 'hello', to: `p${n}` }, headers: {} })],
  [
    'keyed singles',
    (n: number) => ({ url: path, body: { name: 'hello', to: `p${n}` }, headers: { 'idempotency-key': `k${n}` } }),
  ],
  [
    'bulks of 25',
    (n: number) => ({
      url: `${path}/bulk`,
      body: { events: Array.from({ length: 25 }, (_, i) => ({ name: 'hello', to: `p${n}-${i}` })) },
      headers: {},
    }),
  ],
] as const)('one environment whose writes take long (%s) does not hold up another', async (_what, make) => {
  const [slow, quiet] = [await h.environment(), await h.environment()]
  for (const env of [slow, quiet]) await makeWorkflow(env)
  await sql
    .raw(
      `create function planted() returns trigger language plpgsql as $$ begin
        if (select count(*) from new_rows where environment_id = '${slow.environmentId}') > 0 then perform pg_sleep(0.5); end if;
        return null; end $$`,
    )
    .execute(h.admin)
  await sql
    .raw(
      'create trigger planted after insert on event_key referencing new table as new_rows for each statement execute function planted()',
    )
    .execute(h.admin)
  const calls = Array.from({ length: 16 }, (_, n) => {
    const { url, body, headers } = make(n)
    return slow.post(url, body, { ...headers })
  })
  await sleep(100)
  const times = await timesOf(quiet, 5)
  for (const { status } of await Promise.all(calls)) expect(status).toBe(201)
  expect(times.at(-1)).toBeLessThan(1_500)
})
