/** A receiver of webhooks on loopback, a process of its own: answers 204 after so many milliseconds, and notes what came. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Heard = {
  calls: number
  /** By `webhook-id`. */
  events: number
  /** Milliseconds from the time in the body of each event until it came first. */
  lags: number[]
  /** When the first and the last came, in milliseconds since the epoch. */
  firstAt: number
  lastAt: number
  /** Calls that waited for their answer at the same time. */
  mostAtOnce: number
}
export type ReceiverMessage = { port: number } | { events: number } | { heard: Heard }
export type ReceiverRequest = 'count' | 'heard' | { answerMs: number }

let answerMs = 0
let atOnce = 0
let [ids, heard] = [new Set<string>(), nothing()]

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now()
  heard.mostAtOnce = Math.max(heard.mostAtOnce, ++atOnce)
  response.on('close', () => atOnce--)
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    note(String(request.headers['webhook-id']), Buffer.concat(chunks).toString(), at)
    setTimeout(() => response.writeHead(204).end(), answerMs)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', 1024, () => tell({ port: (server.address() as AddressInfo).port }))

process.on('message', (asked: ReceiverRequest) => {
  if (asked === 'count') tell({ events: ids.size })
  else if (asked === 'heard') {
    tell({ heard: { ...heard, events: ids.size } })
    ids = new Set()
    heard = nothing()
  } else answerMs = asked.answerMs
})
// Whoever started it is gone.
process.on('disconnect', () => process.exit())

function note(id: string, body: string, at: number): void {
  heard.calls++
  heard.firstAt ||= at
  heard.lastAt = at
  if (ids.has(id)) return
  ids.add(id)
  const happened = Date.parse(/"timestamp": ?"([^"]{24})"/.exec(body)?.[1] ?? '')
  if (Number.isNaN(happened)) throw new Error(`an event without a time: ${body.slice(0, 200)}`)
  heard.lags.push(at - happened)
}

function nothing(): Heard {
  return { calls: 0, events: 0, lags: [], firstAt: 0, lastAt: 0, mostAtOnce: 0 }
}

function tell(message: ReceiverMessage): void {
  process.send?.(message)
}
