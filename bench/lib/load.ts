import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

export type Target = { url: string; key: string; path: string }
export type Sent = {
  /** Milliseconds per call that was taken, in the order of the answers. */
  latencies: number[]
  seconds: number
  /** Answers that told us to come back later. */
  refused: number
  /** Calls that were due while every connection was busy, and that nobody made. */
  dropped: number
}

export type LoadOptions = {
  connections: number
  /** Serialised before: the generator shares the machine with what it measures. */
  bodies: readonly Buffer[]
  /** The bodies come round again; absent: each once. */
  calls?: number
  forMs?: number
  /** Calls per second, whether or not earlier ones are answered; absent: a connection sends its next one at once. */
  perSecond?: number
  /** A flood does not wait when it is told to, and does not make up for what it could not send. */
  isFlood?: boolean
}

/** At a given rate a latency counts from the moment the call was due: a slow answer cannot hide those that waited for it. */
export async function sendLoad(target: Target, options: LoadOptions): Promise<Sent> {
  const { connections, bodies, perSecond, isFlood = false } = options
  const calls = options.calls ?? (options.forMs ? Number.POSITIVE_INFINITY : bodies.length)
  const pool = new Pool(target.url, { connections, pipelining: 1 })
  const sent: Sent = { latencies: [], seconds: 0, refused: 0, dropped: 0 }
  const started = performance.now()
  const endsAt = started + (options.forMs ?? Number.POSITIVE_INFINITY)
  let next = 0
  const work = async () => {
    while (next < calls) {
      const index = next++
      const dueAt = perSecond ? started + (index * 1000) / perSecond : performance.now()
      if (dueAt >= endsAt) return
      const lateMs = performance.now() - dueAt
      if (lateMs < 0) await sleep(-lateMs)
      else if (isFlood && lateMs > 100) {
        sent.dropped++
        continue
      }
      const body = bodies[index % bodies.length]
      if (body && (await sendOnce(pool, target, body, sent, isFlood))) sent.latencies.push(performance.now() - dueAt)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, work))
  } finally {
    await pool.destroy()
  }
  sent.seconds = (performance.now() - started) / 1000
  return sent
}

/** Answers whether it was taken; unless it is a flood it always is, sooner or later. */
async function sendOnce(pool: Pool, target: Target, body: Buffer, sent: Sent, isFlood: boolean): Promise<boolean> {
  while (true) {
    const reply = await pool.request({
      method: 'POST',
      path: target.path,
      headers: { authorization: `ApiKey ${target.key}`, 'content-type': 'application/json' },
      body,
    })
    if (reply.statusCode === 201) {
      await reply.body.dump()
      return true
    }
    const text = await reply.body.text()
    // Overrun, a node may also say that it is busy; in an ordinary load that is a fault.
    const isRefusal = reply.statusCode === 429 || (isFlood && reply.statusCode === 503)
    if (!isRefusal) throw new Error(`${target.path} answered ${reply.statusCode}: ${text.slice(0, 300)}`)
    sent.refused++
    if (isFlood) return false
    await sleep(Number(reply.headers['retry-after'] ?? 1) * 1000)
  }
}
