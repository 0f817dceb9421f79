import { type Reply, send } from '../../lib/http.ts'
import { at, textAt } from '../../lib/json.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { type ApiStage, isReplay, sendUntilSettled, unique } from './stage.ts'

/** Another body is refused; another path, method or environment is another request. */
export async function keyReused({ world, nodes, tenants }: ApiStage): Promise<string> {
  const rounds = world.small ? 3 : 40
  const [a, b] = tenants
  if (!a || !b) throw new Error('two tenants are needed')
  let [refused, independent] = [0, 0]
  await inParallel(
    times(rounds, (i) => i),
    4,
    async (i) => {
      const [here, there] = i % 2 === 0 ? nodes : [nodes[1], nodes[0]]
      const headers = { 'idempotency-key': unique('reused') }
      const subscriberId = unique('reuse')
      const first = await send(here.url, 'POST', '/v2/subscribers', {
        key: a.key,
        headers,
        body: { subscriberId, firstName: 'Ada' },
      })
      expectEqual(first.status, 201, first.text)

      const otherBody = { subscriberId, firstName: 'Eve' }
      const other = await send(there.url, 'POST', '/v2/subscribers', { key: a.key, headers, body: otherBody })
      expectReused(other)
      // A query is part of what was asked.
      const body = { subscriberId, firstName: 'Ada' }
      expectReused(await send(there.url, 'POST', '/v2/subscribers?failIfExists=true', { key: a.key, headers, body }))
      refused += 2

      const otherPath = await send(there.url, 'PATCH', `/v2/subscribers/${subscriberId}`, {
        key: a.key,
        headers,
        body: { lastName: 'Lovelace' },
      })
      expectIndependent(otherPath, 200)
      expectIndependent(await send(here.url, 'DELETE', `/v2/subscribers/${subscriberId}`, { key: a.key, headers }), 200)
      const elsewhere = await send(there.url, 'POST', '/v2/subscribers', { key: b.key, headers, body: otherBody })
      expectIndependent(elsewhere, 201)
      expectEqual(textAt(elsewhere.body, '_environmentId'), b.environmentId, 'the environment of the independent reply')
      independent += 3

      // The subscriber is gone by now; the reply of the first request is not.
      const again = await send(there.url, 'POST', '/v2/subscribers', { key: a.key, headers, body })
      expectThat(isReplay(again) && again.text === first.text, 'the first reply did not come again')
      const left = await world.sql('select 1 from subscriber where environment_id = $1 and subscriber_id = $2', [
        a.environmentId,
        subscriberId,
      ])
      expectEqual(left.length, 0, 'rows after a replayed create of what was deleted since')
    },
  )
  const raced = await race({ world, nodes, tenants })
  expectAtLeast(refused, rounds * 2, 'refusals')
  return `${refused} other bodies refused, ${independent} other paths, methods and environments independent, ${raced} races of two bodies: one wins`
}

/** Two bodies at once under one key: one is done, the other refused, however they meet. */
async function race({ world, nodes, tenants }: ApiStage): Promise<number> {
  const rounds = world.small ? 2 : 20
  const [tenant] = tenants
  if (!tenant) throw new Error('a tenant is needed')
  for (let round = 0; round < rounds; round++) {
    const headers = { 'idempotency-key': unique('race') }
    const ids = [unique('left'), unique('right')]
    const replies = await Promise.all(
      times(20, async (i) => {
        const call = { method: 'POST', path: '/v2/subscribers', body: { subscriberId: ids[i % 2] } }
        return sendUntilSettled(nodes[i % 4 < 2 ? 0 : 1].url, call, { key: tenant.key, headers })
      }),
    )
    const done = replies.filter((reply) => reply.status === 201)
    expectEqual(done.length, 10, 'replies of the body that won')
    expectEqual(new Set(done.map((reply) => reply.text)).size, 1, 'different replies of the body that won')
    for (const reply of replies) if (reply.status !== 201) expectReused(reply)
    const rows = await world.sql('select 1 from subscriber where environment_id = $1 and subscriber_id = any ($2)', [
      tenant.environmentId,
      ids,
    ])
    expectEqual(rows.length, 1, 'rows made by two bodies under one key')
  }
  return rounds
}

function expectReused(reply: Reply): void {
  expectEqual([reply.status, at(reply.body, 'code')], [422, 'idempotency_key_reused'], 'the reply to another body')
}

function expectIndependent(reply: Reply, status: number): void {
  expectEqual([reply.status, isReplay(reply)], [status, false], `an independent request: ${reply.text}`)
}
