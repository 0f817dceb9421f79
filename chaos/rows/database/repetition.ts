import { send, type Tenant, type TimedReply } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { until } from '../../lib/outside-stage.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { bothWays, makeWorkflow, workflowId } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { answerWithinMs, withPair } from './pair-stage.ts'

type Call = { path: string; body: object; headers: Record<string, string>; ids: string[] }

/**
 * The first COMMIT of an event waits for the standby and is cut off: the event is on the primary alone. Whoever repeats
 * it, by its transactionId or by its key, is not told that it is accepted before the standby has it.
 */
export function repetitions(outer: World): Promise<string> {
  return withPair(outer, async (world, pair) => {
    const tenant = await world.tenant()
    const node = await world.startNode(bothWays, 'api')
    await makeWorkflow(node.url, tenant)
    const calls = ['single', 'keyed', 'bulk', 'keyed bulk'].flatMap((kind) => times(2, (n) => callOf(kind, n)))
    const ask = (call: Call) => send(node.url, 'POST', call.path, { key: tenant.key, ...call })
    const isBusy = ({ status }: TimedReply) => status === 503

    pair.line.hold()
    const first = await inParallel(calls, 1, async (call) => {
      const reply = ask(call)
      await until(async () => (await pair.waiting()) > 0, 10_000, 'a COMMIT that waits')
      await pair.atPrimary("select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
      return reply
    })
    expectEqual(first.filter(isBusy).length, calls.length, '503 to those whose COMMIT was cut off')
    const alone = await present(world, tenant)
    expectAtLeast(alone.length, idsOf(calls).length, 'events on the primary alone')

    const second = await inParallel(calls, calls.length, ask)
    const wrong = second.flatMap((reply, n) => (isBusy(reply) ? [] : `${calls[n]?.ids[0]} → ${reply.status}`))
    const slowest = Math.max(...second.map(({ ms }) => ms))
    await pair.killPrimary()
    await pair.promote()
    await until(async () => (await present(world, tenant).catch(() => null)) !== null, 20_000, 'the standby answers')
    const kept = await present(world, tenant)
    expectThat(wrong.length === 0, `acknowledged, and ${kept.length} are on the standby: ${wrong.join(', ')}`)
    const each = second.map(({ ms, body }, n) => `${calls[n]?.ids[0]} ${(ms / 1000).toFixed(1)} s ${at(body, 'code')}`)
    expectThat(slowest < answerWithinMs, `repetitions took: ${each.join(', ')}`)
    expectEqual(kept.length, 0, 'events on the standby, which would prove nothing')

    for (const call of calls) {
      await until(async () => (await ask(call)).status === 201, 20_000, `${call.ids[0]} is accepted in the end`)
    }
    expectEqual((await present(world, tenant)).sort(), idsOf(calls).sort(), 'the events in the end')
    const replayed = await inParallel(calls, 1, ask)
    for (const reply of replayed) expectEqual(reply.status, 201, `repeated once more: ${reply.text}`)
    expectEqual((await present(world, tenant)).length, idsOf(calls).length, 'events after one more repetition')
    const statuses = replayed.map(({ body }) => at(body, 'status') ?? at(body, 0, 'status'))
    expectEqual([...new Set(statuses)], ['processed'], 'what they are told')
    return `${idsOf(calls).length} events in ${calls.length} calls on the primary alone; repeated by transactionId and by key: ${second.length} × 503 (slowest ${(slowest / 1000).toFixed(1)} s), none acknowledged; after the failover 0 there, and each once when repeated`
  })
}

const idsOf = (calls: readonly Call[]) => calls.flatMap(({ ids }) => ids)

function callOf(kind: string, n: number): Call {
  const name = `${kind.replace(' ', '-')}-${n}`
  const event = (transactionId: string) => ({ name: workflowId, transactionId, to: transactionId, payload: {} })
  const headers = kind.startsWith('keyed') ? { 'idempotency-key': name } : {}
  if (!kind.endsWith('bulk')) return { path: '/v1/events/trigger', body: event(name), headers, ids: [name] }
  const ids = times(3, (i) => `${name}-${i}`)
  return { path: '/v1/events/trigger/bulk', body: { events: ids.map(event) }, headers, ids }
}

async function present(world: World, { environmentId }: Tenant): Promise<string[]> {
  const rows = await world.sql<{ id: string }>('select transaction_id as id from event where environment_id = $1', [
    environmentId,
  ])
  return rows.map(({ id }) => id)
}
