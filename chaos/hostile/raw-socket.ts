import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type RawConnection = {
  socket: Socket
  /** All that came back. */
  received(): string
  isClosed(): boolean
  /** When the other side ended it, after how many milliseconds; null when it had not by then. */
  closedWithin(limitMs: number): Promise<number | null>
}

/** A connection on which we say exactly what we want, whole requests or not. */
export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const opened = performance.now()
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  let closedAfter: number | null = null
  const close = new Promise<void>((resolve) => {
    socket.on('close', () => {
      closedAfter = performance.now() - opened
      resolve()
    })
  })
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', resolve))
  return {
    socket,
    received: () => Buffer.concat(chunks).toString('latin1'),
    isClosed: () => closedAfter !== null,
    async closedWithin(limitMs) {
      await Promise.race([close, sleep(limitMs, undefined, { ref: false })])
      return closedAfter
    },
  }
}

/** Sends this text as it is and gives back what was answered; empty when nothing was. */
export async function exchange(url: string, text: string | Uint8Array, limitMs = 3_000): Promise<string> {
  const raw = await openRaw(url)
  raw.socket.write(text)
  const deadline = performance.now() + limitMs
  while (!raw.isClosed() && !isWhole(raw.received()) && performance.now() < deadline) await sleep(5)
  raw.socket.destroy()
  return raw.received()
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = Number(/content-length: (\d+)/i.exec(answer.slice(0, end))?.[1] ?? 0)
  return answer.length >= end + 4 + length
}
