import { setTimeout as sleep } from 'node:timers/promises'
import { openRaw, type RawConnection } from '../../hostile/raw-socket.ts'
import { times } from '../../lib/parallel.ts'
import { expectAtLeast, expectThat } from '../../lib/red.ts'

export type Dripping = { over: Promise<{ kind: string; seconds: number | null }[]>; stop(): void }

const limits = { 'silent connections': 13, 'dripping headers': 13, 'dripping bodies': 34 }

/** Three kinds of slow senders, each a byte every now and then, until they are cut off. */
export async function startDripping(url: string, key: string): Promise<Dripping> {
  const head = `POST /v2/topics HTTP/1.1\r\nhost: x\r\nauthorization: ApiKey ${key}\r\ncontent-type: application/json\r\n`
  let running = true
  const open = async (kind: keyof typeof limits, start: string, drip: string) => {
    const raw = await openRaw(url)
    if (start) raw.socket.write(start)
    return follow(kind, raw, drip)
  }
  const follow = async (kind: keyof typeof limits, raw: RawConnection, drip: string) => {
    const deadline = performance.now() + limits[kind] * 1_000
    while (running && !raw.isClosed() && performance.now() < deadline) {
      if (drip) raw.socket.write(drip)
      await sleep(400)
    }
    const closed = await raw.closedWithin(1)
    raw.socket.destroy()
    return { kind, seconds: closed === null ? null : closed / 1_000 }
  }
  const senders = [
    ...times(15, () => open('silent connections', '', '')),
    ...times(15, () => open('dripping headers', `${head}x: `, 'y')),
    ...times(15, () => open('dripping bodies', `${head}content-length: 9999\r\n\r\n{"key":"`, 'z')),
  ]
  return {
    over: Promise.all(senders),
    stop: () => {
      running = false
    },
  }
}

type Stage = { dripping: Dripping | null; node: { url: string }; tenant: { key: string } }

export async function slowSenders({ dripping, node, tenant }: Stage): Promise<string> {
  const ends = await (dripping ?? (await startDripping(node.url, tenant.key))).over
  const told = Object.entries(limits).map(([kind, limit]) => {
    const seconds = ends.filter((end) => end.kind === kind).map((end) => end.seconds ?? Number.POSITIVE_INFINITY)
    expectAtLeast(seconds.length, 15, kind)
    const longest = Math.max(...seconds)
    expectThat(longest <= limit, `${kind} are still open after ${limit} s`)
    return `${seconds.length} ${kind} cut within ${longest.toFixed(1)} s`
  })
  return dripping ? `${told.join(', ')}; all rows above ran beside them` : told.join(', ')
}
