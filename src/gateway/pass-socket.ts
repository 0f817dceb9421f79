import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerAndCut } from '../http/read-on.ts'
import type { Cell } from './cell.ts'
import { findSubject, pathOf, type Subject, subjectOfEnvironment } from './find-subject.ts'
import { findPlace, type Parts, requestIdOf } from './handle-request.ts'
import { toCellHeaders } from './headers.ts'
import { readRefusal } from './pass-request.ts'
import type { Place } from './places.ts'
import { type GatewayError, refusalText } from './replies.ts'

export type Sockets = {
  pass(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Their browsers come again, to another gateway. */
  close(): void
}

const connectWithinMs = 10_000
// Cells say something to every socket each 25 s.
const silenceMs = 90_000
const tryEveryMs = 200
const mostTries = 50
// What one side may still read after the other has hung up.
const lingerMs = 5_000

/** Sockets are passed on as bytes. The gateway never looks into them. */
export function createSockets(parts: Parts): Sockets {
  const open = new Set<Duplex>()

  async function pass(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => {})
    const about = { id: requestIdOf(request), path: pathOf(request.url ?? '') }
    const stop = (code: GatewayError, cell = 'none') => {
      parts.metrics.refused.inc({ cell, code })
      answerAndCut(refusalText(code, about), socket)
    }
    const left = new AbortController()
    socket.once('close', () => left.abort())
    const subject = findSubject(request)
    const first = await findPlace(parts, subject)
    if (!first) return stop('place_unknown')
    let place = first
    const deadline = performance.now() + parts.holdMs
    for (let tries = 0; tries < mostTries && !socket.destroyed; tries++) {
      const fresh = await askAgain(subject, place)
      if (fresh === 'held') {
        if (performance.now() > deadline) return stop('environment_held', place.cell)
        await sleep(tryEveryMs)
        continue
      }
      place = fresh
      const cell = parts.cells.get(place.cell)
      if (!cell || cell.state() === 'down') return stop('cell_unavailable', cell?.name)
      // As every other request: a cell that hangs must not fill the gateway with what waits for it.
      const leave = await cell.enter(left.signal)
      if (left.signal.aborted) return leave?.()
      if (!leave) return stop('cell_busy', cell.name)
      const answer = await connect(cell, request, toCellHeaders(request, about.id, parts.isTrusted)).finally(leave)
      if (answer.kind === 'failed') return stop('cell_unavailable', cell.name)
      if (answer.kind === 'upgraded') {
        if (cell.open()) return join(cell, socket, head, answer)
        answer.upstream.destroy()
        return stop('cell_busy', cell.name)
      }
      const refusal = readRefusal(answer.reply.statusCode ?? 0, answer.reply.headers)
      if (!refusal) return relay(socket, answer.reply)
      answer.reply.destroy()
      parts.metrics.repeats.inc({ reason: refusal.kind })
      const next = refusal.kind === 'moved' ? refusal : refusal.kind === 'held' ? refusal.lives : null
      if (next && next.generation > place.generation && parts.cells.has(next.cell)) {
        place = { cell: next.cell, generation: next.generation }
        parts.places.learn(subject, place, null)
      } else if (performance.now() > deadline) return stop('environment_held', cell.name)
      else await sleep(tryEveryMs)
    }
    stop('environment_held', place.cell)
  }

  /**
   * A cell accepts every socket and asks who it is only then, so it cannot send one elsewhere. It is asked first whether
   * the environment still lives there.
   */
  async function askAgain(subject: Subject, place: Place): Promise<Place | 'held'> {
    const cell = parts.cells.get(place.cell)
    const environmentId = parts.places.environmentOf(subject)
    if (!cell || environmentId === null || cell.state() === 'down') return place
    let told = await parts.ask.one(cell, environmentId)
    // Where it is arriving it does not live yet: somebody else knows better.
    if (typeof told === 'object' && told.state === 'arriving')
      told = await parts.ask.everybody(subjectOfEnvironment(environmentId))
    if (typeof told === 'string') return place
    if (told.cell === place.cell && (told.state === 'frozen' || told.state === 'arriving')) return 'held'
    if (told.cell !== place.cell && told.generation > place.generation) {
      parts.places.learn(subject, told, environmentId)
      parts.moved(environmentId, told)
      return { cell: told.cell, generation: told.generation }
    }
    return place
  }

  function join(cell: Cell, socket: Duplex, head: Buffer, { reply, upstream, upstreamHead }: Upgraded): void {
    if (socket.destroyed) {
      upstream.destroy()
      cell.closed()
      return
    }
    open.add(socket)
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headerLines(reply.rawHeaders)}\r\n`)
    if (upstreamHead.length > 0) socket.write(upstreamHead)
    if (head.length > 0) upstream.write(head)
    upstream.setTimeout(silenceMs, () => upstream.destroy())
    upstream.on('error', () => {})
    // `pipe` reads from one side only as fast as the other takes it.
    socket.pipe(upstream)
    upstream.pipe(socket)
    const part = (other: Duplex) => () => setTimeout(() => other.destroy(), other.writableEnded ? lingerMs : 0).unref()
    upstream.once('close', part(socket))
    socket.once('close', part(upstream))
    socket.once('close', () => {
      open.delete(socket)
      cell.closed()
    })
  }

  return {
    pass: (request, socket, head) =>
      pass(request, socket, head).catch((error: unknown) => {
        parts.log.error({ err: error }, 'a socket could not be passed on')
        socket.destroy()
      }),
    close() {
      for (const socket of open) socket.end()
      setTimeout(() => {
        for (const socket of open) socket.destroy()
      }, lingerMs).unref()
    },
  }
}

type Upgraded = { kind: 'upgraded'; reply: IncomingMessage; upstream: Socket; upstreamHead: Buffer }
type Answer = Upgraded | { kind: 'answered'; reply: IncomingMessage } | { kind: 'failed' }

function connect(cell: Cell, { url }: IncomingMessage, pairs: string[]): Promise<Answer> {
  const headers: Record<string, string[]> = { connection: ['Upgrade'], upgrade: ['websocket'] }
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [name = '', value = ''] = pairs.slice(at, at + 2)
    headers[name] = [...(headers[name] ?? []), value]
  }
  const ask = cell.url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    const outgoing = ask(cell.url.origin, {
      path: url,
      headers: oneByOne(headers),
      agent: false,
      timeout: connectWithinMs,
    })
    outgoing.on('upgrade', (reply, upstream, upstreamHead) => {
      upstream.setTimeout(0)
      resolve({ kind: 'upgraded', reply, upstream, upstreamHead })
    })
    outgoing.on('response', (reply) => resolve({ kind: 'answered', reply }))
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.on('error', () => resolve({ kind: 'failed' }))
    outgoing.end()
  })
}

/** Node takes no list for `host`. */
function oneByOne(headers: Record<string, string[]>): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  )
}

function headerLines(raw: readonly string[]): string {
  let lines = ''
  for (let at = 0; at + 1 < raw.length; at += 2) lines += `${raw[at]}: ${raw[at + 1]}\r\n`
  return lines
}

/** The cell did not want the socket. Its answer is passed on, and the connection ends with it. */
function relay(socket: Duplex, reply: IncomingMessage): void {
  const kept = reply.rawHeaders.filter(
    (_, at) => !/^(connection|transfer-encoding|keep-alive)$/i.test(reply.rawHeaders[at - (at % 2)] ?? ''),
  )
  socket.write(`HTTP/1.1 ${reply.statusCode} ${reply.statusMessage}\r\n${headerLines(kept)}connection: close\r\n\r\n`)
  reply.pipe(socket)
  reply.once('close', () => setTimeout(() => socket.destroy(), lingerMs).unref())
}
