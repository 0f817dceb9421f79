import { NoReply, send } from '../../lib/http.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import type { ApiNode } from '../../lib/process.ts'
import { expectAtLeast, expectEqual } from '../../lib/red.ts'
import { type ApiStage, isReplay, sendUntilSettled, unique } from './stage.ts'

/** kill -9 in the middle of keyed creates; whoever got no reply repeats at the other node with the same key. */
export async function killedNode(stage: ApiStage): Promise<string> {
  const kills = stage.world.small ? 1 : 6
  const victims = await Promise.all(times(kills, () => stage.world.startNode()))
  const total = { made: 0, broken: 0, committed: 0 }
  for (const victim of victims) {
    const { made, broken, committed } = await storm(stage, victim)
    total.made += made
    total.broken += broken
    total.committed += committed
  }
  expectAtLeast(total.broken, kills * 10, 'requests that a kill left without a reply')
  return `${total.made} keyed creates, ${kills} × kill -9: ${total.broken} cut off and repeated elsewhere (${total.committed} had committed); each made once`
}

async function storm(
  { world, nodes: [, survivor] }: ApiStage,
  victim: ApiNode,
): Promise<{ made: number; broken: number; committed: number }> {
  const tenant = await world.tenant()
  const names = times(80, () => unique('storm'))
  const killAfter = world.random.integer(5, 50)
  let [answered, broken, committed] = [0, 0, 0]
  await inParallel(names, 30, async (name, i) => {
    const [path, body, status] =
      i % 2 === 0
        ? ['/v2/topics?failIfExists=true', { key: name }, 200]
        : ['/v1/integrations', { providerId: 'sendgrid', channel: 'email', name }, 201]
    const sent = { key: tenant.key, headers: { 'idempotency-key': name } }
    const isUp = victim.ended() === null
    const first = isUp ? await send(victim.url, 'POST', path, { ...sent, body }).catch(noReply) : null
    if (++answered === killAfter) await victim.kill()
    if (isUp && !first) broken++
    const reply = first ?? (await sendUntilSettled(survivor.url, { method: 'POST', path, body }, sent))
    expectEqual(reply.status, status, `${first ? 'the first' : 'the other'} node: ${reply.text}`)
    if (isUp && isReplay(reply)) committed++
  })
  const rows = await world.sql<{ name: string }>(
    'select key as name from topic where environment_id = $1 union all select name from integration where environment_id = $1',
    [tenant.environmentId],
  )
  expectEqual(rows.map((row) => row.name).sort(), names.sort(), 'what the storm made')
  return { made: names.length, broken, committed }
}

function noReply(error: unknown): null {
  if (error instanceof NoReply) return null
  throw error
}
