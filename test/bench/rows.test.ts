import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkRows } from '../../bench/lib/rows.ts'
import { useHarness } from '../harness.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../pipeline.ts'

const h = useHarness({}, { worker: true })
let pool: pg.Pool
beforeAll(() => {
  pool = new pg.Pool({ connectionString: h.databaseUrl, max: 1 })
})
afterAll(() => pool.end())

const stage = {
  sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows,
}

test('a figure is given only where every accepted event has all its rows, once', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await makeSubscribers(env, ['ada'])
  for (let n = 0; n < 3; n++) await trigger(env, { to: 'ada' })
  await h.drain()

  await checkRows(stage, [env], 3)
  await expect(checkRows(stage, [env], 4)).rejects.toThrow('4 events were accepted')
  await expect(checkRows(stage, [env], 2)).rejects.toThrow('2 events were accepted')

  await pool.query(
    'update message set job_id = gen_random_uuid() where (environment_id, id) = (select environment_id, id from message where environment_id = $1 limit 1)',
    [env.environmentId],
  )
  await expect(checkRows(stage, [env], 3)).rejects.toThrow('"wholeJobs":2')
})
