/** A provider on loopback, a process of its own: takes every message after so many milliseconds, and notes when it came. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** When each order was called for, in milliseconds since the epoch. */
export type Arrivals = Record<string, number>
export type ProviderMessage = { port: number } | { count: number } | { arrivals: Arrivals }
export type ProviderRequest = 'count' | 'arrivals' | { latencyMs: number }

let latencyMs = 20
let arrivals: Arrivals = {}
let count = 0

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const order = /"subject":"(\d+)"/.exec(Buffer.concat(chunks).toString())?.[1]
    if (order !== undefined) arrivals[order] ??= at
    count++
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"taken"}'), latencyMs)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', 1024, () => tell({ port: (server.address() as AddressInfo).port }))

process.on('message', (asked: ProviderRequest) => {
  if (asked === 'count') tell({ count })
  else if (asked === 'arrivals') {
    tell({ arrivals })
    arrivals = {}
    count = 0
  } else latencyMs = asked.latencyMs
})
// Whoever started it is gone.
process.on('disconnect', () => process.exit())

function tell(message: ProviderMessage): void {
  process.send?.(message)
}
