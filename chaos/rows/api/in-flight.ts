import { admin } from '../../../test/find-postgres.ts'
import { send } from '../../lib/http.ts'
import { until } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { expectEqual, expectThat } from '../../lib/red.ts'
import { type ApiStage, isInFlight, isReplay, unique } from './stage.ts'

/** A request that hangs: those who ask again get 409 with Retry-After, then its reply, and there is one row. */
export async function inFlight({ world, nodes }: ApiStage): Promise<string> {
  const tenant = await world.tenant()
  const name = unique('slow')
  const sent = {
    key: tenant.key,
    headers: { 'idempotency-key': unique('slow-key') },
    body: { providerId: 'sendgrid', channel: 'email', name },
  }
  const post = (i: number) => send(nodes[i % 2 === 0 ? 0 : 1].url, 'POST', '/v1/integrations', sent)

  const { first, waiting } = await admin(world.databaseUrl, async (blocker) => {
    await blocker.query('begin')
    await blocker.query('select 1 from environment where id = $1 for no key update', [tenant.environmentId])
    const hanging = post(0)
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await world.sql(waits)).length > 0, 10_000, 'the first request hangs')
    const repeats = await Promise.all(times(6, (i) => post(i)))
    await blocker.query('rollback')
    return { first: await hanging, waiting: repeats }
  })
  for (const reply of waiting) {
    expectThat(isInFlight(reply), `while the first runs: ${reply.status} ${reply.text}`)
    expectEqual(reply.headers.get('retry-after'), '1', 'Retry-After of an in-flight 409')
  }
  expectEqual([first.status, isReplay(first)], [201, false], `the request that hung: ${first.text}`)
  const after = await Promise.all(times(6, (i) => post(i)))
  for (const reply of after) expectThat(isReplay(reply) && reply.text === first.text, 'no replay after the first ended')
  const rows = await world.sql('select 1 from integration where environment_id = $1', [tenant.environmentId])
  expectEqual(rows.length, 1, 'rows of one key')
  return `${waiting.length} repeats of a hanging request: 409 + Retry-After; then ${after.length} replays; one row`
}
