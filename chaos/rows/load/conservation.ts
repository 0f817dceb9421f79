import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../lib/http.ts'
import { expectThat } from '../../lib/red.ts'
import { makeWorkflow, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkConservation, waitUntilDrained } from '../../oracles/delivery.ts'

const events = 30
// On average: every second event has too many to end when it is accepted, and is left to the worker.
const people = 10
const seenWithinMs = 60_000

/**
 * `conserve` sees loss: it says ok of what was written, and one row less of a table turns it red and names it; the
 * running worker finds the same by itself and says so in /metrics.
 */
export async function conservation(world: World): Promise<string> {
  const tenant = await world.tenant()
  const node = await world.startNode({}, 'start')
  await makeWorkflow(node.url, tenant)
  const body = {
    events: Array.from({ length: events }, (_, n) => ({
      name: workflowId,
      transactionId: `c-${n}`,
      to: Array.from({ length: n % 2 === 0 ? people + 5 : people - 5 }, (_, m) => `p-${n}-${m}`),
    })),
  }
  const reply = await send(node.url, 'POST', '/v1/events/trigger/bulk', { key: tenant.key, body })
  expectThat(reply.status === 201, `the trigger: ${reply.text}`)
  await waitUntilDrained(world, 60_000)
  await checkConservation(world)

  const tables = ['message', 'job', 'notification', 'event'] as const
  for (const table of tables) {
    // A new event each: what a row holds goes with it and must not speak for it.
    await world.sql(
      `delete from ${table} where (environment_id, id) = (select environment_id, id from ${table}
       where environment_id = $1 order by id ${table === 'notification' ? 'desc' : ''} limit 1)`,
      [tenant.environmentId],
    )
    const { code, output } = await world.command(['conserve'])
    expectThat(code === 1 && output.includes(`  ${table}: `), `conserve does not see a lost ${table}:\n${output}`)
  }
  const began = performance.now()
  while (!/tidings_conservation_missing\{table="event"\} 1/.test((await send(node.url, 'GET', '/metrics', {})).text)) {
    expectThat(performance.now() - began < seenWithinMs, 'the running worker does not see the loss')
    await sleep(250)
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  return `${events * people} notifications add up; a lost ${tables.join(', ')} is named by conserve, and in /metrics after ${seconds} s`
}
