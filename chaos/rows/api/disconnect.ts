import { setTimeout as sleep } from 'node:timers/promises'
import { openRaw } from '../../hostile/raw-socket.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { expectAtLeast, expectEqual } from '../../lib/red.ts'
import { type ApiStage, isReplay, sendUntilSettled, unique } from './stage.ts'

/** The client goes away in the middle of its body, or before the answer: the key stays usable, nothing is done twice. */
export async function disconnects({ world, nodes, tenants }: ApiStage): Promise<string> {
  const rounds = world.small ? 4 : 60
  const [tenant] = tenants
  if (!tenant) throw new Error('a tenant is needed')
  let [halves, replayed] = [0, 0]
  await inParallel(
    times(rounds, (i) => i),
    6,
    async (i) => {
      const isWhole = i % 3 === 0
      const [here, there] = i % 2 === 0 ? nodes : [nodes[1], nodes[0]]
      const subscriberId = unique('upload')
      const key = unique('upload-key')
      const body = { subscriberId, data: { text: 'x'.repeat(world.random.integer(100, 60_000)) } }
      const text = JSON.stringify(body)
      const head = [
        'POST /v2/subscribers?failIfExists=true HTTP/1.1',
        'host: localhost',
        `authorization: ApiKey ${tenant.key}`,
        'content-type: application/json',
        `content-length: ${text.length}`,
        `idempotency-key: ${key}`,
      ]
      const raw = await openRaw(here.url)
      const sent = isWhole ? text : text.slice(0, Math.floor(text.length * world.random.next()))
      await new Promise((resolve) => raw.socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`, resolve))
      await sleep(world.random.integer(0, 8))
      raw.socket.resetAndDestroy()

      if (!isWhole) {
        await sleep(30)
        const rows = await world.sql('select 1 from subscriber where environment_id = $1 and subscriber_id = $2', [
          tenant.environmentId,
          subscriberId,
        ])
        expectEqual(rows.length, 0, 'rows made by half a body')
        halves++
      }
      const call = { method: 'POST', path: '/v2/subscribers?failIfExists=true', body }
      const reply = await sendUntilSettled(there.url, call, { key: tenant.key, headers: { 'idempotency-key': key } })
      expectEqual(reply.status, 201, `the same key after a disconnect: ${reply.text}`)
      if (!isWhole) expectEqual(isReplay(reply), false, 'half a body left a reply behind')
      if (isReplay(reply)) replayed++
    },
  )
  expectAtLeast(halves, Math.floor(rounds / 2), 'uploads cut in the middle')
  return `${halves} uploads cut in the middle: no row, key usable; ${rounds - halves} cut before the answer: once (${replayed} replayed)`
}
