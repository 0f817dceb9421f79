import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { whenOver } from '../lib/clean-up.ts'

/** A TCP port that leads to another one, and that can be cut off as a network is. */
export type Line = {
  port: number
  /** Where new connections lead from now on. */
  point(port: number): void
  /** Nothing passes any more, either way, and nobody is told. */
  hold(): void
  /** What was held goes on its way. */
  resume(): void
  /** Whatever was on its way is lost and its connection broken; new ones pass. */
  cut(): void
  close(): Promise<void>
}

type Pair = { near: Socket; far: Socket | null }

type Options = {
  /** Of the target. */
  host?: string
  /** By the port that a connection comes from. False: it is taken, and never answered. */
  admits?: (port: number) => boolean
}

export async function openLine(
  target: number,
  { host = '127.0.0.1', admits = () => true }: Options = {},
): Promise<Line> {
  const pairs = new Set<Pair>()
  let to = target
  let held = false

  const lead = (pair: Pair) => {
    const far = connect(to, host)
    far.setNoDelay(true)
    pair.far = far
    carry(pair, pair.near, far)
    carry(pair, far, pair.near)
  }
  const carry = (pair: Pair, from: Socket, other: Socket) => {
    from.on('data', (chunk) => {
      // Read before it was held, or by a socket that had some left.
      other.write(chunk)
      if (other.writableLength > 1_000_000) {
        from.pause()
        other.once('drain', () => held || from.resume())
      }
    })
    from.on('error', () => {})
    from.on('close', () => {
      if (held) return
      other.destroySoon()
      pairs.delete(pair)
    })
  }
  const breakAll = () => {
    for (const { near, far } of pairs) {
      near.destroy()
      far?.destroy()
    }
    pairs.clear()
  }
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
    near.on('error', () => {})
    if (!admits(near.remotePort ?? 0)) return void near.resume()
    const pair: Pair = { near, far: null }
    pairs.add(pair)
    if (held) return
    lead(pair)
    near.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 512, resolve))
  const close = whenOver(() => {
    breakAll()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    point(port) {
      to = port
    },
    hold() {
      held = true
      for (const { near, far } of pairs) for (const socket of [near, far]) socket?.pause()
    },
    resume() {
      held = false
      for (const pair of pairs) {
        if (pair.near.destroyed || pair.far?.destroyed) {
          pair.near.destroy()
          pair.far?.destroy()
          pairs.delete(pair)
          continue
        }
        if (pair.far === null) lead(pair)
        for (const socket of [pair.near, pair.far]) socket?.resume()
      }
    },
    cut() {
      held = false
      breakAll()
    },
    close,
  }
}
